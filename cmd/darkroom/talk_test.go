package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConversationInATerminal talks to the embedded gateway: answers come as they are made,
// the first ctrl+c stops one, the second leaves, and the messages are kept.
func TestConversationInATerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	file := filepath.Join(h.dir, "talk.json")
	x := h.open(t, 100, 30, "chat", "--model", "any-model", "--conversation", file)
	x.shows("any-model at http://127.0.0.1:", "\n>")
	waits := func() {
		x.until("the prompt", func(s string) bool { return strings.HasSuffix(strings.TrimSpace(s), "\n>") })
	}
	waits()
	x.keys("good morning" + enter)
	x.shows("You wrote: good morning")
	waits()
	x.keys("[[sandbox:slow by=60]] take your time" + enter)
	x.shows("This ") // the first word, and the next only after a while
	x.until("the first word of the second answer", func(s string) bool { return strings.Count(s, "This ") >= 2 })
	x.keys("\x03")
	x.shows("stopped; the part that came is kept")
	waits()
	x.keys("again" + enter)
	x.shows("You wrote: again")
	waits()
	x.keys("\x03")
	x.shows("ctrl+c again leaves")
	x.keys("\x03")
	require.Equal(t, 130, x.exit())
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var all []map[string]string
	require.NoError(t, json.Unmarshal(b, &all))
	require.Len(t, all, 6)
	require.True(t, strings.HasPrefix(all[3]["content"], "This "), "%v", all[3])
	require.NotContains(t, all[3]["content"], "take your time")
	require.Equal(t, "again", all[4]["content"])
}

// TestBrokenOverlayInTheConsole: it is told with its place, before the terminal is touched.
func TestBrokenOverlayInTheConsole(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	dir := filepath.Join(h.dir, ".config", "darkroom")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "catalog.yaml"), []byte("version: 1\nfamlies: []\n"), 0o600))
	x := h.open(t, 120, 30)
	require.Equal(t, 2, x.exit())
	x.shows("catalog.yaml:2:1:", `"famlies"`)
	_, errOut, code := h.run(t, "", "models", "list")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "catalog.yaml:2:1:")
}
