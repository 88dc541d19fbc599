package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// testSkipFetch: who saves no files leaves those that are to be fetched to others.
func testSkipFetch(t *testing.T, s jobs.Store) {
	fetch, poll := NewJob("to be fetched"), NewJob("to be polled")
	fetch.State, poll.State = jobs.Completed, jobs.Running
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(fetch), Plan(poll)}))
	got := func(skip bool) (ids []string) {
		ws, err := s.Claim(t.Context(), jobs.Claim{
			Owner: "A", Profile: "p", Now: Base, Until: Base.Add(time.Second), SkipFetch: skip,
		})
		require.NoError(t, err)
		for _, w := range ws {
			ids = append(ids, w.Job.ID)
		}
		return ids
	}
	assert.Equal(t, []string{poll.ID}, got(true))
	assert.Empty(t, got(true))
	assert.Equal(t, []string{fetch.ID}, got(false))
}
