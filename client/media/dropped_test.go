package media

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDropped(t *testing.T) {
	for text, want := range map[string][][]string{
		"/a b.png":                     {{"/a b.png"}, nil},
		`/a\ b.png`:                    {{`/a\ b.png`}, {"/a b.png"}},
		`'/a b.png' "/c d.png" /e\'f`:  {{"/a b.png", "/c d.png", "/e'f"}},
		"'/a'\\''s.png'":               {{"/a's.png"}},
		"file:///a%20b.png\nfile:///c": {{"/a b.png", "/c"}, {"/a b.png", "/c"}},
		"file://localhost/a":           {{"/a"}, {"/a"}},
		"# a list\r\nfile:///a\r\n":    nil,
		"~/a.png":                      {{"~/a.png"}, {"~/a.png"}},
		"a.png":                        nil,
		"look at /a.png":               nil,
		"/a.png is nice":               {{"/a.png is nice"}},
		"'/a.png":                      nil,
		"https://x.invalid/a.png":      nil,
		"":                             nil,
	} {
		got := Dropped(text)
		var list [][]string
		for _, x := range want {
			if x != nil {
				list = append(list, x)
			}
		}
		assert.Equal(t, list, got, "%q", text)
	}
}

func TestFilesThatAreAllMedia(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	picture, words := filepath.Join(dir, "a.png"), filepath.Join(dir, "words.txt")
	require.NoError(t, os.WriteFile(picture, []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00"), 0o600))
	require.NoError(t, os.WriteFile(words, []byte("x"), 0o600))
	got, err := LookAll([]string{picture, "~/a.png"})
	require.NoError(t, err)
	assert.Equal(t, []File{{picture, "image"}, {picture, "image"}}, got)
	for _, bad := range []string{words, dir, filepath.Join(dir, "none.png")} {
		_, err := LookAll([]string{picture, bad})
		assert.Error(t, err, bad)
	}
}

func TestHowAReferenceBegins(t *testing.T) {
	for _, s := range []string{"/a", "~/a", "./a", "'../a'", "file:///a", "https://e/", "data:,"} {
		assert.True(t, Begins(s), s)
	}
	for _, s := range []string{"a.png", "", "a:b.png", "words /a"} {
		assert.False(t, Begins(s), s)
	}
}
