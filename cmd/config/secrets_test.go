package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zalando/go-keyring"
)

// work is a profile of the settings.
func work() Profile { return Profile{Name: "work", BaseURL: "https://x.example/v"} }

const secret = "sk-9f8e7d6c5b4a"

// ring is a keyring in memory. With hang set, nothing answers until it is closed.
type ring struct {
	keys map[string]string
	err  error
	hang chan struct{}
}

func (r *ring) wait() error {
	if r.hang != nil {
		<-r.hang
		return errors.New("released") // long after everybody gave up
	}
	return r.err
}

func (r *ring) Get(_, user string) (string, error) {
	if err := r.wait(); err != nil {
		return "", err
	}
	k, ok := r.keys[user]
	if !ok {
		return "", errors.New("secret not found in keyring")
	}
	return k, nil
}

func (r *ring) Set(_, user, password string) error {
	if err := r.wait(); err != nil {
		return err
	}
	r.keys[user] = password
	return nil
}

func (r *ring) Delete(_, user string) error {
	if err := r.wait(); err != nil {
		return err
	}
	if _, ok := r.keys[user]; !ok {
		return errors.New("secret not found in keyring")
	}
	delete(r.keys, user)
	return nil
}

func TestOrderOfSecrets(t *testing.T) {
	t.Parallel()
	r := &ring{keys: map[string]string{"work": "from-ring\n"}}
	env := map[string]string{EnvKey: " from-env "}
	s := Secrets{Dir: filepath.Join(t.TempDir(), "keys"), Env: environment(env), Keyring: r, FromEnv: true}
	require.NoError(t, os.MkdirAll(s.Dir, 0o700))
	require.NoError(t, WritePrivate(filepath.Join(s.Dir, "work"), []byte("from-file\n")))

	for _, c := range []struct{ key, where string }{{"from-env", EnvKey}, {"from-ring", "keyring"}, {"from-file", filepath.Join(s.Dir, "work")}} {
		key, where, err := s.Find(work())
		require.NoError(t, err)
		require.Equal(t, c.key, key)
		require.Equal(t, c.where, where)
		if env[EnvKey] != "" {
			env[EnvKey], s.FromEnv = "", false
		} else {
			r.keys = map[string]string{}
		}
	}
	_, _, err := s.Find(Profile{Name: "other", BaseURL: "https://x.example"})
	require.ErrorIs(t, err, ErrNoKey)
}

func TestKeepAndForget(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*ring{
		"keyring":         {keys: map[string]string{}},
		"no keyring":      nil,
		"a broken one":    {err: errors.New("no bus, refused " + secret)},
		"a read-only one": {keys: map[string]string{}, err: errors.New("locked")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Secrets{Dir: filepath.Join(t.TempDir(), "keys"), Env: environment(nil)}
			if r != nil {
				s.Keyring = r
			}
			_, err := s.Keep(work(), secret)
			require.NoError(t, err)
			inRing := name == "keyring"
			if inRing {
				require.Equal(t, secret+"\norigin: https://x.example\n", r.keys["work"])
				require.NoDirExists(t, s.Dir, "one place is enough")
			} else {
				info, err := os.Stat(filepath.Join(s.Dir, "work"))
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
				dir, err := os.Stat(s.Dir)
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o700), dir.Mode().Perm())
			}
			key, _, err := s.Find(work())
			require.NoError(t, err)
			require.Equal(t, secret, key)
			require.NoError(t, s.Forget("work"))
			require.NoError(t, s.Forget("work"), "twice is no error")
			_, _, err = s.Find(work())
			require.ErrorIs(t, err, ErrNoKey)
			require.NotContains(t, err.Error(), secret)
		})
	}
}

func TestKeyringTakesOverFromTheFile(t *testing.T) {
	t.Parallel()
	s := Secrets{Dir: filepath.Join(t.TempDir(), "keys"), Env: environment(nil)}
	where, err := s.Keep(work(), secret)
	require.NoError(t, err)
	s.Keyring = &ring{keys: map[string]string{}}
	_, err = s.Keep(work(), secret)
	require.NoError(t, err)
	require.NoFileExists(t, where)
}

// stubborn keeps what it has.
type stubborn struct{ ring }

func (s *stubborn) Delete(_, _ string) error { return errors.New("not now") }

func TestForgetSaysWhenTheKeyIsThereStill(t *testing.T) {
	t.Parallel()
	s := Secrets{Dir: t.TempDir(), Env: environment(nil), Keyring: &stubborn{ring{keys: map[string]string{"work": secret}}}}
	err := s.Forget("work")
	require.ErrorContains(t, err, "may still be in the keyring")
	require.NotContains(t, err.Error(), secret)
}

func TestKeyFilesThatOthersCanRead(t *testing.T) {
	t.Parallel()
	s := Secrets{Dir: filepath.Join(t.TempDir(), "keys"), Env: environment(nil)}
	where, err := s.Keep(work(), secret)
	require.NoError(t, err)
	for _, mode := range []os.FileMode{0o640, 0o604, 0o660} {
		require.NoError(t, os.Chmod(where, mode)) // #nosec G302 -- what is to be refused
		_, _, err = s.Find(work())
		require.ErrorContains(t, err, "chmod 600")
		require.NotContains(t, err.Error(), secret)
		require.NotErrorIs(t, err, ErrNoKey)
	}
	require.NoError(t, os.Chmod(where, 0o600))
	require.NoError(t, os.Chmod(s.Dir, 0o750)) // #nosec G302 -- what is to be refused
	_, _, err = s.Find(work())
	require.ErrorContains(t, err, "chmod 700")
	_, err = s.Keep(work(), secret)
	require.ErrorContains(t, err, "chmod 700")
	require.NotContains(t, err.Error(), secret)

	require.NoError(t, os.Chmod(s.Dir, 0o700)) // #nosec G302 -- a folder
	require.NoError(t, os.WriteFile(where, []byte(" \n"), 0o600))
	_, _, err = s.Find(work())
	require.ErrorIs(t, err, ErrNoKey, "an empty file is no key")
}

func TestKeyringThatHangs(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "keys")
	synctest.Test(t, func(t *testing.T) {
		r := &ring{hang: make(chan struct{}), keys: map[string]string{}}
		defer close(r.hang)
		s := Secrets{Dir: dir, Env: environment(nil), Keyring: r}
		start := time.Now()
		_, _, err := s.Find(work())
		require.ErrorIs(t, err, ErrNoKey)
		require.ErrorContains(t, err, "did not answer")
		require.Equal(t, keyringLimit, time.Since(start))

		where, err := s.Keep(work(), secret)
		require.NoError(t, err)
		require.Equal(t, filepath.Join(dir, "work"), where, "the file takes it then")
		key, _, err := s.Find(work())
		require.NoError(t, err)
		require.Equal(t, secret, key)
		err = s.Forget("work")
		require.ErrorContains(t, err, "may still be in the keyring")
		require.NoFileExists(t, where)
		require.Equal(t, 4*keyringLimit, time.Since(start))
	})
}

// absent is a keyring that works and has nothing.
type absent struct{ *ring }

func (absent) Get(string, string) (string, error) { return "", keyring.ErrNotFound }

func TestCheckKeyring(t *testing.T) {
	t.Parallel()
	require.NoError(t, Secrets{Keyring: absent{}}.CheckKeyring())
	require.ErrorIs(t, Secrets{}.CheckKeyring(), ErrNoKeyring)
	locked := errors.New("it is locked")
	require.ErrorIs(t, Secrets{Keyring: &ring{err: locked}}.CheckKeyring(), locked)
}
