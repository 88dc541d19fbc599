package cli

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

// endless is an input that never ends; taken counts what was read of it.
type endless struct{ taken int }

// Read copies: the race detector looks at each byte that a loop writes.
func (e *endless) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		n += copy(p[n:], letters)
	}
	e.taken += len(p)
	return len(p), nil
}

var letters = strings.Repeat("a", 64<<10)

// TestWhatComesInIsBounded: a key was read to its end before. It runs alone: for 64 MiB the race
// detector takes a GiB of its own, and each goroutine of the process may stand still for seconds
// meanwhile.
func TestWhatComesInIsBounded(t *testing.T) {
	for _, c := range []struct {
		says, before string
		most         int // bytes that are read of the input
		args         []string
	}{
		{"more than 1048576 bytes", "", 2 << 20, []string{"create", "video", "-"}},
		{"more than 16 MiB", "prompt\n", 17 << 20, []string{"create", "video", "--batch", "-"}},
		{"more than 64 MiB", "{", 65 << 20, []string{"create", "video", "--from", "-"}},
		{"more than 64 MiB", "{", 65 << 20, []string{"create", "video", "--body", "-"}},
		{"the key has more than 64 KiB", "", 1 << 20, []string{"auth", "login", "--base-url", "http://127.0.0.1:1"}},
	} {
		w := newWorld(t)
		var out, errOut strings.Builder
		in := &endless{}
		s := w.stdio(&out, &errOut)
		s.In = io.MultiReader(strings.NewReader(c.before), in)
		require.Equal(t, kit.ExitUsage, run(t.Context(), s, c.args), "%v: %s", c.args, errOut.String())
		require.Contains(t, errOut.String(), c.says, "%v", c.args)
		require.LessOrEqual(t, in.taken, c.most, "%v", c.args)
	}
}

// TestAPromptIsBoundedWhereverItComesFrom: standard input alone was bounded before.
func TestAPromptIsBoundedWhereverItComesFrom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("a", client.MaxPrompt+1)
	says := []string{"the prompt has 1048577 bytes; up to 1048576 are taken"}
	request := w.file("from.json", `{"model":"famA3","prompt":"`+long+`"}`)
	for _, args := range [][]string{
		{"--prompt", long}, {long}, {"--from", request}, {"--body", request},
		{"--batch", w.file("b.csv", "prompt\n"+long+"\n")}, {"--batch", w.file("b.txt", long+"\n")},
	} {
		w.fails(kit.ExitUsage, says, append([]string{"create", "video", "--model", "famA3"}, args...)...)
		require.NoFileExists(t, w.paths().History)
	}
}
