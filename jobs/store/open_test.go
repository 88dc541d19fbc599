package store

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"modernc.org/sqlite"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "busy_timeout": "5000", "foreign_keys": "1",
		"application_id": fmt.Sprint(applicationID), "user_version": fmt.Sprint(today(t)),
	} {
		var got, ro string
		err := s.w.do(t.Context(), func(tx *tx) error { return tx.row("PRAGMA " + pragma).Scan(&got) })
		require.NoError(t, err)
		require.NoError(t, s.readDB.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&ro))
		assert.Equal(t, want, ro, pragma)
		if pragma == "busy_timeout" {
			want = "0" // see unbusy
		}
		assert.Equal(t, want, got, pragma)
	}
	_, err := s.readDB.ExecContext(t.Context(), "DELETE FROM jobs")
	require.Error(t, err, "readers do not write")
	if runtime.GOOS == "linux" {
		on, err := sqlite.OFDLocking(true)
		require.NoError(t, err)
		assert.True(t, on)
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	for _, ext := range []string{"", "-wal", "-shm"} {
		st, err := os.Stat(s.Path() + ext)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), st.Mode().Perm(), ext)
	}
	st, err := os.Stat(filepath.Dir(s.Path()))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), st.Mode().Perm())
}

func TestReopen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "h.db")
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	j := storetest.NewJob("kept")
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(j)}))
	require.NoError(t, s.Close())
	s, err = Open(t.Context(), path)
	require.NoError(t, err)
	w, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, "kept", w.Job.Draft.Prompt)
	require.NoError(t, s.Close())
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	raw := func(t *testing.T, path, stmt string) {
		t.Helper()
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), stmt)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	for name, tc := range map[string]struct {
		prepare func(t *testing.T, path string)
		check   func(t *testing.T, err error)
	}{
		"newer": {func(t *testing.T, path string) {
			s, err := Open(t.Context(), path)
			require.NoError(t, err)
			require.NoError(t, s.Close())
			raw(t, path, "PRAGMA user_version = 99")
		}, func(t *testing.T, err error) {
			var newer *NewerError
			require.ErrorAs(t, err, &newer)
			assert.Equal(t, 99, newer.Have)
			assert.ErrorContains(t, err, "version 99")
			assert.ErrorContains(t, err, fmt.Sprint("version ", today(t)))
		}},
		"no log": {func(t *testing.T, path string) {
			s, err := Open(t.Context(), path)
			require.NoError(t, err)
			require.NoError(t, s.Close())
			require.NoError(t, os.MkdirAll(filepath.Join(path+"-wal", "x"), 0o700))
		}, func(t *testing.T, err error) {
			assert.ErrorContains(t, err, "cannot be read or written; look whether its disk is full")
		}},
		"foreign": {func(t *testing.T, path string) {
			raw(t, path, "CREATE TABLE theirs (x)")
		}, func(t *testing.T, err error) { require.ErrorIs(t, err, ErrForeign) }},
		"no database": {func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, make([]byte, 8192), 0o600))
			require.NoError(t, os.WriteFile(path, []byte("this is a text, and a rather long one, of more than a hundred bytes, as the header of a database has them.  "), 0o600))
		}, func(t *testing.T, err error) {
			var d *DamageError
			require.ErrorAs(t, err, &d)
			assert.ErrorContains(t, err, "not a SQLite database")
		}},
		"missing beside backups": {func(t *testing.T, path string) {
			require.NoError(t, os.MkdirAll(BackupDir(path), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(BackupDir(path), "2025-11-20.db"), []byte("x"), 0o600))
		}, damaged("missing")},
		"empty beside backups": {func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, nil, 0o600))
			require.NoError(t, os.MkdirAll(BackupDir(path), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(BackupDir(path), "2025-11-20.db"), []byte("x"), 0o600))
		}, damaged("empty")},
		"missing beside its log": {func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path+"-wal", []byte("x"), 0o600))
		}, damaged("missing")},
		"a folder": {func(t *testing.T, path string) {
			require.NoError(t, os.Mkdir(path, 0o700))
		}, func(t *testing.T, err error) { require.ErrorContains(t, err, "regular file") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "h[1].db")
			tc.prepare(t, path)
			s, err := Open(t.Context(), path)
			if s != nil {
				_ = s.Close()
			}
			require.Error(t, err)
			tc.check(t, err)
		})
	}
}

func damaged(what string) func(*testing.T, error) {
	return func(t *testing.T, err error) {
		var d *DamageError
		require.ErrorAs(t, err, &d)
		assert.ErrorContains(t, err, what)
	}
}

