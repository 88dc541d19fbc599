package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cleanedBy cleans a text cut at every n-th byte.
func cleanedBy(s string, n int) string {
	var c Cleaner
	var out strings.Builder
	for len(s) > 0 {
		k := min(n, len(s))
		out.WriteString(c.Write(s[:k]))
		s = s[k:]
	}
	out.WriteString(c.End())
	return out.String()
}

func TestCleanerIsCleanHoweverTheTextIsCut(t *testing.T) {
	for _, s := range []string{
		"", "plain", "a\r\nb\rc\r", "\x1b[31mred\x1b]0;t\x07", "\u009b31m", "\xc2\x9b", "a\u202eb\u2066c",
		"\U0001f468\u200d\U0001f469\u200d\U0001f466", "a\u200db", "\u200d", "\U0001f468\u200d", "1\ufe0f\u20e3", "1\ufe0fx", "#\ufe0f",
		"\u2764\ufe0f\u200d\U0001f525", "\xff\xfe", "\xf0\x9f", "\xf0\x9f\x1b", "\xe2\x80\xae", "雨と凧", "\U000e0041", "tab\tend\n",
	} {
		for n := 1; n <= 5; n++ {
			require.Equal(t, Clean(s), cleanedBy(s, n), "%q in pieces of %d", s, n)
		}
	}
}

func TestCleanerHoldsBackLittle(t *testing.T) {
	var c Cleaner
	require.Equal(t, "Hel", c.Write("Hel"), "plain text is shown at once")
	require.Equal(t, "lo 1", c.Write("lo 1"))
	require.Empty(t, c.Write("\xf0\x9f"), "half a character is not")
	require.Equal(t, "\U0001f525", c.Write("\x94\xa5"))
	require.Empty(t, c.Write("\r"))
	require.Equal(t, "\n", c.Write("\n"))
	require.Empty(t, c.Write("\xc2"))
	require.Equal(t, "<xC2>", c.End())
	require.Empty(t, c.End())
}

func FuzzCleaner(f *testing.F) {
	f.Add("a\r\n\U0001f468\u200d\U0001f469 1\ufe0f\u20e3\x1b[31m", uint8(3))
	f.Add("\xe2\x80\xae\xff", uint8(1))
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		got := cleanedBy(s, int(n)+1)
		assert.Equal(t, Clean(s), got)
		var c Cleaner
		for s != "" {
			_, k := utf8.DecodeRuneInString(s)
			c.Write(s[:k])
			assert.LessOrEqual(t, len(c.held), 8)
			s = s[k:]
		}
	})
}
