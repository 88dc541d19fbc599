package expand

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "a kite": "a kite", `{"a": 1}`: `{"a": 1}`, `C:\kites`: `C:\kites`, "a_b": "a_b",
		"{a|b}": `\{a\|b\}`, "__w__": `\__w\__`, "${v}": `\${v\}`, `\{a|b}`: `\\\{a\|b\}`, "{2$$a|b}": `\{2\$$a\|b\}`,
	} {
		require.Equal(t, want, Escape(text))
		require.Equal(t, text == want, stays(text))
	}
}

// FuzzEscape: an escaped text is a template that makes the text.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"{a|b}", `\\{a|\}`, "___w___", `$${a}\`, "{|", "\\__\\${x:y}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 || !utf8.ValidString(text) {
			return
		}
		tpl, err := Parse(Escape(text))
		require.NoError(t, err)
		require.True(t, tpl.Plain())
		x, err := tpl.Bind(nil, nil)
		require.NoError(t, err)
		got, err := x.First(1)
		require.NoError(t, err)
		require.Equal(t, []string{text}, got)
	})
}
