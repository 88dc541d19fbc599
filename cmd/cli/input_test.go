package cli

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// TestOneRuleForFilesThatAreNamed: whatever command takes a file, one that is not there is
// not found, and a folder or a file with something else in it was named wrongly.
func TestOneRuleForFilesThatAreNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder, other := filepath.Dir(w.file("folder/in.txt", "x")), w.file("other", "\xff\x00: [")
	for name, c := range map[string]struct {
		args []string // the file follows
		any  bool     // takes a file whatever is in it
	}{
		"body":         {args: []string{"create", "video", "x", "--dry-run", "--body"}},
		"from":         {args: []string{"create", "video", "x", "--dry-run", "--from"}},
		"batch":        {args: []string{"create", "video", "x", "--dry-run", "--batch"}},
		"reference":    {args: []string{"create", "video", "x", "--dry-run", "--model", "famI-omni", "--image"}, any: true},
		"content":      {args: []string{"create", "video", "x", "--dry-run", "--model", "famG-h3", "--content", "first_frame="}, any: true},
		"preset":       {args: []string{"presets", "save", "a", "--from"}},
		"chat":         {args: []string{"chat", "--model", "m", "--file"}},
		"improve":      {args: []string{"improve", "--model", "m", "--file"}},
		"conversation": {args: []string{"chat", "--model", "m", "hi", "--conversation"}},
		"lint":         {args: []string{"models", "lint"}},
		"request":      {args: []string{"request", "POST", "/v1/videos", "@"}},
		"import":       {args: []string{"history", "import"}},
		"restore":      {args: []string{"history", "restore"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &world{t: t, dir: w.dir, env: w.env, ring: w.ring}
			with := func(file string) []string {
				args := append([]string{}, c.args...)
				if last := len(args) - 1; args[last] == "@" || args[last] == "first_frame=" {
					args[last] += file
					return args
				}
				return append(args, file)
			}
			if name != "conversation" { // which is made
				missing := filepath.Join(w.dir, "no_such_file")
				r := w.fails(kit.ExitNotFound, []string{"no_such_file", "no such file"}, with(missing)...)
				require.Empty(t, r.out)
			}
			w.fails(kit.ExitUsage, nil, with(folder)...)
			if !c.any {
				w.fails(kit.ExitUsage, nil, with(other)...)
			}
		})
	}
}

// TestAMissingFileAmongOtherMistakes is one of several things to mend in a draft.
func TestAMissingFileAmongOtherMistakes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fails(kit.ExitNotFound, []string{`--image: "no.png" is neither an address`, "--end-image-url"}, "create", "video", "x", "--image", "no.png", "--end-image-url", "no_2.png")
	w.fails(kit.ExitUsage, []string{"--image", "--fps"}, "create", "video", "x", "--image", "no.png", "--fps", "a")
}

func TestAHostThatIsNoneIsAWrongWord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, verb := range []string{"pause", "resume"} {
		for _, bad := range []string{"http://x.example/a", "a b", "x/y"} {
			w.fails(kit.ExitUsage, []string{"--host", "cdn.example.com"}, "jobs", verb, "--host", bad)
		}
	}
	require.NoFileExists(t, w.paths().History)
	w.fails(kit.ExitNotFound, []string{`host "x.example" is not paused`}, "jobs", "resume", "--host", "x.example")
}
