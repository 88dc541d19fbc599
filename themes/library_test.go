package themes_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
)

// good is a palette of a person's own in which nothing is wrong.
func good(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("palettes/dusk.yaml")
	require.NoError(t, err)
	return strings.Replace(string(b), "name: dusk", "name: "+name, 1)
}

func TestLintSaysWhere(t *testing.T) {
	t.Parallel()
	own := good(t, "own")
	for name, c := range map[string]struct {
		file         string
		line, column int
		message      string
	}{
		"unknown key":      {strings.Replace(own, "dark: true", "drak: true", 1), 4, 1, `unknown field "drak"; there are name, title, dark, fill, contrast, palette`},
		"unknown colour":   {strings.Replace(own, "  muted:", "  mutd:", 1), 12, 3, `unknown field "palette.mutd"; there are background, surface,`},
		"no colour":        {strings.Replace(own, `warn: "#f0c987"`, "warn: orange", 1), 16, 9, `palette.warn: is "orange", must be a colour as "#rrggbb"`},
		"a number":         {strings.Replace(own, `warn: "#f0c987"`, "warn: 12", 1), 16, 9, `palette.warn: is 12, must be a colour`},
		"without quotes":   {strings.Replace(own, `warn: "#f0c987"`, "warn: #f0c987", 1), 16, 3, `palette.warn: is missing`},
		"no truth":         {strings.Replace(own, "fill: true", "fill: perhaps", 1), 5, 7, "fill: must be true or false"},
		"not its name":     {strings.Replace(own, "name: own", "name: other", 1), 2, 7, `name: is "other", must be "own"`},
		"a promise of 99":  {strings.Replace(own, "contrast: 4.5", "contrast: 99", 1), 6, 11, "contrast: is 99, must be from 1 to 21"},
		"a palette of one": {"name: own\npalette: red\n", 2, 10, "palette.keys and values are needed"},
		"too little":       {strings.Replace(own, `text: "#dfe2f3"`, `text: "#555a66"`, 1), 11, 9, "text on background: contrast 2.4, should be 4.5"},
		"no palette":       {"name: own\npalete: {}\n", 2, 1, `unknown field "palete"`},
		"no YAML":          {"name: [\n", 1, 7, ""},
	} {
		all := themes.Lint("own", []byte(c.file))
		require.NotEmpty(t, all, name)
		assert.Equal(t, [2]int{c.line, c.column}, [2]int{all[0].Line, all[0].Column}, "%s: %s", name, all[0].Message)
		assert.Contains(t, all[0].Message, c.message, name)
		assert.Equal(t, name == "too little", all[0].Contrast, name)
		_, err := themes.Load("own", []byte(c.file))
		assert.Equal(t, name == "too little", err == nil, "%s: low contrast alone refuses no theme", name)
	}
	assert.Empty(t, themes.Lint("own", []byte(own)))
	assert.Len(t, themes.Lint("own", []byte("name: own\npalete: {}\n")), 2, "each colour that is missing is not told then")
	_, err := themes.Load("own", []byte("name: other\npalete: {}\n"))
	require.ErrorContains(t, err, "theme \"own\": [2:1] unknown field")
	require.ErrorContains(t, err, "and 2 more, see `darkroom themes lint own`")
}

func TestLibrary(t *testing.T) {
	t.Parallel()
	none, err := themes.Open(filepath.Join(t.TempDir(), "nowhere"))
	require.NoError(t, err)
	require.Equal(t, themes.Names(), none.Names())

	dir := t.TempDir()
	for name, text := range map[string]string{
		"mine.yaml": good(t, "mine"), "dark.yaml": strings.Replace(good(t, "dark"), "title: Dusk", "title: My dark", 1), "broken.yaml": "name: [",
		"notes.txt": "x", "Not A Name.yaml": "x", "large.yaml": strings.Repeat("#", 70<<10),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600))
	l, err := themes.Open(dir)
	require.NoError(t, err)
	require.Equal(t, append(themes.Names(), "broken", "large", "mine"), l.Names())
	require.Equal(t, []string{"broken", "dark", "large", "mine"}, l.Own())
	mine, err := l.Get("mine")
	require.NoError(t, err)
	require.Equal(t, "#171a2b", mine.Palette.Background)
	dark, err := l.Get("dark")
	require.NoError(t, err)
	require.Equal(t, "My dark", dark.Title, "a person's own takes the place of a built-in one")
	require.Equal(t, filepath.Join(dir, "mine.yaml"), l.File("mine"))
	require.Empty(t, l.File("light"))
	_, err = l.Get("broken")
	require.ErrorContains(t, err, `theme "broken": [1:7]`)
	_, err = l.Get("large")
	require.ErrorContains(t, err, "at most 65536 bytes are read")
	_, err = l.Get("nope")
	require.ErrorContains(t, err, "there are dark, light, high-contrast, safelight, dusk, paper, broken, large, mine")
	found, err := l.Lint("mine")
	require.NoError(t, err)
	require.Empty(t, found)
}
