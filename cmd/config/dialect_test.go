package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
)

const songs = "version: 1\nsegments: {famN: songs}\nmodels: {famN_music: acme_songs}\n"

// loadText is a configuration with this text as its file.
func loadText(t *testing.T, p Paths, text string, env map[string]string) (Config, error) {
	t.Helper()
	write(t, p.Config, text)
	return Load(Request{Paths: p, Env: environment(env)})
}

func TestAProfileHasADialect(t *testing.T) {
	t.Parallel()
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	named := "profiles: {team: {base_url: https://t.example, dialect: ours}}\nprofile: team\n"
	inline := "profiles:\n  team:\n    base_url: https://t.example\n    dialect:\n      segments: {famN: songs}\n      models:\n        famN_music: acme_songs\nprofile: team\n"
	for name, text := range map[string]string{"named": named, "inline": inline} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := testPaths(t)
			write(t, filepath.Join(p.Dialects, "ours.yaml"), songs)
			c, err := loadText(t, p, text, nil)
			require.NoError(t, err)
			d, err := c.Profile.Dialect.Client(cat)
			require.NoError(t, err)
			assert.Equal(t, map[string]string{"famN": "songs"}, d.Segments)
			assert.Equal(t, map[string][]string{"famN_music": {"acme_songs"}}, d.Models)
			assert.NotEmpty(t, d.Name)

			_, err = SetProfile(p.Config, "team", "https://new.example")
			require.NoError(t, err)
			c, err = Load(Request{Paths: p, Env: environment(nil)})
			require.NoError(t, err)
			assert.Equal(t, "https://new.example", c.Profile.BaseURL)
			assert.Equal(t, "songs", c.Profile.Dialect.File.Segments["famN"], "it stays")
			assert.NoFileExists(t, p.Config+".old", "and the text around it too")

			c, err = Load(Request{Paths: p, Profile: Sandbox, Env: environment(map[string]string{EnvDialect: "ours"})})
			require.NoError(t, err)
			assert.Empty(t, c.Profile.Dialect.Name, "the embedded gateway has none")
		})
	}
}

// TestTheEnvironmentNamesADialect: for a gateway that the environment alone names, and over
// that of a profile.
func TestTheEnvironmentNamesADialect(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	c, err := Load(Request{Paths: p, Env: environment(map[string]string{EnvBaseURL: "https://t.example", EnvKey: "k", EnvDialect: "suno-kling"})})
	require.NoError(t, err)
	assert.Equal(t, "suno-kling", c.Profile.Dialect.Name)
	assert.Equal(t, shipped, c.Profile.Dialect.From)
	_, err = Load(Request{Paths: p, Env: environment(map[string]string{EnvBaseURL: "https://t.example", EnvKey: "k", EnvDialect: "none"})})
	require.ErrorIs(t, err, ErrNoDialect)
	assert.ErrorContains(t, err, "suno-kling")
	assert.ErrorContains(t, err, EnvDialect)
}

// TestNothingHasADialectByItself: what is shipped is off unless it is named.
func TestNothingHasADialectByItself(t *testing.T) {
	t.Parallel()
	c, err := loadText(t, testPaths(t), "profiles: {team: {base_url: https://t.example}}\nprofile: team\n", nil)
	require.NoError(t, err)
	assert.Equal(t, Dialect{}, c.Profile.Dialect)
}

