package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zalando/go-keyring"
)

// Secrets finds and stores the keys of profiles: in the system's keyring, else in a file of mode
// 0600 in a folder of mode 0700, both the person's own. A stored key carries the origin of its
// gateway, and is given out for no other. The environment's key serves the environment's gateway,
// and a named profile if FromEnv says so. A key is never taken from a flag, and is never part of
// an error.
type Secrets struct {
	Dir string
	Env func(string) string
	// FromEnv lets the environment's key serve a profile from the settings.
	FromEnv bool
	// Keyring is the system's keyring; nil for none, as in tests.
	Keyring Keyring
	// Patience is how long the keyring may take to answer; 0 for three seconds. An answer that comes
	// later still counts there: a key that went to a file meanwhile is in both.
	Patience time.Duration
}

// Keyring is the part of a system keyring in use here.
type Keyring interface {
	Get(service, user string) (string, error)
	Set(service, user, password string) error
	Delete(service, user string) error
}

const (
	keyringService = "darkroom"
	whereKeyring   = "keyring"
	keyringLimit   = 3 * time.Second
)

// ErrNoKey means that no key is stored for a profile.
var ErrNoKey = errors.New("no key is kept for this profile: `darkroom auth login`")

// errSilent: a keyring may be waiting for a prompt that nobody sees.
var errSilent = errors.New("the keyring did not answer")

// Find returns a profile's key and where it is stored. If the key was stored for another origin
// than the profile's, the error is an [*OriginError].
func (s Secrets) Find(p Profile) (key, where string, err error) {
	env := strings.TrimSpace(s.Env(EnvKey))
	switch {
	case env != "" && (s.FromEnv || IsEnv(p.Name)):
		return env, EnvKey, nil
	case s.FromEnv:
		return "", "", fmt.Errorf("%w: --key-from-env takes that of %s, which is not set", ErrNoKey, EnvKey)
	}
	k, err := s.kept(p.Name)
	switch {
	case errors.Is(err, ErrNoKey) && env != "":
		return "", "", fmt.Errorf("%w keeps one, or --key-from-env takes that of %s, which without it serves %s alone", err, EnvKey, EnvBaseURL)
	case err != nil:
		return "", "", err
	}
	if err := s.bind(&k, p); err != nil {
		return "", "", err
	}
	return k.secret, k.Where, nil
}

// ErrNoKeyring means that there is no keyring at all.
var ErrNoKeyring = errors.New("the system has no keyring")

// CheckKeyring says why the system's keyring cannot be used; nil if it answers.
func (s Secrets) CheckKeyring() error {
	if s.Keyring == nil {
		return ErrNoKeyring
	}
	err := s.limited(func() error {
		_, err := s.Keyring.Get(keyringService, "is anybody there")
		return err
	})
	if errors.Is(err, keyring.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Look says where a profile's key is stored and for which origin, but not the key. It binds
// nothing.
func (s Secrets) Look(profile string) (Kept, error) {
	k, err := s.kept(profile)
	k.secret = ""
	return k, err
}

// kept is a profile's key as stored.
func (s Secrets) kept(profile string) (Kept, error) {
	text, kerr := s.fromKeyring(profile)
	if k := readKept(text); kerr == nil && k.secret != "" {
		k.Where = whereKeyring
		return k, nil
	}
	text, err := s.fromFile(profile)
	switch {
	case err == nil:
		k := readKept(text)
		k.Where = s.file(profile)
		return k, nil
	case errors.Is(err, ErrNoKey) && errors.Is(kerr, errSilent):
		return Kept{}, fmt.Errorf("%w; %w within %s", err, kerr, s.patience())
	default:
		return Kept{}, err
	}
}

// Keep stores a profile's key for the origin of its gateway: in the keyring if there is one, else
// in a file.
func (s Secrets) Keep(p Profile, key string) (where string, err error) {
	text := Kept{secret: key, Origin: OriginOf(p.BaseURL)}.text()
	if s.Keyring != nil {
		err := s.limited(func() error { return s.Keyring.Set(keyringService, p.Name, text) })
		if err == nil {
			_ = os.Remove(s.file(p.Name)) // an older copy would only be one more place to leak from
			return whereKeyring, nil
		}
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return "", Unwritable(s.file(p.Name), "written", err)
	}
	if err := s.checkDir(); err != nil {
		return "", err
	}
	return s.file(p.Name), WritePrivate(s.file(p.Name), []byte(text))
}

// Forget removes a profile's key everywhere. It is no error if there was none, but it is one if the
// key may still be there.
func (s Secrets) Forget(profile string) error {
	var kerr error
	if s.Keyring != nil {
		kerr = s.limited(func() error { return s.Keyring.Delete(keyringService, profile) })
		if kerr != nil && !errors.Is(kerr, errSilent) {
			// Without a keyring, or without the key in it, all is well: only a key that can still be
			// read was not removed.
			if k, err := s.fromKeyring(profile); err != nil || k == "" {
				kerr = nil
			}
		}
	}
	err := os.Remove(s.file(profile))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if kerr != nil {
		kerr = fmt.Errorf("the key may still be in the keyring: %w", kerr)
	}
	return errors.Join(kerr, Unwritable(s.file(profile), "removed", err))
}

func (s Secrets) file(profile string) string { return filepath.Join(s.Dir, profile) }

func (s Secrets) fromKeyring(profile string) (string, error) {
	if s.Keyring == nil {
		return "", ErrNoKey
	}
	got := make(chan string, 1)
	err := s.limited(func() error {
		k, err := s.Keyring.Get(keyringService, profile)
		got <- strings.TrimSpace(k)
		return err
	})
	if err != nil {
		return "", err
	}
	return <-got, nil
}

func (s Secrets) fromFile(profile string) (string, error) {
	path := s.file(profile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrNoKey
	}
	if err != nil {
		return "", err
	}
	if err := s.checkDir(); err != nil {
		return "", err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s can be read by others (mode %#o): `chmod 600` it, and consider a new key", path, info.Mode().Perm())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if k := strings.TrimSpace(string(b)); k != "" {
		return k, nil
	}
	return "", ErrNoKey
}

func (s Secrets) checkDir() error {
	info, err := os.Stat(s.Dir)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("the folder %s is open to others (mode %#o): `chmod 700` it", s.Dir, info.Mode().Perm())
	}
	return nil
}

func (s Secrets) patience() time.Duration { return cmp.Or(s.Patience, keyringLimit) }

// limited gives up on a keyring that does not answer.
func (s Secrets) limited(f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	t := time.NewTimer(s.patience())
	defer t.Stop()
	select {
	case err := <-done:
		return err
	case <-t.C:
		return errSilent
	}
}

// system is the keyring of the desktop.
type system struct{}

// Get implements Keyring.
func (system) Get(service, user string) (string, error) { return keyring.Get(service, user) }

// Set implements Keyring.
func (system) Set(service, user, password string) error {
	return keyring.Set(service, user, password)
}

// Delete implements Keyring.
func (system) Delete(service, user string) error { return keyring.Delete(service, user) }
