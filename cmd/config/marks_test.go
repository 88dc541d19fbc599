package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMarksOfAProfile(t *testing.T) {
	file := func(lines string) (File, error) {
		return parse([]byte("profiles:\n  work:\n    base_url: https://gateway.example\n" + lines))
	}
	f, err := file("    read_only: true\n    color: ' Red'\n    banner: PRODUCTION\n")
	require.NoError(t, err)
	assert.Equal(t, "red", f.Profiles["work"].Color)
	assert.Equal(t, "PRODUCTION", f.Profiles["work"].Banner)
	assert.True(t, f.Profiles["work"].ReadOnly)
	for lines, want := range map[string]string{
		"    color: crimson\n":                    "[4:12] profiles.work.color: \"crimson\" is not a colour: give one of accent,",
		"    banner: \"a\\x1b[31mb\"\n":           "profiles.work.banner: give a short text without control characters",
		"    banner: a banner that is too long\n": "profiles.work.banner: 25 characters; at most 16 fit",
		"    read_only: perhaps\n":                "[4:16]",
	} {
		_, err := file(lines)
		require.ErrorContains(t, err, want, lines)
	}
}

// What the environment says of one profile is not for the others; what makes a run read-only is.
func TestTheOtherProfiles(t *testing.T) {
	dir := t.TempDir()
	p := Paths{Config: filepath.Join(dir, "config.yaml"), Downloads: dir}
	require.NoError(t, os.WriteFile(p.Config, []byte("profile: work\nprofiles:\n  work:\n    base_url: https://work.example\n  team:\n    base_url: https://team.example\n    read_only: true\n    banner: PROD\n"), 0o600))
	env := map[string]string{EnvHistory: "postgres://u@db.example/ours"}
	r := Request{Paths: p, Env: func(k string) string { return env[k] }}
	c, err := Load(r)
	require.NoError(t, err)
	assert.NotEmpty(t, c.Profile.History)
	all := c.Profiles()
	require.Len(t, all, 3)
	assert.Equal(t, []string{"work", "team", Sandbox}, []string{all[0].Name, all[1].Name, all[2].Name})
	assert.Equal(t, "PROD", all[1].Banner)
	assert.Empty(t, all[0].ReadOnly)
	assert.Equal(t, "read_only of profile team", all[1].ReadOnly)
	assert.Equal(t, []string{"work", "team"}, c.Names(), "nobody's task is at the embedded one")

	other, err := Load(r.Other("team"))
	require.NoError(t, err)
	assert.Equal(t, "https://team.example", other.Profile.BaseURL)
	assert.Empty(t, other.Profile.History, "the environment's history is that of the profile in use")

	r.ReadOnly = true
	c, err = Load(r)
	require.NoError(t, err)
	assert.Equal(t, "--read-only", c.Profile.ReadOnly)
	assert.Equal(t, []string{"--read-only", "read_only of profile team", "--read-only"}, []string{c.Profiles()[0].ReadOnly, c.Profiles()[1].ReadOnly, c.Profiles()[2].ReadOnly})
	for _, name := range []string{"team", Sandbox} {
		other, err = Load(r.Other(name))
		require.NoError(t, err)
		assert.Equal(t, "--read-only", other.Profile.ReadOnly, name)
	}
	c.Profile = other.Profile
	assert.Equal(t, "--read-only", c.Profiles()[2].ReadOnly, "of the whole run")
	assert.Equal(t, Sandbox, c.Names()[0], "the embedded one is asked where it is in use")
}
