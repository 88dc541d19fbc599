package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"modernc.org/sqlite"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darkroom/client/disk"
)

const (
	// backupDays is how many daily backups are kept.
	backupDays = 7
	// badSuffix marks a backup that is not good.
	badSuffix = ".bad"
	dayLayout = "2006-01-02"
)

// Backup is one backup of a history.
type Backup struct {
	Path  string    `json:"path"`
	Made  time.Time `json:"made"`
	Bytes int64     `json:"bytes"`
	Jobs  int       `json:"jobs,omitempty"` // once it was checked
	// Problem is why it is not good; "" when it is, or was not checked.
	Problem string `json:"problem,omitempty"`
}

// Backups lists the backups of a history, newest first, unchecked.
func Backups(path string) ([]Backup, error) {
	var out []Backup
	for _, p := range backups(path) {
		st, err := os.Stat(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process replaced or removed it
		}
		if err != nil {
			return nil, fmt.Errorf("backups: %w", err)
		}
		if st.Mode().IsRegular() {
			out = append(out, Backup{Path: p, Made: st.ModTime(), Bytes: st.Size()})
		}
	}
	slices.Reverse(out)
	return out, nil
}

// CheckBackup opens a backup read-only, checks its pages and says how many jobs it has.
// An error says what is wrong with it.
func CheckBackup(ctx context.Context, path string) (n int, err error) {
	err = readBackup(path, func(db *sql.DB) error {
		if n, err = checkCopy(ctx, db, path); err != nil {
			return fmt.Errorf("the backup %s is not good: %w", path, err)
		}
		return nil
	})
	return n, err
}

