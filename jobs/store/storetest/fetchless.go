package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// testSkipFetch: a process that saves no files leaves jobs with files to fetch to others.
func testSkipFetch(t *testing.T, s jobs.Store) {
	testSkip(t, s, jobs.Completed, func(c *jobs.Claim) { c.SkipFetch = true })
}

// testSkipPlanned: a process that may send nothing leaves planned jobs to others.
func testSkipPlanned(t *testing.T, s jobs.Store) {
	testSkip(t, s, jobs.Planned, func(c *jobs.Claim) { c.SkipPlanned = true })
}

func testSkip(t *testing.T, s jobs.Store, state jobs.State, skip func(*jobs.Claim)) {
	left, poll := NewJob("to be left"), NewJob("to be polled")
	left.State, poll.State = state, jobs.Running
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(left), Plan(poll)}))
	got := func(skips bool) (ids []string) {
		c := jobs.Claim{Owner: "A", Profile: "p", Now: Base, Until: Base.Add(time.Second)}
		if skips {
			skip(&c)
		}
		ws, err := s.Claim(t.Context(), c)
		require.NoError(t, err)
		for _, w := range ws {
			ids = append(ids, w.Job.ID)
		}
		return ids
	}
	assert.Equal(t, []string{poll.ID}, got(true))
	assert.Empty(t, got(true))
	assert.Equal(t, []string{left.ID}, got(false))
}
