package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zalando/go-keyring"
)

// Secrets finds and keeps the keys of profiles: the environment first, then the
// system's keyring, then a file of mode 0600 in a folder of mode 0700, both the person's
// own. A key is never taken from a flag, and never part of an error.
type Secrets struct {
	Dir string
	Env func(string) string
	// Keyring is the system's; nil for none, as in tests.
	Keyring Keyring
}

// Keyring is the part of a system keyring that is used.
type Keyring interface {
	Get(service, user string) (string, error)
	Set(service, user, password string) error
	Delete(service, user string) error
}

const (
	keyringService = "darkroom"
	keyringLimit   = 3 * time.Second
)

// ErrNoKey says that no key is kept for a profile.
var ErrNoKey = errors.New("no key is kept for this profile: `darkroom auth login`, or set " + EnvKey)

// errSilent: a keyring may wait for a prompt that nobody sees.
var errSilent = errors.New("the keyring did not answer")

// Find returns the key of a profile and where it is kept.
func (s Secrets) Find(profile string) (key, where string, err error) {
	if k := strings.TrimSpace(s.Env(EnvKey)); k != "" {
		return k, EnvKey, nil
	}
	k, kerr := s.fromKeyring(profile)
	if kerr == nil && k != "" {
		return k, "keyring", nil
	}
	k, err = s.fromFile(profile)
	switch {
	case err == nil:
		return k, s.file(profile), nil
	case errors.Is(err, ErrNoKey) && errors.Is(kerr, errSilent):
		return "", "", fmt.Errorf("%w; %w within %s", err, kerr, keyringLimit)
	default:
		return "", "", err
	}
}

// Keep stores a key, in the keyring where there is one, else in a file.
func (s Secrets) Keep(profile, key string) (where string, err error) {
	if s.Keyring != nil {
		err := limited(func() error { return s.Keyring.Set(keyringService, profile, key) })
		if err == nil {
			_ = os.Remove(s.file(profile)) // an older copy would only be one more place to leak from
			return "keyring", nil
		}
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return "", err
	}
	if err := s.checkDir(); err != nil {
		return "", err
	}
	return s.file(profile), WritePrivate(s.file(profile), []byte(key+"\n"))
}

// Forget removes the key of a profile everywhere; it is no error when there was none, and
// it is one when the key may still be there.
func (s Secrets) Forget(profile string) error {
	var kerr error
	if s.Keyring != nil {
		kerr = limited(func() error { return s.Keyring.Delete(keyringService, profile) })
		if kerr != nil && !errors.Is(kerr, errSilent) {
			// Without a keyring, or without the key in it, all is well: only a key that can
			// still be read was not removed.
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
	return errors.Join(kerr, err)
}

func (s Secrets) file(profile string) string { return filepath.Join(s.Dir, profile) }

func (s Secrets) fromKeyring(profile string) (string, error) {
	if s.Keyring == nil {
		return "", ErrNoKey
	}
	got := make(chan string, 1)
	err := limited(func() error {
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
		return "", fmt.Errorf("%s can be read by others (mode %#o): `chmod 600` it, and think of a new key", path, info.Mode().Perm())
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

// limited gives up on a keyring that does not answer.
func limited(f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	t := time.NewTimer(keyringLimit)
	defer t.Stop()
	select {
	case err := <-done:
		return err
	case <-t.C:
		return errSilent
	}
}

// System is the keyring of the desktop.
type System struct{}

// Get implements Keyring.
func (System) Get(service, user string) (string, error) { return keyring.Get(service, user) }

// Set implements Keyring.
func (System) Set(service, user, password string) error {
	return keyring.Set(service, user, password)
}

// Delete implements Keyring.
func (System) Delete(service, user string) error { return keyring.Delete(service, user) }
