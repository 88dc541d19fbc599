package postgres

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/store/storetest"
)

// TestMigrateBesideAWriter: a poller of the former version that is just writing a job ends
// that, and the schema is brought up to date after it: neither fails.
func TestMigrateBesideAWriter(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dsn := server.Database(t)
	steps, err := migrations()
	require.NoError(t, err)
	cfg, schema, err := parse(dsn)
	require.NoError(t, err)
	old := newStore(dsn, schema, cfg, Options{})
	connect := func() *pgx.Conn {
		conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
		require.NoError(t, err)
		t.Cleanup(func() { hangUp(conn) })
		return conn
	}
	writer, comer, look := connect(), connect(), connect()
	require.NoError(t, migrate(ctx, writer, schema, old.place, steps[:2]))
	id := storetest.NewJob("x").ID
	for _, q := range []string{
		`INSERT INTO jobs SELECT $1, 'p', '', 'video', 'm', '', 'videos', '', 'queued', '', '', -1, '', '', '', false, '{}', '', '', '', '', '',
			1, 0, 0, 1, 1, 0, 0`,
		`INSERT INTO work VALUES ($1, 'p', nextval('rev'), 0, 0, 0, '', 1, 0, 1, 0)`,
		`INSERT INTO job_search VALUES ($1, 'x')`,
		`INSERT INTO job_events VALUES ($1, 1, 1, 'refused', '', 'refused', '', 200, '', 'quota', '')`,
	} {
		_, err := writer.Exec(ctx, q, id)
		require.NoError(t, err, q)
	}

	w, err := writer.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = w.Rollback(context.WithoutCancel(ctx)) }()
	write := func(q string) {
		_, err := w.Exec(ctx, q, id)
		require.NoError(t, err, q)
	}
	write(`SELECT 1 FROM work WHERE job_id = $1 FOR UPDATE`)
	write(`UPDATE jobs SET state = 'running' WHERE id = $1`)
	done := make(chan error, 1)
	pid := comer.PgConn().PID()
	go func() { done <- migrate(ctx, comer, schema, old.place, steps) }()
	require.Eventually(t, func() bool {
		var waits bool
		err := look.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE pid = $1 AND NOT granted)`, int64(pid)).Scan(&waits)
		return assert.NoError(t, err) && waits
	}, time.Minute, 10*time.Millisecond)
	write(`UPDATE work SET rev = nextval('rev') WHERE job_id = $1`)
	write(`UPDATE job_search SET words = 'y' WHERE job_id = $1`)
	write(`INSERT INTO job_events VALUES ($1, 2, 1, 'seen', '', 'running', '', 200, '', '', '')`)
	require.NoError(t, w.Commit(ctx))
	require.NoError(t, <-done)

	var words string
	require.NoError(t, look.QueryRow(ctx, `SELECT words FROM `+pgx.Identifier{schema, "job_search"}.Sanitize()+` WHERE job_id = $1`, id).Scan(&words))
	assert.Equal(t, "y\x01quota", words)
}
