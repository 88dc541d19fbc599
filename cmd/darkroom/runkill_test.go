package main_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

const killedSuite = `name: killed
kind: video
prompts: [a kite, a tram]
models: [famA3, famA3-fast, famA3-pro]
repeats: 4
warmups: 1
concurrency: 3
`

// runKills is how many times TestKilledRunIsResumed kills.
const runKills = 8

// TestKilledRunIsResumed kills `compare run`, and each `compare resume` after it, with SIGKILL at any
// moment, until the run is left alone. A gateway in a process of its own counts the creates: each slot was
// sent once.
func TestKilledRunIsResumed(t *testing.T) {
	t.Parallel()
	k := newKilling(t)
	file := filepath.Join(k.h.dir, "killed.yaml")
	require.NoError(t, os.WriteFile(file, []byte(killedSuite), 0o600))
	args := []string{"compare", "run", file, "--yes"}
	killed := 0
	for round := 0; ; round++ {
		v := newVictim()
		had := k.count()
		v.run(t, k.h, args...)
		if killed < runKills {
			k.somewhere(v, had, round)
		}
		select {
		case <-v.dead:
		case <-time.After(4 * patience):
			t.Fatalf("round %d does not end\n%s", round, v.out.String())
		}
		if !v.killed() {
			if !strings.Contains(v.out.String(), "nothing is left to be sent") { // killed after the end
				require.Contains(t, []int{0, 5}, v.cmd.ProcessState.ExitCode(), v.out.String()) // 5: an ambiguous trial
			}
			break
		}
		killed++
		if out, _, _ := k.h.run(t, "", "compare", "list", "-o", "ndjson"); out != "" {
			args = []string{"compare", "resume", "last"}
		}
	}
	require.Positive(t, killed)

	out, errOut, _ := k.h.run(t, "", "compare", "list", "-o", "json")
	var runs []struct {
		ID, Status string
		Tally      struct{ Planned, Sent, Open int }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &runs), errOut)
	require.Len(t, runs, 1)
	assert.Equal(t, "ended", runs[0].Status)
	assert.Equal(t, struct{ Planned, Sent, Open int }{24, 24, 0}, runs[0].Tally)

	page, err := k.history.List(t.Context(), jobs.Query{Run: runs[0].ID, Limit: 1000})
	require.NoError(t, err)
	slots, byJob, ambiguous := map[string]int{}, map[string]bool{}, 0
	for _, j := range page.Jobs {
		slots[j.Cell]++
		byJob[j.ID] = true
		if j.State == jobs.Ambiguous || j.State == jobs.Submitting { // whose sender is dead, which readers are told
			ambiguous++
		} else {
			assert.Equal(t, jobs.Completed, j.State)
		}
	}
	assert.Len(t, slots, 24+6, "with the warm-ups")
	for slot, n := range slots {
		assert.Equal(t, 1, n, slot)
	}
	log := creates(t, k.log)
	for _, c := range log {
		assert.True(t, byJob[c.ExternalID], "%s was sent, and is in no trial", c.ExternalID)
		delete(byJob, c.ExternalID)
	}
	assert.LessOrEqual(t, len(byJob), ambiguous, "the others were never sent, which nobody could know")
	t.Logf("%d kills, %d creates, %d ambiguous", killed, len(log), ambiguous)
}

// count is how many creates the gateway has counted.
func (k *killing) count() int {
	if _, err := os.Stat(k.log); err != nil {
		return 0
	}
	return len(creates(k.t, k.log))
}

// somewhere kills a victim in its first moments, or soon after it has sent something.
func (k *killing) somewhere(v *victim, had, round int) {
	soon := time.Duration(rand.Int64N(int64(150 * time.Millisecond))) //nolint:gosec // any moment will do
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for more := round % 4; more > 0 && k.count() < had+more; {
		select {
		case <-v.dead:
			return
		case <-look.C:
		}
	}
	select {
	case <-v.dead:
	case <-time.After(soon):
		v.kill()
	}
}
