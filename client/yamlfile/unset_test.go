package yamlfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnset(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, keys, after string }{
		"nothing there":           {"# mine\nmouse: true\n", "theme", "# mine\nmouse: true\n"},
		"no such mapping":         {"profiles: {}\n", "profiles work rate", "profiles: {}\n"},
		"one of two":              {"# all\ntheme: dark # why\n# next\nmouse: true\n", "theme", "# all\n# next\nmouse: true\n"},
		"the last one":            {"# all\ntheme: dark\n", "theme", "# all\n"},
		"the only line":           {"theme: dark\n", "theme", ""},
		"a list below":            {"player: # mine\n- mpv\n- --fs\n\nmouse: true\n", "player", "\nmouse: true\n"},
		"within":                  {"profiles:\n  work:\n    rate: 2 # slow\n    # here\n    base_url: x\n", "profiles work rate", "profiles:\n  work:\n    # here\n    base_url: x\n"},
		"and what it leaves bare": {"mouse: true\nkeys:\n  queue.download: [d]\n# end\n", "keys queue.download", "mouse: true\n# end\n"},
		"the first in braces":     {"a: {b: 1, c: 2} # x\n", "a b", "a: {c: 2} # x\n"},
		"the last in braces":      {"a: {b: 1, c: [2, 3]} # x\n", "a c", "a: {b: 1} # x\n"},
		"the only one in braces":  {"a: {b: {c: 1}}\nd: 2\n", "a b c", "d: 2\n"},
		"deep in braces":          {"a: {b: {c: 1, d: 2}, e: 3}\n", "a b d", "a: {b: {c: 1}, e: 3}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := limits().Unset([]byte(c.before), strings.Split(c.keys, " "))
			require.NoError(t, err)
			require.Equal(t, c.after, string(got))
		})
	}
}

func TestUnsetRefuses(t *testing.T) {
	t.Parallel()
	for text, keys := range map[string]string{
		"a: &x [b]\nc: *x\n":        "a",   // an alias needs it
		"a: {b: 1,\n  c: 2}\n":      "a b", // over several lines
		"{a: 1} # the whole file\n": "a",   // nothing would be left
	} {
		_, err := limits().Unset([]byte(text), strings.Split(keys, " "))
		require.ErrorIs(t, err, ErrInPlace, text)
	}
}

func FuzzUnset(f *testing.F) {
	for _, s := range []string{"", "a: {b: 1}\n", "a:\n  b: [x]\nc: 1\n", "a: {b: 1, c: '}'}\n", "a: |\n  b\n", "{a: {b: 1}, c: 2}", "? a\n: b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := limits().Unset([]byte(text), []string{"a", "b"})
		if err != nil {
			return
		}
		root, err := limits().Parse(got)
		require.NoError(t, err)
		v, err := Value(root)
		require.NoError(t, err)
		m, _ := v.(map[string]any)
		below, _ := m["a"].(map[string]any)
		require.NotContains(t, below, "b")
	})
}
