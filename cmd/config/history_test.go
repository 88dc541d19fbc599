package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	const shared = "postgres://u:hidden@db.example/jobs?sslmode=verify-full"
	for given, want := range map[string]string{"": "", "sqlite": "", "  sqlite ": "", shared: shared} {
		got, err := CheckHistory(given)
		require.NoError(t, err, given)
		assert.Equal(t, want, got)
	}
	for _, bad := range []string{"/tmp/x.db", "mysql://u:hidden@h/d", "postgres://u:hidden@h", "postgres://u:hidden@h:p/d", "hidden"} {
		_, err := CheckHistory(bad)
		require.Error(t, err, bad)
		assert.NotContains(t, err.Error(), "hidden")
		assert.ErrorContains(t, err, "sqlite")
	}
	assert.Equal(t, "postgres://u:xxxxx@db.example/jobs?sslmode=verify-full", Profile{History: shared}.Shared())
	assert.Empty(t, Profile{}.Shared())
}

func TestHistoryOfProfile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := Paths{Config: filepath.Join(dir, "config.yaml"), Downloads: dir}
	load := func(profile string, env map[string]string) (Config, error) {
		return Load(Request{Paths: p, Profile: profile, Env: func(k string) string { return env[k] }})
	}
	write := func(history string) {
		require.NoError(t, os.WriteFile(p.Config, []byte("profiles:\n  work:\n    base_url: https://g.example\n    history: "+history+"\n"), 0o600))
	}
	write("postgres://u:hidden@h:bad/db")
	_, err := load("work", nil)
	require.ErrorContains(t, err, "profiles.work.history")
	assert.NotContains(t, err.Error(), "hidden")

	write("postgres://u@h/db")
	c, err := load("work", nil)
	require.NoError(t, err)
	assert.Equal(t, "postgres://u@h/db", c.Profile.History)
	c, err = load("work", map[string]string{EnvHistory: "postgres://other/db"})
	require.NoError(t, err)
	assert.Equal(t, "postgres://other/db", c.Profile.History, "the environment is nearer")
	c, err = load("work", map[string]string{EnvHistory: "sqlite"})
	require.NoError(t, err)
	assert.Empty(t, c.Profile.History)
	_, err = load("work", map[string]string{EnvHistory: "postgres://u:hidden@"})
	require.ErrorContains(t, err, EnvHistory)
	assert.NotContains(t, err.Error(), "hidden")
	c, err = load(Sandbox, map[string]string{EnvHistory: "postgres://other/db"})
	require.NoError(t, err)
	assert.Empty(t, c.Profile.History, "the embedded gateway is of this machine alone")

	f, err := SetProfile(p.Config, "work", "https://new.example")
	require.NoError(t, err)
	assert.Equal(t, ProfileFile{BaseURL: "https://new.example", History: "postgres://u@h/db"}, f.Profiles["work"], "a login changes nothing else")
}
