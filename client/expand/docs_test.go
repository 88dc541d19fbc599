package expand

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
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

// A form shows how many jobs there will be and the first of them, at every key, and makes
// them when it is told to.
func ExampleNew() {
	plan, err := New(Options{
		Rows: []Row{{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: "a {red|blue} kite over ${place:the sea}"}}},
		Mode: Every, Count: 2,
		Seeds: SeedCount, Seed: 7, Seeded: func(client.Draft) bool { return true },
	})
	if err != nil {
		fmt.Println(err) // prompt:1:3: …
		return
	}
	fmt.Println(Number(plan.Count()), "jobs")
	first, _ := plan.First(1)
	fmt.Println(first[0].Draft.Prompt)
	all, err := plan.Items() // a *TooManyError above the cap
	fmt.Println(len(all), err)
	// Output:
	// 4 jobs
	// a red kite over the sea
	// 4 <nil>
}
