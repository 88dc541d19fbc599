package store

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// planned inserts jobs and returns changes to commit.
func planned(t *testing.T, s *SQLite, n int) []jobs.Change {
	t.Helper()
	list := make([]jobs.Change, n)
	for i := range list {
		list[i] = storetest.Plan(storetest.NewJob(fmt.Sprint("kite ", i)))
	}
	require.NoError(t, s.Insert(t.Context(), list))
	for i := range list {
		list[i].Token, list[i].Events = 1, nil
		list[i].Job.Progress = float64(i)
	}
	return list
}

type committed struct {
	rev int64
	err error
}

// together commits changes while the connection is held, so that all of them wait, in their
// order, and share a batch.
func together(t *testing.T, s *SQLite, list []jobs.Change) []committed {
	t.Helper()
	out := make([]committed, len(list))
	var wg sync.WaitGroup
	require.NoError(t, s.w.do(t.Context(), func(*tx) error {
		for i := range list {
			wg.Go(func() { out[i].rev, out[i].err = s.Commit(t.Context(), list[i]) })
			waitingAre(t, s, i+1)
		}
		return nil
	}))
	wg.Wait()
	return out
}

func waitingAre(t *testing.T, s *SQLite, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		s.waiting.mu.Lock()
		defer s.waiting.mu.Unlock()
		return len(s.waiting.list) == n
	}, time.Minute, 100*time.Microsecond)
}

func progressOf(t *testing.T, s *SQLite, id string) float64 {
	t.Helper()
	w, err := s.Get(t.Context(), id)
	require.NoError(t, err)
	return w.Job.Progress
}

// TestBatch: what waits together is written together. A lost lease, a job that is gone and a
// change that cannot be written fail by themselves.
func TestBatch(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(c *jobs.Change){
		"lease lost": func(c *jobs.Change) { c.Token++ },
		"gone":       func(c *jobs.Change) { c.Job.ID = storetest.NewJob("").ID },
		"unwritable": func(c *jobs.Change) { c.Job.Files = make([]jobs.File, 2) }, // twice the index 0
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openTest(t)
			list := planned(t, s, 12)
			spoil(&list[5])
			out := together(t, s, list)
			var last int64
			for i, o := range out {
				if i == 5 {
					require.Error(t, o.err)
					assert.Zero(t, o.rev)
					continue
				}
				require.NoError(t, o.err, i)
				assert.Greater(t, o.rev, last, "in the order in which they came")
				last = o.rev
				w, err := s.Get(t.Context(), list[i].Job.ID)
				require.NoError(t, err)
				assert.Equal(t, o.rev, w.Rev)
				assert.InDelta(t, float64(i), w.Job.Progress, 0)
			}
			switch name {
			case "lease lost":
				require.ErrorIs(t, out[5].err, jobs.ErrLeaseLost)
			case "gone":
				require.ErrorIs(t, out[5].err, jobs.ErrNotFound)
				return
			}
			assert.InDelta(t, -1, progressOf(t, s, list[5].Job.ID), 0, "nothing of it is written")
		})
	}
}

// TestBatchOfOneJob: two changes of one job in one batch have each their rev.
func TestBatchOfOneJob(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	one := planned(t, s, 1)[0]
	two := one
	two.Job.Progress = 50
	out := together(t, s, []jobs.Change{one, two, one, two})
	for i, o := range out {
		require.NoError(t, o.err)
		if i > 0 {
			assert.Greater(t, o.rev, out[i-1].rev)
		}
	}
	w, err := s.Get(t.Context(), one.Job.ID)
	require.NoError(t, err)
	assert.Equal(t, out[3].rev, w.Rev)
	assert.InDelta(t, 50, w.Job.Progress, 0)
}

// TestCommitCancelled: who stops waiting has written nothing, and the others go on.
func TestCommitCancelled(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	list := planned(t, s, 3)
	ctx, cancel := context.WithCancel(t.Context())
	out := make([]error, len(list))
	var wg, stopped sync.WaitGroup
	require.NoError(t, s.w.do(t.Context(), func(*tx) error {
		for i := range list {
			with, group := t.Context(), &wg
			if i == 1 {
				with, group = ctx, &stopped
			}
			group.Go(func() { _, out[i] = s.Commit(with, list[i]) })
			waitingAre(t, s, i+1)
		}
		cancel()
		stopped.Wait() // while nobody else can write
		return nil
	}))
	wg.Wait()
	require.ErrorIs(t, out[1], context.Canceled)
	require.NoError(t, out[0])
	require.NoError(t, out[2])
	assert.InDelta(t, -1, progressOf(t, s, list[1].Job.ID), 0)
	assert.InDelta(t, 2, progressOf(t, s, list[2].Job.ID), 0)
	_, err := s.Commit(ctx, list[1])
	require.ErrorIs(t, err, context.Canceled)
	assert.InDelta(t, -1, progressOf(t, s, list[1].Job.ID), 0)
}

// TestCommitsStay: more commits than a batch takes, at once with other writes, are all there
// after the history was opened anew.
func TestCommitsStay(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	list := planned(t, s, 2*maxBatch+20)
	var wg sync.WaitGroup
	for part := range slices.Chunk(list, 10) {
		wg.Go(func() {
			for _, c := range part {
				_, err := s.Commit(t.Context(), c)
				assert.NoError(t, err)
			}
		})
	}
	for range 10 {
		assert.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("between"))}))
	}
	wg.Wait()
	require.NoError(t, s.Close())
	s, err = Open(t.Context(), path)
	require.NoError(t, err)
	for i, c := range list {
		assert.InDelta(t, float64(i), progressOf(t, s, c.Job.ID), 0)
	}
	require.NoError(t, s.Close())
}
