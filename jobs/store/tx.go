package store

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// stmtCache keeps statements prepared: parsing costs more than running most of them.
type stmtCache struct {
	prepare func(ctx context.Context, query string) (*sql.Stmt, error)

	mu sync.Mutex
	m  map[string]*sql.Stmt
}

func (c *stmtCache) get(ctx context.Context, query string) (*sql.Stmt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if st, ok := c.m[query]; ok {
		return st, nil
	}
	st, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	if c.m == nil {
		c.m = map[string]*sql.Stmt{}
	}
	c.m[query] = st
	return st, nil
}

func (c *stmtCache) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, st := range c.m {
		errs = append(errs, st.Close())
	}
	c.m = nil
	return errors.Join(errs...)
}

// writer is the one connection that writes, used by one at a time.
type writer struct {
	turn  chan struct{} // holds one value while the connection is free
	conn  *sql.Conn
	stmts stmtCache
	wrote func(statements int) // is told of what was committed
	// denied refuses every transaction; nil for none.
	denied *ReadOnlyError
}

func newWriter(conn *sql.Conn, wrote func(int)) *writer {
	w := &writer{turn: make(chan struct{}, 1), conn: conn, wrote: wrote}
	w.turn <- struct{}{}
	w.stmts.prepare = conn.PrepareContext
	return w
}

// do runs fn alone on the connection, outside a transaction.
func (w *writer) do(ctx context.Context, fn func(*tx) error) error {
	select {
	case <-w.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { w.turn <- struct{}{} }()
	return fn(&tx{ctx: ctx, stmts: &w.stmts})
}

// cache sets how much of the history the connection keeps in memory, in KiB.
func (w *writer) cache(ctx context.Context, kib int) error {
	return w.do(ctx, func(t *tx) error {
		_, err := t.exec("PRAGMA cache_size = -" + strconv.Itoa(kib))
		return err
	})
}

// tx runs fn alone in an immediate transaction.
func (w *writer) tx(ctx context.Context, fn func(*tx) error) error {
	return w.do(ctx, func(t *tx) error { return w.transact(t, fn) })
}

// transact runs fn in an immediate transaction; the caller has the connection.
func (w *writer) transact(t *tx, fn func(*tx) error) error {
	if w.denied != nil {
		return w.denied
	}
	t.execs = 0
	ctx := t.ctx
	done := false
	defer func() {
		t.ctx = ctx
		if !done { // an error, or a panic of fn
			// It fails where nothing was begun or SQLite has rolled back by itself. A BEGIN
			// may have failed and begun: the driver tells of a context that just ended.
			_, _ = w.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if err := unbusy(ctx, func() error {
		_, err := t.exec("BEGIN IMMEDIATE")
		return err
	}); err != nil {
		return err
	}
	if err := fn(t); err != nil {
		return err
	}
	// What was written is either there or not: a context that ends now changes neither.
	t.ctx = context.WithoutCancel(ctx)
	if _, err := t.exec("COMMIT"); err != nil {
		return err
	}
	done = true
	w.wrote(t.execs)
	return nil
}

func (w *writer) close() error { return errors.Join(w.stmts.close(), w.conn.Close()) }

// tx runs prepared statements, on the writer's connection or on the read pool.
type tx struct {
	ctx   context.Context
	stmts *stmtCache
	execs int // statements that were executed, those with large values counted more than once
}

// bulk is how many further statements the values of one are worth, by the pages that they fill.
func bulk(args []any) (n int) {
	const bytes = 8 << 10
	for _, a := range args {
		if b, ok := a.([]byte); ok {
			n += len(b) / bytes
		}
	}
	return n
}

// exec runs a statement and returns how many rows it touched.
func (t *tx) exec(query string, args ...any) (int64, error) {
	st, err := t.stmts.get(t.ctx, query)
	if err != nil {
		return 0, err
	}
	t.execs += 1 + bulk(args)
	res, err := st.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// scanner is one row.
type scanner interface{ Scan(dest ...any) error }

type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

func (t *tx) row(query string, args ...any) scanner {
	st, err := t.stmts.get(t.ctx, query)
	if err != nil {
		return failedRow{err}
	}
	return st.QueryRowContext(t.ctx, args...)
}

// each calls fn for every row of a query.
func (t *tx) each(query string, args []any, fn func(scanner) error) (err error) {
	st, err := t.stmts.get(t.ctx, query)
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(t.ctx, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// reader reads from the pool, each statement by itself.
func (s *SQLite) reader(ctx context.Context) *tx { return &tx{ctx: ctx, stmts: &s.reads} }

// busyEvery is about how often we look whether another process has let go of the history. A process
// that commits without pause does so for some tens of microseconds at a time; SQLite's own wait
// looks every 100 ms in the end, and may miss all of these for seconds.
const busyEvery = time.Millisecond

// ownBusy has SQLite not wait by itself on the connection that writes.
const ownBusy = `PRAGMA busy_timeout = 0`

// unbusy runs fn again while it fails because another process writes, for busyTimeout at most.
func unbusy(ctx context.Context, fn func() error) error {
	err := fn()
	if !busy(err) {
		return err
	}
	for deadline := time.Now().Add(busyTimeout); busy(err) && time.Now().Before(deadline); err = fn() {
		if err := pause(ctx); err != nil {
			return err
		}
	}
	return err
}

// pause waits for about busyEvery.
func pause(ctx context.Context) error {
	wait := time.NewTimer(busyEvery/2 + rand.N(busyEvery)) //nolint:gosec // a delay
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		wait.Stop()
		return ctx.Err()
	}
}

func busy(err error) bool {
	se, ok := errors.AsType[*sqlite.Error](err)
	return ok && se.Code()&0xff == lib.SQLITE_BUSY
}
