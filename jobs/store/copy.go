package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"modernc.org/sqlite"
)

// copyPages is how many pages a backup copies at once: some megabytes, which the disk takes
// between two writes of others.
const copyPages = 1024

// backuper is the driver's connection.
type backuper interface {
	NewBackup(dst string) (*sqlite.Backup, error)
}

// copyInto copies one state of the history into a new file, in slices that are brought to the
// disk one by one. Others write meanwhile; their log grows until the copy is done, and is
// worked off in the background.
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
	// The copy is no write-ahead log's: bytes 18 and 19 of the header say how it is written
	// and read, 1 with a rollback journal. So it can be read where nothing can be written.
	_, err = f.WriteAt([]byte{1, 1}, 18)
	return err
}

func copyPagesOf(ctx context.Context, c any, to *os.File) error {
	source, ok := c.(backuper)
	if !ok {
		return fmt.Errorf("the driver's connection %T makes no backups", c)
	}
	// What breaks off is removed: no journal is needed, and we sync ourselves.
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
