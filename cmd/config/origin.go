package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Kept is a stored key.
type Kept struct {
	// Where is "keyring", or the file.
	Where string
	// Origin is that of the key's gateway; "" for a key that an earlier version stored and that
	// was not used since.
	Origin string

	secret string
}

// originMark begins the line of a stored key that names its origin. A key contains no line break.
const originMark = "origin: "

func (k Kept) text() string {
	return k.secret + "\n" + originMark + k.Origin + "\n"
}

// readKept parses a stored text.
func readKept(text string) Kept {
	key, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	origin, _ := strings.CutPrefix(strings.TrimSpace(rest), originMark)
	return Kept{secret: strings.TrimSpace(key), Origin: origin}
}

// OriginError says that a key was stored for another gateway than the profile names now. It does
// not hold the key.
type OriginError struct {
	Profile   string
	Kept, Now string // origins
}

// Error says what happened and what to do.
func (e *OriginError) Error() string {
	return fmt.Sprintf("the key of profile %s is for %s, and the settings name %s now: it is not sent there; `darkroom auth login --profile %s` keeps another key, with --same-key this one is used there",
		e.Profile, e.Kept, e.Now, e.Profile)
}

// bind checks a stored key against the gateway of its profile. A key from an earlier version, which
// knew no origins, is bound to the gateway that the profile names when the key is first used.
func (s Secrets) bind(k *Kept, p Profile) error {
	now := OriginOf(p.BaseURL)
	switch k.Origin {
	case now:
		return nil
	case "":
		k.Origin = now
		// If it cannot be written, as on a read-only disk, the key serves unbound as it did
		// before.
		_ = s.rewrite(p, *k)
		return nil
	}
	return &OriginError{Profile: p.Name, Kept: k.Origin, Now: now}
}

// Confirm binds a profile's stored key to the gateway that the profile names now.
func (s Secrets) Confirm(p Profile) error {
	k, err := s.kept(p.Name)
	if err != nil {
		return err
	}
	k.Origin = OriginOf(p.BaseURL)
	return s.rewrite(p, k)
}

// Same returns a profile's stored key, whatever its origin: for a person who says that it is to be
// used elsewhere.
func (s Secrets) Same(profile string) (string, error) {
	k, err := s.kept(profile)
	return k.secret, err
}

// Known is a profile's key, whatever its origin, else the environment's, whatever its profile; ""
// for none. It serves to search for the key in what is about to be written, not to be sent.
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

// rewrite stores a key again in the same place.
func (s Secrets) rewrite(p Profile, k Kept) error {
	if k.Where == whereKeyring {
		return s.limited(func() error { return s.Keyring.Set(keyringService, p.Name, k.text()) })
	}
	return WritePrivate(k.Where, []byte(k.text()))
}

// OriginOf is the scheme, host and port of a gateway's address, without the port if it is the
// default one.
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
