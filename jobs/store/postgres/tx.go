package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// tx is a transaction whose statements are sent together, when a result is needed or at
// its end: most take two round trips.
type tx struct {
	s     *Store
	ctx   context.Context
	conn  *pgxpool.Conn
	batch *pgx.Batch
	xid   string // of the transaction, when it has begun
	sent  bool   // the commit was sent
	tells bool   // others are to be told of it

	// id and rev are of the job that a commit changes, nil for none: see lost.
	id  string
	rev *int64
}

// exec queues a statement.
func (t *tx) exec(sql string, args ...any) { t.batch.Queue(sql, args...) }

// row queues a statement whose one row is read at the next flush.
func (t *tx) row(scan func(pgx.Row) error, sql string, args ...any) {
	t.batch.Queue(sql, args...).QueryRow(scan)
}

// each queues a statement whose rows are read at the next flush.
func (t *tx) each(scan func(pgx.Row) error, sql string, args ...any) {
	t.batch.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// flush sends what is queued and reads the results; an error ends the transaction.
func (t *tx) flush() error {
	if t.batch.Len() == 0 {
		return nil
	}
	b := t.batch
	t.batch = &pgx.Batch{}
	return t.conn.SendBatch(t.ctx, b).Close()
}

// attempts bounds how often a transaction is tried when others get in its way.
const attempts = 6

// write runs fn in a transaction that writes, and commits it. fn is run again when the server gave
// up the transaction for another one, or when the connection broke before the commit. A commit
// whose answer was lost is looked up: nothing is written twice.
func (s *Store) write(ctx context.Context, fn func(*tx) error) error {
	ctx, cancel := limit(ctx)
	defer cancel()
	if err := s.sync(ctx); err != nil {
		return s.explain(err)
	}
	for try := 1; ; try++ {
		err := s.once(ctx, fn)
		if err == nil || try == attempts || ctx.Err() != nil || !passing(err) {
			return s.explain(err)
		}
		wait := time.NewTimer(time.Duration(rand.Int64N(int64(try)*10+1)) * time.Millisecond) //nolint:gosec // a delay
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return s.explain(err)
		}
	}
}

// brokenError says that a connection broke before the commit was sent.
type brokenError struct{ error }

func (e brokenError) Unwrap() error { return e.error }

// passing reports whether a transaction that failed may succeed when it is tried again.
func passing(err error) bool {
	if _, ok := errors.AsType[brokenError](err); ok {
		return true
	}
	code := codeOf(err)
	return code == codeSerialize || code == codeDeadlock || code == codeForeign // see bodies.go
}

func (s *Store) once(ctx context.Context, fn func(*tx) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // closes a connection that is broken, or in a transaction
	t := &tx{s: s, ctx: ctx, conn: conn, batch: &pgx.Batch{}}
	err = t.run(fn)
	switch closed := conn.Conn().IsClosed(); {
	case err == nil:
		if t.tells {
			s.tell()
		}
		return nil
	case !closed: // the server's own word, or ours: nothing was written
		if conn.Conn().PgConn().TxStatus() != 'I' {
			t.rollback()
		}
		return err
	case t.sent:
		return s.lost(ctx, t, err)
	case ctx.Err() != nil:
		return err
	default:
		return brokenError{err}
	}
}

func (t *tx) run(fn func(*tx) error) error {
	t.exec("BEGIN")
	// Since relies on this lock, see there; it has to be taken before a rev is drawn.
	t.row(func(r pgx.Row) error { return r.Scan(&t.xid) },
		"SELECT pg_current_xact_id()::text FROM rev, pg_advisory_xact_lock_shared($1 | last_value)", t.s.space)
	if err := fn(t); err != nil {
		return err
	}
	if t.xid == "" { // without it nobody could tell what became of a lost commit
		begin, rest := &pgx.Batch{}, t.batch
		begin.QueuedQueries, rest.QueuedQueries = rest.QueuedQueries[:2], rest.QueuedQueries[2:]
		t.batch = begin
		if err := t.flush(); err != nil {
			return err
		}
		t.batch = rest
	}
	return t.commit()
}

// commit ends the transaction with what is queued.
func (t *tx) commit() error {
	t.batch.Queue("COMMIT").Exec(func(tag pgconn.CommandTag) error {
		if tag.String() != "COMMIT" {
			return fmt.Errorf("the server answered %s to the commit", tag)
		}
		return nil
	})
	t.sent = true
	return t.flush()
}

// rollbackLimit bounds a ROLLBACK, whatever became of the caller.
const rollbackLimit = 2 * time.Second

func (t *tx) rollback() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), rollbackLimit)
	defer cancel()
	if _, err := t.conn.Exec(ctx, "ROLLBACK"); err != nil {
		_ = t.conn.Conn().Close(ctx)
	}
}

// lostLimit is how long we ask what became of a commit whose answer was lost.
const lostLimit = 5 * time.Second

// lost finds out what became of a commit that the connection broke on.
func (s *Store) lost(ctx context.Context, t *tx, err error) error {
	ask, cancel := context.WithTimeout(context.WithoutCancel(ctx), lostLimit)
	defer cancel()
	for {
		var status string
		e := s.pool.QueryRow(ask, "SELECT coalesce(pg_xact_status($1::text::xid8), '')", t.xid).Scan(&status)
		switch {
		case e == nil && status == "committed":
			if t.tells {
				s.tell()
			}
			return t.recall(ask)
		case e == nil && status == "aborted":
			return brokenError{err}
		}
		wait := time.NewTimer(50 * time.Millisecond)
		select {
		case <-wait.C:
		case <-ask.Done():
			wait.Stop()
			return fmt.Errorf("the connection broke at the commit, and it is not known whether that was written: %w", err)
		}
	}
}

// recall reads the rev that a lost commit gave; it stays 0 when the job was changed again
// meanwhile, which Since then reports.
func (t *tx) recall(ctx context.Context) error {
	if t.rev == nil || *t.rev != 0 {
		return nil
	}
	err := t.s.pool.QueryRow(ctx, `SELECT rev FROM work WHERE job_id = $1
		AND xmin::text = ($2::text::bigint & 4294967295)::text`, text(t.id), t.xid).Scan(t.rev)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}
