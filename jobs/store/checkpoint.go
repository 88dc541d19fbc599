package store

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// logLimit is what remains of a log file that had grown, in bytes.
const logLimit = 64 << 20

// logLimits say when the log is worked off; those of usualLimits but in tests.
type logLimits struct {
	// every is how many statements that write lead to a checkpoint; each changes a page or
	// two, and a large body counts as several.
	every int
	// restart is the length of the log, in pages, from which it is begun anew where at most
	// finish pages are left to be copied; from force on that is done with whatever is left.
	restart, finish, force int
	// wait is how long others are waited for who read or write, and with it commits of ours.
	wait time.Duration
}

func usualLimits() logLimits {
	return logLimits{every: 1000, restart: 4000, finish: 2000, force: 16000, wait: 100 * time.Millisecond}
}

// checkpoints bring what the log holds into the database file. They are made beside the
// writes: a commit would have to wait for as much as a long reader, as a backup, has held up.
type checkpoints struct {
	logLimits

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	written int     // statements since the last one began
	running bool    // or the store is closing
	db      *sql.DB // opened by the first
	pinned  int     // up to which page the log was worked off when waiting for others was in vain
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

// checkpoint makes one, on a connection of its own. While others go on writing it never comes
// to the end of the log, which therefore would only grow: from some length on it is begun anew
// in turn.
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

// restartLog works the log off and has the next commit begin it anew, if those who read an
// earlier state, and other processes that write, let it within a moment. Who does not is not
// waited for again before the log was worked off further.
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
