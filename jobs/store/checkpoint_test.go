package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	s.wrote(s.checks.every)
	s.checks.wg.Wait()
	pages, done = logOf(t, s)
	assert.Equal(t, pages, done)

	require.NoError(t, s.snapshot(t.Context(), func(tx *tx) error {
		var n int
		require.NoError(t, tx.row("SELECT count(*) FROM jobs").Scan(&n))
		insertMany(t, s, 20)
		s.wrote(s.checks.every)
		s.checks.wg.Wait()
		pages, done := logOf(t, s)
		assert.Less(t, done, pages, "somebody reads an earlier state")
		return nil
	}))
	require.NoError(t, s.checkpoint(t.Context()))
	pages, done = logOf(t, s)
	assert.Equal(t, pages, done)
}

// small are limits that few inserts reach; who is in the way is waited for until the test ends.
func small() logLimits {
	return logLimits{every: 1 << 30, restart: 50, finish: 50, force: 200, wait: time.Minute}
}

// TestTheLogBeginsAnew: a log that has grown is begun anew though somebody reads or writes just
// then, and from some length on with whatever is left in it.
func TestTheLogBeginsAnew(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]int{"little is left": 1, "much is left": 600} {
		for who, reads := range map[string]bool{"a reader": true, "a writer": false} {
			t.Run(name+", "+who, func(t *testing.T) {
				t.Parallel()
				s := openTest(t)
				s.checks.logLimits = small()
				insertMany(t, s, 100)
				var release func()
				if reads {
					release = reading(t, s)
				}
				insertMany(t, s, more)
				if !reads {
					release = writing(t, s)
				}
				checkpointing(t, s, release)
				insertMany(t, s, 1)
				pages, _ := logOf(t, s)
				assert.Less(t, pages, 50)
			})
		}
	}
}

// reading has somebody read the history as it is now.
func reading(t *testing.T, s *SQLite) (release func()) {
	t.Helper()
	conn, err := s.readDB.Conn(t.Context())
	require.NoError(t, err)
	_, err = conn.ExecContext(t.Context(), "BEGIN")
	require.NoError(t, err)
	var n int
	require.NoError(t, conn.QueryRowContext(t.Context(), "SELECT count(*) FROM jobs").Scan(&n))
	return func() {
		_, err := conn.ExecContext(t.Context(), "COMMIT")
		assert.NoError(t, err)
		assert.NoError(t, conn.Close())
	}
}

// writing has another process be in the middle of a write.
func writing(t *testing.T, s *SQLite) (release func()) {
	t.Helper()
	other, err := Open(t.Context(), s.path)
	require.NoError(t, err)
	_, err = other.w.conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	return func() {
		_, err := other.w.conn.ExecContext(t.Context(), "ROLLBACK")
		assert.NoError(t, err)
		assert.NoError(t, other.Close())
	}
}

// TestALongReaderIsNotWaitedForTwice: a backup that takes minutes costs the commits one wait.
func TestALongReaderIsNotWaitedForTwice(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	s.checks.logLimits = small()
	s.checks.wait = 0
	insertMany(t, s, 100)
	require.NoError(t, s.snapshot(t.Context(), func(tx *tx) error {
		var n int
		require.NoError(t, tx.row("SELECT count(*) FROM jobs").Scan(&n))
		insertMany(t, s, 100)
		require.NoError(t, s.checkpoint(t.Context()), "in vain")
		<-s.w.turn
		defer func() { s.w.turn <- struct{}{} }()
		return s.checkpoint(t.Context()) // which does not want the turn any more
	}))
	require.NoError(t, s.checkpoint(t.Context()))
	insertMany(t, s, 1)
	pages, _ := logOf(t, s)
	assert.Less(t, pages, 50)
}

// TestTheLogStaysSmall: however much is inserted, and though somebody reads each time that the
// log could be begun anew.
func TestTheLogStaysSmall(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	s.checks.logLimits = small()
	for range 100 {
		release := reading(t, s)
		insertMany(t, s, 20)
		checkpointing(t, s, release)
	}
	st, err := os.Stat(s.path + "-wal")
	require.NoError(t, err)
	assert.Less(t, st.Size(), int64(2<<20), "many times that was written")
}

// checkpointing makes a checkpoint, and has those in its way let go when it waits for them, or
// has ended.
func checkpointing(t *testing.T, s *SQLite, release func()) {
	t.Helper()
	over := make(chan error, 1)
	go func() { over <- s.checkpoint(t.Context()) }()
	for len(s.w.turn) > 0 {
		select {
		case err := <-over:
			require.NoError(t, err)
			release()
			return
		case <-time.After(time.Millisecond):
		}
	}
	release()
	require.NoError(t, <-over)
}

func TestLargeValuesCountAsSeveralStatements(t *testing.T) {
	t.Parallel()
	assert.Zero(t, bulk([]any{"x", 1, nil, make([]byte, 4<<10)}))
	assert.Equal(t, 128+2, bulk([]any{make([]byte, 1<<20), make([]byte, 20<<10)}))
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
		s.wrote(s.checks.every)
		require.NoError(t, s.Close())
	}
}
