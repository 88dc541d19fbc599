// Package store keeps the history of jobs in a SQLite database (see [Open]); it implements
// jobs.Store. The suite in jobs/store/storetest says what it guarantees.
//
// The database file, its -wal and its -shm belong to SQLite: nothing here or elsewhere may
// open or hash them, since closing a file gives up the process's locks on it.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"modernc.org/sqlite" // the CGO-free driver "sqlite"
)

// readers bounds the pool of connections that only read.
const readers = 3

// busyTimeout is how long a write waits for another process's transaction.
const busyTimeout = 5 * time.Second

// SQLite is a history in one database file. It is safe for concurrent use, by several
// processes too.
type SQLite struct {
	path     string
	writeDB  *sql.DB // one connection, which w holds
	w        *writer
	waiting  commits // to be written by w
	checks   checkpoints
	readDSN  string
	readDB   *sql.DB // its connections are opened by the first reads
	reads    stmtCache
	openLock *os.File // the lock that says that it is open
	// restored says what Open had to do before; nil for nothing.
	restored *Restored
	denied   *ReadOnlyError // nil where it can be written
	temp     string         // the folder of a copy that is read in its place; "" for none
}

// lockOnce makes SQLite's locks belong to open files instead of the process, before the
// first database is opened. Where the system has no such locks an error says so, which
// changes nothing.
var lockOnce = sync.OnceFunc(func() {
	if runtime.GOOS == "linux" {
		_, _ = sqlite.OFDLocking(true)
	}
})

// Open opens the history at path, and makes it (0600, in a 0700 folder) when there is none. It
// brings an older schema up to date, and refuses a newer one (*NewerError), a file that is no
// history (ErrForeign), one that was damaged (*DamageError) and one that cannot be written
// (*ReadOnlyError; see OpenReading). A damaged history that has a good backup, and that no other
// process has open, is set aside and the backup put in its place; [SQLite.Restored] says so.
func Open(ctx context.Context, path string) (*SQLite, error) {
	lockOnce()
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, denied(path, fmt.Errorf("history: %w", err))
	}
	restored := lookAgain(ctx, path)
	s, err := openHeld(ctx, path)
	if d, ok := errors.AsType[*DamageError](err); ok && len(d.Backups) > 0 {
		if restored, err = rescue(ctx, path); err != nil {
			return nil, err
		}
		s, err = openHeld(ctx, path)
	}
	if err != nil {
		return nil, err
	}
	s.restored = restored
	return s, nil
}

// Restored says that Open set a damaged history aside for a backup; nil when it did not.
func (s *SQLite) Restored() *Restored { return s.restored }

// openHeld opens the history, and holds its lock while it is open.
func openHeld(ctx context.Context, path string) (*SQLite, error) {
	held, err := hold(ctx, path)
	if err != nil {
		return nil, denied(path, err)
	}
	if err := sealed(path); err != nil {
		return nil, errors.Join(err, held.Close())
	}
	s, err := open(ctx, path)
	if err != nil {
		return nil, errors.Join(denied(path, err), held.Close())
	}
	s.openLock = held
	return s, nil
}

// open opens the history as it is there.
func open(ctx context.Context, path string) (*SQLite, error) {
	fresh, err := inspectFile(path)
	if err != nil {
		return nil, err
	}
	s := &SQLite{path: path, readDSN: dsn(path, true)}
	s.checks.logLimits = usualLimits()
	s.checks.ctx, s.checks.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if s.writeDB, err = sql.Open("sqlite", dsn(path, false)); err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	s.writeDB.SetMaxOpenConns(1)
	if err := s.openReaders(); err != nil {
		return nil, errors.Join(err, s.writeDB.Close())
	}
	if err := s.prepare(ctx, fresh); err != nil {
		return nil, errors.Join(explain(path, err), s.Close())
	}
	return s, nil
}

// openReaders makes the pool of connections that only read.
func (s *SQLite) openReaders() (err error) {
	if s.readDB, err = sql.Open("sqlite", s.readDSN); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	s.readDB.SetMaxOpenConns(readers)
	s.readDB.SetMaxIdleConns(readers)
	s.reads.prepare = s.readDB.PrepareContext
	return nil
}

// prepare checks what was opened and migrates it.
func (s *SQLite) prepare(ctx context.Context, fresh bool) error {
	conn, err := s.writeDB.Conn(ctx)
	if err != nil {
		return err
	}
	s.w = newWriter(conn, s.wrote)
	if fresh {
		// SQLite makes the file at the first write; -wal and -shm take its mode. The
		// folder is closed to others, and chmod does not open the file.
		if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE; COMMIT"); err != nil {
			return err
		}
		if err := os.Chmod(s.path, 0o600); err != nil {
			return err
		}
	}
	if err := migrate(ctx, conn, s.path); err != nil {
		return err
	}
	// Checkpoints are made apart, see checkpoints.
	settings := fmt.Sprintf("PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = %d", logLimit)
	if _, err := conn.ExecContext(ctx, settings); err != nil {
		return err
	}
	var mode string // a backup that was copied here has another one
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		if err := switchToWAL(ctx, conn); err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, ownBusy)
	return err
}

// dsn is the address of the database for the driver, with the settings of a connection.
// journal_mode is kept in the file, see migrate.
func dsn(path string, readOnly bool) string {
	q := url.Values{}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()))
	q.Add("_pragma", "synchronous(FULL)")
	q.Add("_pragma", "foreign_keys(1)")
	if readOnly {
		q.Add("_pragma", "query_only(1)")
	} else {
		q.Set("_txlock", "immediate")
	}
	return dsnOf(path, q.Encode())
}

func dsnOf(path, query string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query}
	return u.String()
}

// Path is where the history lies.
func (s *SQLite) Path() string { return s.path }

// Close closes the history. What was committed is on the disk.
func (s *SQLite) Close() error {
	errs := []error{s.checks.close(), s.reads.close(), s.readDB.Close()}
	if s.w != nil {
		errs = append(errs, s.w.close())
	}
	errs = append(errs, s.writeDB.Close())
	if s.openLock != nil {
		errs = append(errs, s.openLock.Close())
	}
	if s.temp != "" {
		errs = append(errs, os.RemoveAll(s.temp))
	}
	return errors.Join(errs...)
}

// Look implements jobs.Store: SQLite's data_version changes on a connection when another
// one wrote, and all writes of this process are done on the one that is asked.
func (s *SQLite) Look(ctx context.Context) (int64, error) {
	var v int64
	err := s.w.do(ctx, func(t *tx) error {
		// It takes microseconds; a context that can end would cost database/sql a
		// goroutine, and the process a wake-up more.
		t.ctx = context.WithoutCancel(ctx)
		return unbusy(ctx, func() error { return t.row("PRAGMA data_version").Scan(&v) })
	})
	return v, explain(s.path, err)
}

// tx runs fn in a write transaction, which is immediate: it waits for others when it begins, and
// never fails midway because of them.
func (s *SQLite) tx(ctx context.Context, fn func(*tx) error) error {
	return explain(s.path, s.w.tx(ctx, fn))
}