// TestADialectThatIsWrongIsRefused, with the place where that can be told.
func TestADialectThatIsWrongIsRefused(t *testing.T) {
	t.Parallel()
	head := "profile: team\nprofiles:\n  team:\n    base_url: https://t.example\n"
	for name, x := range map[string]struct{ text, file, says string }{
		"an unknown key":         {head + "    dialect:\n      segmets: {famN: x}\n", "", "[6:"},
		"a segment":              {head + "    dialect:\n      segments: {famZ: x}\n", "", "[6:24]"},
		"another host":           {head + "    dialect:\n      paths:\n        music: {create: //e.org/x}\n", "", "names a host"},
		"a name that is a path":  {head + "    dialect: ../x\n", "", "letters, digits"},
		"no such dialect":        {head + "    dialect: nope\n", "", "there is no such dialect"},
		"a mistake in its file":  {head + "    dialect: ours\n", "version: 1\nsegments: {famZ: x}\n", "ours.yaml:2:12"},
		"a version in its file":  {head + "    dialect: ours\n", "version: 7\n", "version is 7"},
		"a file that is large":   {head + "    dialect: ours\n", "version: 1\n#" + strings.Repeat("x", 2<<20), "at most"},
		"a number for a dialect": {head + "    dialect: [1]\n", "", "dialect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := testPaths(t)
			if x.file != "" {
				write(t, filepath.Join(p.Dialects, "ours.yaml"), x.file)
			}
			_, err := loadText(t, p, x.text, nil)
			require.Error(t, err)
			assert.ErrorContains(t, err, x.says)
		})
	}
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	c, err := loadText(t, testPaths(t), head+"    dialect: {models: {famA9: x}}\n", nil)
	require.NoError(t, err, "models are looked at with the catalog")
	_, err = c.Profile.Dialect.Client(cat)
	assert.ErrorContains(t, err, "famA9")
}

func TestDialectFilesArePrivateAndNotOverwritten(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	path, err := p.WriteDialect("ours", []byte(songs), false)
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	_, err = p.WriteDialect("ours", []byte("version: 1\n"), false)
	require.ErrorIs(t, err, os.ErrExist)
	data, from, err := p.ReadDialect("ours")
	require.NoError(t, err)
	assert.Equal(t, songs, string(data))
	assert.Equal(t, path, from)
	_, err = p.WriteDialect("ours", []byte("version: 1\n"), true)
	require.NoError(t, err)
	_, err = p.WriteDialect("../ours", nil, false)
	require.Error(t, err)
	assert.Equal(t, []string{"dashscope-wan", "ours", "suno-kling"}, p.DialectNames())
	left, err := os.ReadDir(p.Dialects)
	require.NoError(t, err)
	assert.Len(t, left, 1, "no temporary file stays")

	_, err = p.WriteDialect("suno-kling", []byte(songs), false)
	require.NoError(t, err)
	data, _, err = p.ReadDialect("suno-kling")
	require.NoError(t, err)
	assert.Equal(t, songs, string(data), "a person's own comes first")
}

// TestAVersionAtTheEndOfAnAddressIsUnderstood: it is trimmed, and that is said.
func TestAVersionAtTheEndOfAnAddressIsUnderstood(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"https://g.example/v1": "https://g.example", "https://g.example/v1/": "https://g.example", " https://g.example/v1beta ": "https://g.example",
		"https://g.example/api/v3": "https://g.example", "https://g.example/api/v1/": "https://g.example", "https://g.example/base/v1": "https://g.example/base",
		"http://127.0.0.1:8080/v1": "http://127.0.0.1:8080",
	} {
		got, err := CheckBaseURL(given)
		require.NoError(t, err, given)
		assert.Equal(t, want, got, given)
		assert.Contains(t, TrimNote(given), want+" is used", given)
	}
	for _, given := range []string{"https://g.example", "https://g.example/v11", "https://g.example/xv1", "https://v1", "https://g.example/v1/x"} {
		got, err := CheckBaseURL(given)
		require.NoError(t, err, given)
		assert.Equal(t, given, got)
		assert.Empty(t, TrimNote(given), given)
	}
	p := testPaths(t)
	c, err := loadText(t, p, "profiles:\n  team:\n    base_url: https://t.example/v1 # ours\nprofile: team\n", nil)
	require.NoError(t, err)
	assert.Equal(t, "https://t.example", c.Profile.BaseURL)
	assert.Contains(t, c.Profile.Note, "/v1")
	_, err = SetProfile(p.Config, "team", "https://t.example/v1/")
	require.NoError(t, err)
	b, err := os.ReadFile(p.Config)
	require.NoError(t, err)
	assert.Contains(t, string(b), "base_url: https://t.example # ours")

	c, err = Load(Request{Paths: p, Env: environment(map[string]string{EnvBaseURL: "https://e.example/v1", EnvKey: "k"})})
	require.NoError(t, err)
	assert.Equal(t, "https://e.example", c.Profile.BaseURL)
	assert.Equal(t, "env:e.example", c.Profile.Name)
	assert.NotEmpty(t, c.Profile.Note)
}
