package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheEnvironmentsKeyServesTheEnvironmentsGateway: it was sent to any profile before.
func TestTheEnvironmentsKeyServesTheEnvironmentsGateway(t *testing.T) {
	t.Parallel()
	s := Secrets{Dir: filepath.Join(t.TempDir(), "keys"), Env: environment(map[string]string{EnvKey: "sk-env-1"})}
	key, where, err := s.Find(Profile{Name: "env:y.example", BaseURL: "https://y.example"})
	require.NoError(t, err)
	require.Equal(t, []string{"sk-env-1", EnvKey}, []string{key, where})

	_, _, err = s.Find(work())
	require.ErrorIs(t, err, ErrNoKey)
	require.ErrorContains(t, err, "--key-from-env")
	require.ErrorContains(t, err, "auth login")
	require.NotContains(t, err.Error(), "sk-env-1")

	_, err = s.Keep(work(), secret)
	require.NoError(t, err)
	key, _, err = s.Find(work())
	require.NoError(t, err)
	require.Equal(t, secret, key, "the key that is kept, not the environment's")

	s.FromEnv = true
	key, where, err = s.Find(work())
	require.NoError(t, err)
	require.Equal(t, []string{"sk-env-1", EnvKey}, []string{key, where})
	s.Env = environment(nil)
	_, _, err = s.Find(work())
	require.ErrorIs(t, err, ErrNoKey)
	require.ErrorContains(t, err, "not set")
}

// TestAKeyIsOfItsOrigin: an edit of base_url does not send a key to another host.
func TestAKeyIsOfItsOrigin(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*ring{"keyring": {keys: map[string]string{}}, "file": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Secrets{Dir: filepath.Join(t.TempDir(), "keys"), Env: environment(nil)}
			if r != nil {
				s.Keyring = r
			}
			_, err := s.Keep(work(), secret)
			require.NoError(t, err)
			for _, same := range []string{"https://x.example", "https://X.example:443/other/path", "HTTPS://x.example/"} {
				_, _, err := s.Find(Profile{Name: "work", BaseURL: same})
				require.NoError(t, err, same)
			}
			for _, other := range []string{"https://y.example", "https://x.example:8443", "http://x.example", "https://x.example.evil.example", "https://x.exampl"} {
				p := Profile{Name: "work", BaseURL: other}
				key, _, err := s.Find(p)
				var moved *OriginError
				require.ErrorAs(t, err, &moved, other)
				require.Empty(t, key)
				require.Equal(t, OriginError{"work", "https://x.example", OriginOf(other)}, *moved)
				require.True(t, IsKeyError(err))
				require.NotContains(t, err.Error(), secret)
				known, err := s.Known(p)
				require.NoError(t, err)
				require.Equal(t, secret, known, "to be looked for in what is written")
			}
			there := Profile{Name: "work", BaseURL: "https://y.example"}
			require.NoError(t, s.Confirm(there))
			key, _, err := s.Find(there)
			require.NoError(t, err)
			require.Equal(t, secret, key)
			_, _, err = s.Find(work())
			require.Error(t, err, "it is of one origin")
			k, err := s.Look("work")
			require.NoError(t, err)
			require.Equal(t, "https://y.example", k.Origin)
			require.Empty(t, k.secret)
		})
	}
}

// TestAKeyOfAnEarlierVersion has no origin: it belongs to the gateway of its first use.
func TestAKeyOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*ring{"keyring": {keys: map[string]string{"work": secret}}, "file": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Secrets{Dir: filepath.Join(t.TempDir(), "keys"), Env: environment(nil)}
			if r != nil {
				s.Keyring = r
			} else {
				require.NoError(t, os.MkdirAll(s.Dir, 0o700))
				require.NoError(t, WritePrivate(filepath.Join(s.Dir, "work"), []byte(secret+"\n")))
			}
			k, err := s.Look("work")
			require.NoError(t, err)
			require.Empty(t, k.Origin, "looking binds nothing")
			key, _, err := s.Find(work())
			require.NoError(t, err)
			require.Equal(t, secret, key)
			_, _, err = s.Find(Profile{Name: "work", BaseURL: "https://y.example"})
			require.Error(t, err)
			if r == nil {
				info, err := os.Stat(filepath.Join(s.Dir, "work"))
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			}
		})
	}
}

func TestOriginOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://X.Example/v": "https://x.example", "https://x.example:443": "https://x.example", "https://x.example:444/": "https://x.example:444",
		"http://127.0.0.1:8400": "http://127.0.0.1:8400", "http://localhost:80": "http://localhost", "http://[::1]:8400/v1": "http://[::1]:8400", "": "", "x": "",
	} {
		require.Equal(t, want, OriginOf(in), in)
	}
}
