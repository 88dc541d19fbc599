package config

import (
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
		"    color: crimson\n":                    "[4:12] profiles.work.color: \"crimson\" is no colour: give one of accent,",
		"    banner: \"a\\x1b[31mb\"\n":           "profiles.work.banner: give a short text without control characters",
		"    banner: a banner that is too long\n": "profiles.work.banner: 25 characters; at most 16 fit",
		"    read_only: perhaps\n":                "[4:16]",
	} {
		_, err := file(lines)
		require.ErrorContains(t, err, want, lines)
	}
}
