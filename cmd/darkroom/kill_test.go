package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestKilledConsoleGoesOnAndSendsNothingTwice kills the console while its jobs run, however
// long it takes to get there, and then lets hours pass for them.
func TestKilledConsoleGoesOnAndSendsNothingTwice(t *testing.T) {
	t.Parallel()
	const prompt = "one of four [[sandbox:slow by=1000]]" // more than an hour
	h := newHome(t)
	x := h.open(t, 120, 34)
	x.shows("Prompt")
	x.keys(prompt)
	x.shows(`"prompt": "one of four`)
	x.keys(altS)
	x.shows("Submit 4 jobs")
	x.keys(ctrlS)
	x.keys(alt + "2")
	x.shows("4 · one of four")
	x.keys("\r") // unfolds them
	x.until("four accepted jobs", func(s string) bool {
		return rows(s, "· seed", "▶")+rows(s, "· seed", "queued") == 4
	})
	require.NoError(t, x.cmd.Process.Signal(syscall.SIGKILL))
	<-x.over
	h.age(t, 3*time.Hour)

	y := h.open(t, 120, 34)
	y.shows("one of four") // what was typed is still there
	y.keys(alt + "2")
	y.until("four completed jobs", func(s string) bool { return rows(s, "✓", "4 · one of four") == 1 })
	y.keys("q")
	require.Equal(t, 0, y.exit())

	ids := map[string]bool{}
	log := creates(t, h.find(t, ".local/state", "creates.log"))
	for _, c := range log {
		ids[c.ExternalID] = true
	}
	require.Len(t, log, 4, "creates that the gateway counted")
	require.Len(t, ids, 4, "each of another job")
}

// rows counts the rows of the list of jobs that hold all texts. The pane beside it names
// the state of one of them again.
func rows(screen string, texts ...string) int {
	n := 0
	for line := range strings.Lines(screen) {
		row, _, _ := strings.Cut(line, "││")
		if !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(row, s) }) {
			n++
		}
	}
	return n
}

// age makes every task of the home's embedded gateway older: its state is a function of its
// record and the clock.
func (h *home) age(t *testing.T, by time.Duration) {
	t.Helper()
	const member = "created_ms"
	aged := 0
	for name := range h.files(t) {
		if !strings.Contains(name, "/tasks/") {
			continue
		}
		path := filepath.Join(h.dir, name)
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		var record map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(b, &record))
		at, err := strconv.ParseInt(string(record[member]), 10, 64)
		require.NoError(t, err, name)
		record[member] = json.RawMessage(strconv.FormatInt(at-by.Milliseconds(), 10))
		b, err = json.Marshal(record)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, b, 0o600))
		aged++
	}
	require.NotZero(t, aged)
}

// counted is a create in the embedded gateway's log.
type counted struct {
	ID         string `json:"id"`
	ExternalID string `json:"external_task_id"`
}

// creates are those that a gateway has counted.
func creates(t *testing.T, log string) (all []counted) {
	t.Helper()
	b, err := os.ReadFile(log)
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		var c counted
		require.NoError(t, json.Unmarshal([]byte(line), &c), line)
		all = append(all, c)
	}
	return all
}
