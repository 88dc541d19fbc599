package queue

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
	"darkroom/tui/screen"
)

// TestTimesAreSwitched by one key: in this machine's zone, in UTC, as ages; those grow.
func TestTimesAreSwitched(t *testing.T) {
	now := start.In(time.FixedZone("", 3600))
	f := newFake(job(1, jobs.Failed))
	d := deps(t, f)
	d.Now = func() time.Time { return now }
	b := openDeps(t, d, f, 120, 34)
	assert.Contains(t, b.View(), "Created     2026-03-01 12:00:01 +0100")
	b.Key("T")
	assert.Contains(t, b.View(), "Created     2026-03-01 11:00:01Z")
	still := b.m.NextTick()
	b.Key("T")
	assert.Contains(t, b.View(), "Created     59 m ago")
	assert.LessOrEqual(t, b.m.NextTick(), time.Minute)
	assert.LessOrEqual(t, b.m.NextTick(), still)
	now = now.Add(2 * time.Minute)
	b.Send(screen.TickMsg{Now: now})
	assert.Contains(t, b.View(), "Created     1 h ago")
	b.Key("T")
	assert.Contains(t, b.View(), "+0100")
}

// TestRunOfAJob: a job of a run says which, as the filter takes it.
func TestRunOfAJob(t *testing.T) {
	j := job(1, jobs.Failed)
	j.Run, j.Cell = "0192f000-0000-7000-8000-00000000000a", "12.3"
	f := newFake(j)
	b := openDeps(t, deps(t, f), f, 120, 34)
	assert.Contains(t, b.View(), "Run         0192f000-0000-7000-8000-00000000000a")
	assert.Contains(t, b.View(), "Cell        12.3")
}
