package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// testObserved: that a job is somebody else's task is written once, and no later change takes it
// away; a copy has it, and none comes in as one that could be sent.
func testObserved(t *testing.T, s jobs.Store) {
	j := NewJob("")
	j.Observed, j.State, j.TaskID = true, jobs.Running, "theirs"
	c := Plan(j)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	own := insert(t, s, 1)[0]
	change(t, s, j.ID, func(c *jobs.Change) { c.Job.Observed, c.Job.State, c.Due = false, jobs.Completed, time.Time{} })
	change(t, s, own.ID, func(c *jobs.Change) { c.Job.Observed, c.Job.State, c.Due = true, jobs.Dropped, time.Time{} })
	is := func(id string) bool {
		t.Helper()
		w, err := s.Get(t.Context(), id)
		require.NoError(t, err)
		d, err := s.Detail(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, w.Job.Observed, d.Job.Observed)
		return d.Job.Observed
	}
	assert.True(t, is(j.ID))
	assert.False(t, is(own.ID))

	before := records(t, s)
	_, err := s.Prune(t.Context(), jobs.Prune{})
	require.NoError(t, err)
	n, err := s.Import(t.Context(), before)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	assert.True(t, is(j.ID))
	assert.False(t, is(own.ID))

	for _, state := range []jobs.State{jobs.Planned, jobs.Submitting, jobs.Ambiguous, jobs.Refused, jobs.Completed} {
		bad := before[0]
		if !bad.Job.Observed {
			bad = before[1]
		}
		bad.Job.ID, bad.Job.State = NewJob("").ID, state
		if state == jobs.Completed {
			bad.Job.TaskID = ""
		}
		_, err := s.Import(t.Context(), []jobs.Record{bad})
		require.Error(t, err, state)
	}
}
