package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// busyEvery is about how often it is looked whether another process let go of the history. A
// process that commits without pause does so for some tens of microseconds at a time; SQLite's
// own wait looks every 100 ms in the end, and may miss all of these for seconds.
const busyEvery = time.Millisecond

// ownBusy has SQLite not wait by itself on the connection that writes.
const ownBusy = `PRAGMA busy_timeout = 0`

// unbusy runs fn until it no longer fails because another process writes, for busyTimeout.
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
