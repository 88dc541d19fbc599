package store

import (
	"context"
	"database/sql"
	"sync"
)

const (
	// checkpointEvery is how many statements that write lead to a checkpoint; each changes a
	// page or two.
	checkpointEvery = 1000
	// restartFrom is the length of the log, in pages, from which it is begun anew as soon as
	// that can be done at once: by who writes, once at most finishPages are left.
	restartFrom = 4000
	finishPages = 2000
	// logLimit is what remains of a log file that had grown, in bytes.
	logLimit = 64 << 20
)

// checkpoints bring what the log holds into the database file. They are made beside the
// writes: a commit would have to wait for as much as a long reader, as a backup, has held up.
type checkpoints struct {
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	written int     // statements since the last one began
	running bool    // or the store is closing
	db      *sql.DB // opened by the first
}

// wrote counts statements, and begins a checkpoint when there were enough.
func (s *SQLite) wrote(n int) {
	c := &s.checks
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written += n
	if c.written < checkpointEvery || c.running {
		return
	}
	c.written, c.running = 0, true
	c.wg.Go(func() {
		// What fails is done by the next one, or when the history is closed.
		_ = s.checkpoint(c.ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running = c.ctx.Err() != nil
	})
}

// checkpoint makes one, on a connection of its own. While others go on writing it never comes
// to the end of the log, which therefore would only grow: the rest is done in turn.
func (s *SQLite) checkpoint(ctx context.Context) error {
	if s.checks.db == nil {
		db, err := sql.Open("sqlite", dsn(s.path, false))
		if err != nil {
			return err
		}
		db.SetMaxOpenConns(1)
		s.checks.db = db
	}
	const gently = `PRAGMA wal_checkpoint(PASSIVE)`
	var busy, pages, done int
	if err := s.checks.db.QueryRowContext(ctx, gently).Scan(&busy, &pages, &done); err != nil {
		return err
	}
	if pages < restartFrom {
		return nil
	}
	return s.w.do(ctx, func(t *tx) error {
		if err := t.row(`PRAGMA wal_checkpoint(NOOP)`).Scan(&busy, &pages, &done); err != nil {
			return err
		}
		if pages-done == 0 || pages-done > finishPages {
			return nil
		}
		return t.row(gently).Scan(&busy, &pages, &done)
	})
}

// close ends a checkpoint that is being made.
func (c *checkpoints) close() error {
	c.cancel()
	c.mu.Lock()
	c.running = true
	c.mu.Unlock()
	c.wg.Wait()
	if c.db == nil {
		return nil
	}
	return c.db.Close()
}
