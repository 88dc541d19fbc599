package yamlfile

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before string
		keys   string
		value  any
		after  string
	}{
		"nothing yet":                {"", "theme", "dark", "theme: dark\n"},
		"only comments":              {"# mine\n", "mouse", false, "# mine\nmouse: false\n"},
		"a value with its comment":   {"# all\ntheme: dark   # I like it\n\nmouse: true\n", "theme", "light", "# all\ntheme: light   # I like it\n\nmouse: true\n"},
		"one in quotes":              {"theme: \"a # b\" # why\n", "theme", "it's: odd", "theme: \"it's: odd\" # why\n"},
		"a key in quotes":            {"\"the:me\": 'it''s' # why\n", "the:me", "x", "\"the:me\": x # why\n"},
		"one that was left empty":    {"theme: # to do\nmouse: true\n", "theme", "dark", "theme: dark # to do\nmouse: true\n"},
		"added at the end":           {"theme: dark", "rate", json.Number("0.5"), "theme: dark\nrate: 0.5\n"},
		"a list in brackets":         {"player: [mpv, '--x=]'] # mine\nmouse: true\n", "player", []string{"vlc", "-f"}, "player: [vlc, \"-f\"] # mine\nmouse: true\n"},
		"a list below":               {"player: # mine\n- mpv\n- --fs # whole\n\n# the mouse\nmouse: true\n", "player", []string{"vlc"}, "player: [vlc] # mine\n\n# the mouse\nmouse: true\n"},
		"text in many lines":         {"banner: |\n  one\n\n  two\n# next\nmouse: true\n", "banner", "PROD", "banner: PROD\n# next\nmouse: true\n"},
		"within":                     {"profiles:\n  # the real one\n  work:\n    base_url: https://w.example # here\n    rate: 2\n  home: {rate: 1}\n", "profiles work rate", json.Number("3"), "profiles:\n  # the real one\n  work:\n    base_url: https://w.example # here\n    rate: 3\n  home: {rate: 1}\n"},
		"added within":               {"profiles:\n  work:\n    rate: 2 # slow\n\n  # another\n  home: {rate: 1}\nmouse: true\n", "profiles work banner", "PROD", "profiles:\n  work:\n    rate: 2 # slow\n    banner: PROD\n\n  # another\n  home: {rate: 1}\nmouse: true\n"},
		"in braces":                  {"profiles: {work: {rate: 2}, home: {}} # all\n", "profiles work rate", json.Number("4"), "profiles: {work: {rate: 4}, home: {}} # all\n"},
		"added in braces":            {"profiles: {work: {rate: 2}} # all\n", "profiles work banner", "a, b", "profiles: {work: {banner: \"a, b\", rate: 2}} # all\n"},
		"added in empty braces":      {"keys: {}\n", "keys queue.download", []string{"d", "ctrl+d"}, "keys: {queue.download: [d, ctrl+d]}\n"},
		"below a key without values": {"keys:\nmouse: true\n", "keys queue.download", []string{"d"}, "keys:\n  queue.download: [d]\nmouse: true\n"},
		"new ones below each other":  {"mouse: true\n", "profiles work rate", json.Number("1"), "mouse: true\nprofiles:\n  work:\n    rate: 1\n"},
		"words that are none":        {"", "theme", "no", "theme: \"no\"\n"},
		"numbers that are texts":     {"", "theme", "12", "theme: \"12\"\n"},
		"other letters":              {"größe: '漢字' # 字\nx: 1\n", "größe", "Ω", "größe: \"Ω\" # 字\nx: 1\n"},
		"ends of lines of Windows":   {"theme: dark\r\nmouse: true\r\n", "theme", "light", "theme: light\r\nmouse: true\r\n"},
		"a file in braces":           {"{theme: dark}\n", "mouse", true, "{mouse: true, theme: dark}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := limits().Set([]byte(c.before), strings.Split(c.keys, " "), c.value)
			require.NoError(t, err)
			require.Equal(t, c.after, string(got))
			again, err := limits().Set(got, strings.Split(c.keys, " "), c.value)
			require.NoError(t, err)
			require.Equal(t, c.after, string(again))
		})
	}
}

func TestSetRefuses(t *testing.T) {
	t.Parallel()
	for text, keys := range map[string]string{
		"a: &x [b]\nc: *x\n":    "c",          // an alias
		"theme: dark\n":         "theme more", // no mapping
		"theme: \"da\n  rk\"\n": "theme",      // in two lines
		"a: 1\n...\n":           "b",          // after its end
	} {
		_, err := limits().Set([]byte(text), strings.Split(keys, " "), "x")
		require.ErrorIs(t, err, ErrInPlace, text)
	}
	_, err := limits().Set([]byte("a: [\n"), []string{"a"}, "x")
	require.ErrorContains(t, err, "1:4")
}

func FuzzSet(f *testing.F) {
	for _, s := range []string{"", "a: {b: 1}\n", "a:\n  b: [x]\n", "a:\n- b\n# c\n", "a: |\n  b\n", "{a: {}}", "a: \"b\\\"", "é: 'x''y' # c", "? a\n: b"} {
		f.Add(s, "x # y")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		got, err := limits().Set([]byte(text), []string{"a", "b"}, value)
		if err != nil {
			return
		}
		root, err := limits().Parse(got)
		require.NoError(t, err)
		v, err := Value(root)
		require.NoError(t, err)
		require.Equal(t, value, v.(map[string]any)["a"].(map[string]any)["b"])
	})
}
