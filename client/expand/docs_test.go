package expand

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGuide runs the examples of docs/TEMPLATES.md.
func TestGuide(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../docs/TEMPLATES.md")
	require.NoError(t, err)
	fsys := files()
	examples, presets := 0, 0
	parts := strings.Split(string(b), "```")
	for pass := range 2 { // the wildcard files first
		for i := 1; i < len(parts); i += 2 {
			info, text, _ := strings.Cut(parts[i], "\n")
			name, isFile := strings.CutPrefix(info, "wildcard ")
			switch {
			case pass == 0 && isFile:
				fsys[name] = files(name, text)[name]
			case pass == 1 && info == "expand":
				lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
				for i := range lines[1:] {
					lines[1+i] = strings.TrimPrefix(lines[1+i], "-> ")
				}
				require.Equal(t, lines[1:], all(t, expand(t, lines[0], nil, fsys)), lines[0])
				examples++
			case pass == 1 && info == "yaml":
				p, err := ParsePreset("guide", text, embedded(t))
				require.NoError(t, err)
				require.Equal(t, []string{"a red kite over a lake", "a red kite over a river"},
					all(t, expand(t, strings.Replace(p.Draft.Prompt, "{red|blue}", "red", 1), p.Variables, nil)))
				presets++
			}
		}
	}
	require.GreaterOrEqual(t, examples, 9)
	require.Equal(t, 1, presets)
}
