package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// TestExportToATerminalIsCleaned: U+009B begins a control sequence, and JSON does not escape it.
func TestExportToATerminalIsCleaned(t *testing.T) {
	t.Parallel()
	const hostile = "a kite\u009b31m\u202e red\x7f"
	w := newWorld(t)
	w.ok("create", "image", "a kite")
	var first bytes.Buffer
	require.Zero(t, run(t.Context(), w.stdio(&first, &first), []string{"history", "export", w.dir + "/a.ndjson"}), first.String())
	b, err := os.ReadFile(w.dir + "/a.ndjson")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(w.dir+"/b.ndjson", bytes.ReplaceAll(b, []byte("a kite"), []byte(hostile)), 0o600))
	o := newWorld(t)
	o.ok("history", "import", w.dir+"/b.ndjson")

	piped := o.ok("history", "export").out
	require.Contains(t, piped, "\u009b", "a pipe gets what is kept")
	var shown, said bytes.Buffer
	s := o.stdio(&shown, &said)
	s.Tty = os.Stdout // only that it is set counts
	require.Zero(t, run(t.Context(), s, []string{"history", "export"}), said.String())
	require.Equal(t, client.Clean(shown.String()), shown.String())
	require.Contains(t, shown.String(), `\u009b`)
	lines := strings.Split(strings.TrimSpace(shown.String()), "\n")
	want := strings.Split(strings.TrimSpace(piped), "\n")
	require.Len(t, lines, len(want))
	for i, line := range lines[1:] {
		require.True(t, json.Valid([]byte(line)))
		require.JSONEq(t, want[i+1], line, "it means the same")
	}
}
