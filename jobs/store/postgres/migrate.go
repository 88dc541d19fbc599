package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"darkroom/jobs/store/migration"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations are the steps of the schema, in order.
func migrations() ([]string, error) { return migration.Steps(migrationFiles) }

// lockMigration is the key of the advisory lock under which the schema is changed.
const lockMigration = 0x446b726d_00000001

// migrate brings the schema up to date, in one transaction and under a lock: racing
// processes wait for each other, the second finds nothing to do, and a step that fails
// leaves the database as it was.
func migrate(ctx context.Context, conn *pgx.Conn, schema, place string, steps []string) error {
	have, err := versionOf(ctx, conn, schema, place, len(steps))
	if err != nil || have == len(steps) {
		return err
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing after a commit
	// Others may be at it for longer than a statement may usually take.
	if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = '10min'; SET LOCAL lock_timeout = '10min'"); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lockMigration)); err != nil {
		return err
	}
	if have, err = versionOf(ctx, tx, schema, place, len(steps)); err != nil || have == len(steps) {
		return err
	}
	name := pgx.Identifier{schema}.Sanitize()
	var there bool
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)", schema).Scan(&there); err != nil {
		return err
	}
	if !there { // asked for, since IF NOT EXISTS wants the privilege all the same
		if _, err := tx.Exec(ctx, "CREATE SCHEMA "+name); err != nil {
			return err
		}
	}
	for v := have; v < len(steps); v++ {
		// Without arguments the simple protocol runs all statements of the text.
		if _, err := tx.Conn().PgConn().Exec(ctx, steps[v]).ReadAll(); err != nil {
			return fmt.Errorf("migration to version %d: %w", v+1, err)
		}
	}
	if have == 0 {
		if err := searchIndex(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "CREATE TABLE darkroom_schema (version bigint NOT NULL)"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO darkroom_schema VALUES (0)"); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, "UPDATE darkroom_schema SET version = $1", len(steps)); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// versionOf reads the version of the schema; 0 for one that is missing or empty. It refuses what is
// not ours and what is newer than known.
func versionOf(ctx context.Context, q querier, schema, place string, known int) (int, error) {
	var ours bool
	var tables int
	const look = `SELECT coalesce(bool_or(c.relname = 'darkroom_schema'), false), count(*) FROM pg_class c
		JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v')`
	if err := q.QueryRow(ctx, look, schema).Scan(&ours, &tables); err != nil {
		return 0, err
	}
	if !ours && tables > 0 {
		return 0, fmt.Errorf("%w: the schema %q", ErrForeign, schema)
	}
	if !ours {
		return 0, nil
	}
	var version int
	if err := q.QueryRow(ctx, "SELECT version FROM darkroom_schema").Scan(&version); err != nil {
		return 0, err
	}
	if version > known {
		return 0, &NewerError{Place: place, Have: version, Known: known}
	}
	return version, nil
}

// searchIndex makes the search fast where the extension pg_trgm is there or may be made. Without it
// the texts are searched one by one.
func searchIndex(ctx context.Context, tx pgx.Tx) error {
	sp, err := tx.Begin(ctx) // a savepoint
	if err != nil {
		return err
	}
	err = trigrams(ctx, sp)
	if err == nil {
		return sp.Commit(ctx)
	}
	if _, ok := errors.AsType[*pgconn.PgError](err); !ok {
		return err
	}
	return sp.Rollback(ctx) // it is not installed, or not ours to make
}

func trigrams(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS pg_trgm"); err != nil {
		return err
	}
	var in string
	err := tx.QueryRow(ctx, `SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
		WHERE e.extname = 'pg_trgm'`).Scan(&in)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "CREATE INDEX job_search_words ON job_search USING gin (words "+
		pgx.Identifier{in, "gin_trgm_ops"}.Sanitize()+")")
	return err
}
