package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"darkroom/jobs/store/migration"
)

// applicationID marks the file as ours: "DkRm".
const applicationID = 0x446b526d

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations are the steps of the schema, in order.
func migrations() ([]string, error) { return migration.Steps(migrationFiles) }

// migrate brings the schema up to date, in one transaction: a step that fails leaves the
// file as it was. Racing processes wait for each other; the second finds nothing to do.
func migrate(ctx context.Context, conn *sql.Conn, path string) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	return migrateTo(ctx, conn, path, steps, checkSchema)
}

// migrateTo migrates by the given steps. What check refuses stays as it was.
func migrateTo(ctx context.Context, conn *sql.Conn, path string, steps []string, check schemaCheck) error {
	have, err := schemaOf(ctx, conn, path, len(steps))
	if err != nil {
		return err
	}
	if have == len(steps) {
		return check(ctx, conn, path)
	}
	if err := switchToWAL(ctx, conn); err != nil {
		return err
	}
	t, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = t.Rollback() }() // nothing after a commit
	if have, err = schemaOf(ctx, t, path, len(steps)); err != nil {
		return err
	}
	for v := have; v < len(steps); v++ {
		if _, err := t.ExecContext(ctx, steps[v]); err != nil {
			return fmt.Errorf("history %s: migration to version %d: %w", path, v+1, err)
		}
	}
	pragmas := fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", max(have, len(steps)), applicationID)
	if _, err := t.ExecContext(ctx, pragmas); err != nil {
		return err
	}
	if err := check(ctx, t, path); err != nil {
		return err
	}
	return t.Commit()
}

// schemaCheck is checkSchema, except in tests.
type schemaCheck func(ctx context.Context, q querier, path string) error

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// schemaOf reads the version of the schema; 0 for an empty database. It refuses what is
// not ours and what is newer than known.
func schemaOf(ctx context.Context, q querier, path string, known int) (int, error) {
	var app, version, tables int
	const look = `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`
	if err := q.QueryRowContext(ctx, look).Scan(&app, &version, &tables); err != nil {
		return 0, err
	}
	switch {
	case app == 0 && version == 0 && tables == 0:
		return 0, nil
	case app != applicationID:
		return 0, fmt.Errorf("history %s: %w", path, ErrForeign)
	case version > known:
		return 0, &NewerError{Path: path, Have: version, Known: known}
	default:
		return version, nil
	}
}

// switchToWAL turns on write-ahead logging, which stays in the file. The switch does not
// wait for the busy timeout, so racing processes try again.
func switchToWAL(ctx context.Context, conn *sql.Conn) error {
	deadline := time.Now().Add(busyTimeout)
	for {
		var mode string
		err := conn.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		switch se, _ := errors.AsType[*sqlite.Error](err); {
		case err == nil && mode == "wal":
			return nil
		case err == nil:
			return fmt.Errorf("this file system allows no write-ahead log (journal mode %q): put the history on a local disk", mode)
		case se == nil || se.Code()&0xff != lib.SQLITE_BUSY || time.Now().After(deadline):
			return err
		}
		t := time.NewTimer(10 * time.Millisecond)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		}
	}
}