func TestMigrationRollsBack(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	good, err := migrations()
	require.NoError(t, err)
	bad := append(good, "CREATE TABLE halfway (x); INSERT INTO nowhere VALUES (1)")
	require.Error(t, migrateTo(t.Context(), s.w.conn, s.path, bad, anySchema))
	var n, version int
	require.NoError(t, s.readDB.QueryRowContext(t.Context(),
		"SELECT (SELECT count(*) FROM sqlite_schema WHERE name = 'halfway'), (SELECT user_version FROM pragma_user_version)").Scan(&n, &version))
	assert.Zero(t, n)
	assert.Equal(t, len(good), version)
	require.NoError(t, migrateTo(t.Context(), s.w.conn, s.path, append(good, "CREATE TABLE fine (x)"), anySchema))
	require.NoError(t, s.readDB.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&version))
	assert.Equal(t, len(good)+1, version)
}

// TestOpenRace opens one new history many times at once.
func TestOpenRace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "h.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(context.Background(), path)
			if assert.NoError(t, err) {
				assert.NoError(t, s.Insert(context.Background(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
				assert.NoError(t, s.Close())
			}
		})
	}
	wg.Wait()
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	p, err := s.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	assert.Len(t, p.Jobs, 8)
	require.NoError(t, s.Close())
}

// TestLookSeesOthers: a look changes when another connection wrote, not for own writes.
func TestLookSeesOthers(t *testing.T) {
	t.Parallel()
	a := openTest(t)
	b, err := Open(t.Context(), a.Path())
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	look := func() int64 {
		v, err := a.Look(t.Context())
		require.NoError(t, err)
		return v
	}
	first := look()
	require.NoError(t, a.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("mine"))}))
	assert.Equal(t, first, look())
	require.NoError(t, b.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("theirs"))}))
	assert.NotEqual(t, first, look())
}

// TestWritersWait: transactions that read before they write, in two processes at a time,
// wait for one another and never fail (without IMMEDIATE most do, busy_timeout or not).
func TestWritersWait(t *testing.T) {
	t.Parallel()
	a := openTest(t)
	b, err := Open(t.Context(), a.Path())
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	c := storetest.Plan(storetest.NewJob("x"))
	require.NoError(t, a.Insert(t.Context(), []jobs.Change{c}))
	var wg sync.WaitGroup
	const each = 40
	for _, s := range []*SQLite{a, b, a, b} {
		wg.Go(func() {
			for range each {
				_, err := s.Amend(t.Context(), c.Job.ID, func(w jobs.Work) (jobs.Change, error) {
					w.Job.Polls++
					return jobs.Change{Job: w.Job}, nil
				})
				assert.NoError(t, err)
			}
		})
	}
	wg.Wait()
	w, err := b.Get(t.Context(), c.Job.ID)
	require.NoError(t, err)
	assert.Equal(t, 4*each, w.Job.Polls, "no change was lost")
}

func TestEventsCannotBeChanged(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	_, err := s.w.conn.ExecContext(t.Context(), "UPDATE job_events SET message = 'x'")
	require.ErrorContains(t, err, "append-only")
}

func TestCancelledWriteLeavesTheStoreUsable(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.tx(ctx, func(tx *tx) error {
		cancel()
		_, err := tx.exec("INSERT INTO job_tags VALUES ('a', 'b', 0)")
		return err
	})
	require.Error(t, err)
	require.Error(t, s.Insert(ctx, nil))
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	assert.Panics(t, func() { _ = s.tx(t.Context(), func(*tx) error { panic("x") }) })
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("y"))}))
}

// TestCancelledAnywhere: wherever a context ends, the next write finds the history free, and
// a write that failed is not there.
func TestCancelledAnywhere(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // any will do
	failed := 0
	for i := 0; i < 300 || failed == 0; i++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rnd.IntN(1500))*time.Microsecond)
		c := storetest.Plan(storetest.NewJob("perhaps"))
		first := s.Insert(ctx, []jobs.Change{c})
		cancel()
		require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("surely"))}), "%d: %v", i, first)
		_, err := s.Get(t.Context(), c.Job.ID)
		if first == nil {
			require.NoError(t, err)
			continue
		}
		failed++
		require.ErrorIs(t, err, jobs.ErrNotFound, "%d: %v", i, first)
	}
}

// atVersion makes a history of an earlier version of the schema, and runs statements on it.
func atVersion(t *testing.T, path string, version int, stmts string) {
	t.Helper()
	lockOnce()
	db, err := sql.Open("sqlite", dsn(path, false))
	require.NoError(t, err)
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	steps, err := migrations()
	require.NoError(t, err)
	require.NoError(t, migrateTo(t.Context(), conn, path, steps[:version], anySchema))
	_, err = conn.ExecContext(t.Context(), stmts)
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	require.NoError(t, db.Close())
}
