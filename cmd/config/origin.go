package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Kept is a key that is kept.
type Kept struct {
	// Where is "keyring", or the file.
	Where string
	// Origin is that of the gateway that the key is for, "" for a key that an earlier version
	// kept and that was not used since.
	Origin string

	secret string
}

// originMark begins the line of a kept key that names its origin. A key holds no line end.
const originMark = "origin: "

func (k Kept) text() string {
	return k.secret + "\n" + originMark + k.Origin + "\n"
}

// readKept takes a kept text apart.
func readKept(text string) Kept {
	key, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	origin, _ := strings.CutPrefix(strings.TrimSpace(rest), originMark)
	return Kept{secret: strings.TrimSpace(key), Origin: origin}
}

// OriginError says that a key was kept for another gateway than the profile names now. It
// holds no key.
type OriginError struct {
	Profile   string
	Kept, Now string // origins
}

// Error says what happened and what to do.
func (e *OriginError) Error() string {
	return fmt.Sprintf("the key of profile %s is for %s, and the settings name %s now: it is not sent there; `darkroom auth login --profile %s` keeps another key, with --same-key this one is used there",
		e.Profile, e.Kept, e.Now, e.Profile)
}

// bind holds a kept key against the gateway of its profile. A key that an earlier version kept,
// which knew no origins, belongs to the gateway that the profile names when it is first used.
func (s Secrets) bind(k *Kept, p Profile) error {
	now := OriginOf(p.BaseURL)
	switch k.Origin {
	case now:
		return nil
	case "":
		k.Origin = now
		// Where it cannot be written, as on a disk that is read-only, the key serves unbound as
		// it did before.
		_ = s.rewrite(p, *k)
		return nil
	}
	return &OriginError{Profile: p.Name, Kept: k.Origin, Now: now}
}

// Confirm binds the key that is kept for a profile to the gateway that the profile names now.
func (s Secrets) Confirm(p Profile) error {
	k, err := s.kept(p.Name)
	if err != nil {
		return err
	}
	k.Origin = OriginOf(p.BaseURL)
	return s.rewrite(p, k)
}

// Same returns the key that is kept for a profile, for whatever origin: for a person who says
// that it is to be used elsewhere.
func (s Secrets) Same(profile string) (string, error) {
	k, err := s.kept(profile)
	return k.secret, err
}

// Known is the key of a profile for whatever origin, else that of the environment for whatever
// profile, "" for none: to be looked for in what is about to be written, not to be sent.
func (s Secrets) Known(p Profile) (string, error) {
	k, _, err := s.Find(p)
	var moved *OriginError
	switch {
	case errors.As(err, &moved):
		return s.Same(p.Name)
	case errors.Is(err, ErrNoKey):
		return strings.TrimSpace(s.Env(EnvKey)), nil
	}
	return k, err
}

// rewrite keeps a key where it is.
func (s Secrets) rewrite(p Profile, k Kept) error {
	if k.Where == whereKeyring {
		return limited(func() error { return s.Keyring.Set(keyringService, p.Name, k.text()) })
	}
	return WritePrivate(k.Where, []byte(k.text()))
}

// OriginOf is the scheme, the host and the port of a gateway's address, without the port where
// it is the usual one.
func OriginOf(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return ""
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	port := u.Port()
	if port == "" || scheme == "https" && port == "443" || scheme == "http" && port == "80" {
		return scheme + "://" + host
	}
	return scheme + "://" + host + ":" + port
}

// IsKeyError reports whether an error says that there is no key to send.
func IsKeyError(err error) bool {
	var origin *OriginError
	return errors.Is(err, ErrNoKey) || errors.As(err, &origin)
}
