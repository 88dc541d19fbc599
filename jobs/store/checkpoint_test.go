package store

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// logOf says how many pages the log has, and how many of them are in the database.
func logOf(t *testing.T, s *SQLite) (pages, done int) {
	t.Helper()
	require.NoError(t, s.w.do(t.Context(), func(tx *tx) error {
		var busy int
		return tx.row("PRAGMA wal_checkpoint(NOOP)").Scan(&busy, &pages, &done)
	}))
	return pages, done
}

func insertMany(t *testing.T, s *SQLite, n int) {
	t.Helper()
	list := make([]jobs.Change, n)
	for i := range list {
		list[i] = storetest.Plan(storetest.NewJob(fmt.Sprint("kite ", i)))
	}
	require.NoError(t, s.Insert(t.Context(), list))
}

// TestCheckpoints: the log is worked off beside the writes, as soon as no reader needs it.
func TestCheckpoints(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	insertMany(t, s, 20)
	s.checks.wg.Wait()
	pages, done := logOf(t, s)
	assert.Positive(t, pages)
	assert.Zero(t, done, "little was written")
	s.wrote(checkpointEvery)
	s.checks.wg.Wait()
	pages, done = logOf(t, s)
	assert.Equal(t, pages, done)

	require.NoError(t, s.snapshot(t.Context(), func(tx *tx) error {
		var n int
		require.NoError(t, tx.row("SELECT count(*) FROM jobs").Scan(&n))
		insertMany(t, s, 20)
		s.wrote(checkpointEvery)
		s.checks.wg.Wait()
		pages, done := logOf(t, s)
		assert.Less(t, done, pages, "somebody reads an earlier state")
		return nil
	}))
	require.NoError(t, s.checkpoint(t.Context()))
	pages, done = logOf(t, s)
	assert.Equal(t, pages, done)
}

// TestCloseDuringCheckpoint closes while checkpoints are made: what was written is there.
func TestCloseDuringCheckpoint(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	for i := range 3 {
		s, err := Open(t.Context(), path)
		require.NoError(t, err)
		n, err := s.Count(t.Context())
		require.NoError(t, err)
		assert.EqualValues(t, 20*i, n)
		insertMany(t, s, 20)
		s.wrote(checkpointEvery)
		require.NoError(t, s.Close())
	}
}
