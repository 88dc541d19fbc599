package store

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// logLimit is what remains of a log file that had grown, in bytes.
const logLimit = 64 << 20

// logLimits say when the log is copied into the database file; usualLimits has them, except in
// tests.
type logLimits struct {
	// every is how many statements that write lead to a checkpoint; each changes a page or
	// two, and a large body counts as several.
	every int
	// restart is the length of the log, in pages, from which it is begun anew where at most
	// finish pages are left to be copied; from force on that is done with whatever is left.
	restart, finish, force int
	// wait is how long to wait for others who read or write; our own commits wait as long.
	wait time.Duration
}

func usualLimits() logLimits {
	return logLimits{every: 1000, restart: 4000, finish: 2000, force: 16000, wait: 100 * time.Millisecond}
}

// checkpoints bring what the log holds into the database file. They are made beside the writes:
// otherwise a commit would have to copy all that a long reader, such as a backup, has held up.
type checkpoints struct {
	logLimits

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	written int     // statements since the last one began
	running bool    // or the store is closing
	db      *sql.DB // opened by the first
	pinned  int     // the page up to which the log had been copied when others did not let go of it in time
}

// wrote counts statements, and begins a checkpoint when there were enough.
func (s *SQLite) wrote(n int) {
	c := &s.checks
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written += n
	if c.written < c.every || c.running {
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

// checkpoint makes a checkpoint on a connection of its own. While others keep writing it never
// reaches the end of the log, which would only grow: beyond some length the log is therefore begun
// anew in a turn of the writer's.
func (s *SQLite) checkpoint(ctx context.Context) error {
	c := &s.checks
	if c.db == nil {
		db, err := sql.Open("sqlite", dsn(s.path, false))
		if err != nil {
			return err
		}
		db.SetMaxOpenConns(1)
		c.db = db
	}
	var busy, pages, done int
	if err := c.db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &pages, &done); err != nil {
		return err
	}
	if pages < c.restart || pages-done > c.finish && pages < c.force || done == c.pinned {
		return nil
	}
	return s.w.do(ctx, s.restartLog)
}

// restartLog copies the rest of the log and has the next commit begin it anew, if those who read an
// earlier state, and other processes that write, let go of it within a moment. If they do not,
// nobody waits for them again until more of the log has been copied.
func (s *SQLite) restartLog(t *tx) error {
	c := &s.checks
	for until := time.Now().Add(c.wait); ; {
		var busy, pages, done int
		if err := t.row(`PRAGMA wal_checkpoint(RESTART)`).Scan(&busy, &pages, &done); err != nil {
			return err
		}
		if busy == 0 {
			c.pinned = 0
			return nil
		}
		if !time.Now().Before(until) {
			c.pinned = done
			return nil
		}
		if err := pause(t.ctx); err != nil {
			return err
		}
	}
}

// close ends a checkpoint that is being made, and lets no other begin.
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
