package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"darkroom/client/disk"
)

// lockWait is how long a lock is tried for.
const lockWait = 5 * time.Second

// openLock opens a file that only serves to be locked: it is never written, and stays.
func openLock(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}

// flock takes or changes a lock without waiting. Where there are none, nothing may be taken for
// one's own alone.
func flock(f *os.File, exclusive bool) bool {
	return disk.Lock(f, exclusive) == nil || !disk.Locks && !exclusive
}

// lock takes a lock within a time, or fails with disk.ErrLocked.
func lock(ctx context.Context, f *os.File, exclusive bool, within time.Duration) error {
	deadline := time.Now().Add(within)
	for !flock(f, exclusive) {
		if time.Now().After(deadline) {
			return disk.ErrLocked
		}
		t := time.NewTimer(10 * time.Millisecond)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		}
	}
	return nil
}

// lockPath is the file by which processes tell each other that the history is open: all hold it
// shared, and whoever sets the history aside holds it alone.
func lockPath(path string) string { return path + ".lock" }

// hold locks the history as one that is open.
func hold(ctx context.Context, path string) (*os.File, error) {
	f, err := openLock(lockPath(path))
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	if err := lock(ctx, f, false, lockWait); err != nil {
		return nil, errors.Join(fmt.Errorf("the history %s: it is just being restored: %w", path, err), f.Close())
	}
	return f, nil
}

// Alone reports whether nobody else has the history open at this moment. Where the system
// has no locks of files it cannot tell, and says yes.
func (s *SQLite) Alone() bool {
	if !disk.Locks {
		return true
	}
	alone := flock(s.openLock, true)
	return flock(s.openLock, false) && alone // an attempt that fails may let go of the shared one
}
