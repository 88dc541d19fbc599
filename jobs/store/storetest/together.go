package storetest

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// testTogether commits for many jobs at once, some of which were taken over: each change is
// there or not, as its own Commit said, with the rev that it said.
func testTogether(t *testing.T, s jobs.Store) {
	insert(t, s, 40)
	works := claim(t, s, "A", Base)
	require.Len(t, works, 40)
	lost := map[int]bool{0: true, 17: true, 39: true}
	var before int64
	for i := range lost {
		w, err := s.Amend(t.Context(), works[i].Job.ID, func(w jobs.Work) (jobs.Change, error) {
			c := commit(w, jobs.Dropped)
			c.Take, c.Due = true, Base
			return c, nil
		})
		require.NoError(t, err)
		before = max(before, w.Rev)
	}
	revs := make([]int64, len(works))
	errs := make([]error, len(works))
	var wg sync.WaitGroup
	for i, w := range works {
		wg.Go(func() {
			c := commit(w, jobs.Running)
			c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte(w.Job.ID)}}
			revs[i], errs[i] = s.Commit(t.Context(), c)
		})
	}
	wg.Wait()
	for i, w := range works {
		d, err := s.Detail(t.Context(), w.Job.ID)
		require.NoError(t, err)
		if lost[i] {
			require.ErrorIs(t, errs[i], jobs.ErrLeaseLost)
			assert.Equal(t, jobs.Dropped, d.Job.State)
			assert.Empty(t, d.Answer)
			continue
		}
		require.NoError(t, errs[i])
		assert.Equal(t, jobs.Running, d.Job.State)
		assert.Equal(t, w.Job.ID, string(d.Answer))
		assert.Len(t, d.Events, 2)
		now, err := s.Get(t.Context(), w.Job.ID)
		require.NoError(t, err)
		assert.Equal(t, revs[i], now.Rev)
		assert.Greater(t, revs[i], before)
	}
	changed, _, err := s.Since(t.Context(), before)
	require.NoError(t, err)
	assert.Len(t, changed, len(works)-len(lost))
}
