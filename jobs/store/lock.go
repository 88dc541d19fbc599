package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// lockWait is how long a lock is tried for.
const lockWait = 5 * time.Second

// errHeld says that another process has a lock.
var errHeld = errors.New("another process has it open")

// openLock opens a file that only serves to be locked: it is never written, and stays.
func openLock(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}

// lock takes a lock within a time, or fails with errHeld.
func lock(ctx context.Context, f *os.File, exclusive bool, within time.Duration) error {
	deadline := time.Now().Add(within)
	for !flock(f, exclusive) {
		if time.Now().After(deadline) {
			return errHeld
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

// lockPath is the file by which processes tell each other that the history is open: all
// hold it shared, and who sets the history aside has it alone.
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