// checkGently is CheckBackup table by table, each followed by a rest of nine times as long.
func checkGently(ctx context.Context, path string) error {
	return readBackup(path, func(db *sql.DB) error {
		var tables []string
		check := func(what string) error {
			start := time.Now()
			if err := checkPart(ctx, db, path, what); err != nil {
				return fmt.Errorf("the backup %s is not good: %w", path, err)
			}
			return rest(ctx, restShare*time.Since(start))
		}
		if err := check(""); err != nil {
			return err
		}
		rows, err := db.QueryContext(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name`)
		if err != nil {
			return fmt.Errorf("the backup %s is not good: %w", path, err)
		}
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return errors.Join(err, rows.Close())
			}
			tables = append(tables, name)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return fmt.Errorf("the backup %s is not good: %w", path, err)
		}
		for _, table := range tables {
			if err := check(table); err != nil {
				return err
			}
		}
		return nil
	})
}

// restShare is how many times longer than it works a check that nobody waits for rests.
const restShare = 9

// checkPart checks one table with its indexes, or with "" whose history it is.
func checkPart(ctx context.Context, db *sql.DB, path, table string) error {
	if table != "" {
		return quickCheckOf(ctx, db, `('`+strings.ReplaceAll(table, `'`, `''`)+`')`)
	}
	steps, err := migrations()
	if err != nil {
		return err
	}
	version, err := schemaOf(ctx, db, path, len(steps))
	if err == nil && version == 0 {
		err = ErrForeign
	}
	return err
}

func rest(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// revOf reads the change counter of a backup.
func revOf(ctx context.Context, path string) (rev int64, err error) {
	err = readBackup(path, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, `SELECT value FROM counters WHERE name = 'rev'`).Scan(&rev)
	})
	return rev, err
}

// readBackup has fn read from a backup.
func readBackup(path string, fn func(*sql.DB) error) (err error) {
	lockOnce()
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() || st.Size() == 0 {
		return fmt.Errorf("%s is empty, or no file", path)
	}
	// Nobody writes to a backup: immutable needs no -wal and no -shm, and leaves none.
	db, err := sql.Open("sqlite", dsnOf(path, "immutable=1&mode=ro"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return fn(db)
}

func checkCopy(ctx context.Context, db *sql.DB, path string) (n int, err error) {
	steps, err := migrations()
	if err != nil {
		return 0, err
	}
	version, err := schemaOf(ctx, db, path, len(steps))
	if err != nil {
		return 0, err
	}
	if version == 0 {
		return 0, ErrForeign
	}
	if err := quickCheck(ctx, db); err != nil {
		return 0, err
	}
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM jobs`).Scan(&n)
	return n, err
}

// quickCheck looks through all pages.
func quickCheck(ctx context.Context, q querier) error { return quickCheckOf(ctx, q, `(1)`) }

// quickCheckOf looks through the pages of what stands in brackets.
func quickCheckOf(ctx context.Context, q querier, what string) error {
	var result string
	if err := q.QueryRowContext(ctx, `PRAGMA quick_check`+what).Scan(&result); err != nil {
		return err
	}
	if result != "ok" {
		return &brokenError{result}
	}
	return nil
}

// brokenError is what a check of the pages said.
type brokenError struct{ result string }

func (e *brokenError) Error() string { return "its pages are corrupt: " + e.result }

// Backup makes a backup now; that of the same day (UTC) is replaced. Others may write meanwhile. It
// is whole and checked before it takes its name, and an old one goes only when the new one is
// there.
func (s *SQLite) Backup(ctx context.Context) (Backup, error) {
	done, err := s.lockBackups(ctx, lockWait)
	if err != nil {
		return Backup{}, err
	}
	defer done()
	return s.backup(ctx, time.Now())
}

// lockBackups makes the folder and keeps other processes from making backups.
func (s *SQLite) lockBackups(ctx context.Context, within time.Duration) (done func(), err error) {
	dir := BackupDir(s.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	f, err := openLock(filepath.Join(dir, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	if err := lock(ctx, f, disk.Locks, within); err != nil {
		return nil, errors.Join(fmt.Errorf("backup: another one is being made in %s: %w", dir, err), f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// backup writes the backup of a day. The caller has the lock.
func (s *SQLite) backup(ctx context.Context, now time.Time) (b Backup, err error) {
	dir := BackupDir(s.path)
	removeParts(dir)
	part := filepath.Join(dir, partPrefix+now.UTC().Format("20060102T150405.000000000"))
	defer func() {
		if err != nil {
			_ = os.Remove(part)
			_ = os.Remove(part + "-journal")
		}
	}()
	if err := s.copyInto(ctx, part); err != nil {
		return b, fmt.Errorf("backup: %w", explain(s.path, err))
	}
	n, err := CheckBackup(ctx, part)
	if err != nil {
		return b, err
	}
	b = Backup{Path: dayBackup(s.path, now), Made: now, Jobs: n}
	checked := othersChecked(s.path, b.Path)
	if err := settle(part, b.Path); err != nil {
		return b, fmt.Errorf("backup: %w", err)
	}
	if checked { // so was this one, before it got its name
		if err := touch(checkedMark(s.path)); err != nil {
			return b, err
		}
	}
	st, err := os.Stat(b.Path)
	if err != nil {
		return b, fmt.Errorf("backup: %w", err)
	}
	b.Bytes = st.Size()
	return b, nil
}

// partPrefix begins the name of a backup that is being written.
const partPrefix = ".part-"

// removeParts removes what killed processes left behind.
func removeParts(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), partPrefix) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// settle syncs a closed file to the disk and gives it its final name.
func settle(part, path string) error {
	f, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return disk.SyncDir(os.Open(filepath.Dir(path)))
}

// copyPages is how many pages a backup copies at once: some megabytes, which the disk takes
// between two writes of others.
const copyPages = 1024

// backuper is the driver's connection.
type backuper interface {
	NewBackup(dst string) (*sqlite.Backup, error)
}

// copyInto copies one state of the history into a new file, in slices that are synced one by one.
// Others may write meanwhile; their log grows until the copy is done, and is then checkpointed in
// the background.
func (s *SQLite) copyInto(ctx context.Context, to string) (err error) {
	// The file is made first, so that it has its mode from the start.
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	db, err := sql.Open("sqlite", s.readDSN)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// A transaction that has read stays at what it saw: SQLite would begin the copy anew
	// after each write of another connection.
	var pages int64
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&pages); err != nil {
		return err
	}
	err = conn.Raw(func(c any) error { return copyPagesOf(ctx, c, f) })
	if err != nil {
		return err
	}
	// The copy does without a write-ahead log: bytes 18 and 19 of the header say how it is written
	// and read, 1 with a rollback journal. So it can be read where nothing can be written.
	_, err = f.WriteAt([]byte{1, 1}, 18)
	return err
}

func copyPagesOf(ctx context.Context, c any, to *os.File) error {
	source, ok := c.(backuper)
	if !ok {
		return fmt.Errorf("the driver's connection %T makes no backups", c)
	}
	// A copy that breaks off is removed: it needs no journal, and we sync it ourselves.
	b, err := source.NewBackup(dsnOf(to.Name(), "_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)"))
	if err != nil {
		return err
	}
	for more := true; more; {
		start := time.Now()
		if more, err = b.Step(copyPages); err == nil {
			err = to.Sync()
		}
		if err == nil && more {
			err = breathe(ctx, time.Since(start))
		}
		if err != nil {
			return errors.Join(err, b.Finish())
		}
	}
	return b.Finish()
}
