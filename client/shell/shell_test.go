package shell

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Command{
		"curl -d 'a b' \"c\\\"$d\\e\" $'\\n\\x41' f\\ g": {Words: []string{"curl", "-d", "a b", `c"$d\e`, "\nA", "f g"}},
		"curl \\\n -X POST # a remark":                   {Words: []string{"curl", "-X", "POST"}, More: true},
		"curl $(pass a b) ''; rm":                        {Words: []string{"curl", "$(pass a b)", ""}, More: true},
		"curl -d @- <<E\n{\\$}\nE\n":                     {Words: []string{"curl", "-d", "@-"}, Here: "{$}\n"},
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	got, err := Parse("curl 'a b")
	require.Error(t, err)
	assert.Equal(t, []string{"curl", "a b"}, got.Words)
	assert.Equal(t, []string{"-H", "a b"}, First("-H 'a b' 'c", 2))
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"/a\\ b.png '/c;d' \"/e$f\\g\"\r\n/#h|i": {"/a b.png", "/c;d", `/e$f\g`, "/#h|i"},
		"''":                                     {""}, "": nil, " \n": nil, "'a": nil, `"a\"`: nil, `a\`: nil,
	} {
		got, ok := Words(text)
		assert.Equal(t, want != nil, ok, text)
		if ok {
			assert.Equal(t, want, got, text)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("/a\\ b 'c'", "d")
	f.Fuzz(func(t *testing.T, a, b string) {
		_, _ = Parse(a)
		_, _ = Words(a)
		quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
		got, ok := Words(quote(a) + "\n" + quote(b))
		require.True(t, ok)
		require.Equal(t, []string{a, b}, got)
	})
}
