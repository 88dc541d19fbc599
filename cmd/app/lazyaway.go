package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/jobs"
	"darkroom/jobs/store/postgres"
)

// openEvery is how often to try to open a history whose server is away.
const openEvery = 2 * time.Second

// absence is why a history cannot be opened, and since when.
type absence struct {
	since time.Time
	err   error
}

// openBy opens the desk and ends the wait. While the server of a shared history is away it keeps
// trying until ctx ends; readers learn of it from Counts, as when a history goes away later.
func (l *lazyJobs) openBy(ctx context.Context, open func() (*Desk, error)) {
	since := time.Now()
	for {
		d, err := open()
		if err != nil && ctx.Err() != nil { // given up, in whatever words a database says that
			err = errors.Join(ctx.Err(), err)
		}
		if err == nil || !postgres.Away(err) || ctx.Err() != nil {
			l.set(d, err)
			return
		}
		l.absent.Store(&absence{since, err})
		l.poke()
		again := time.NewTimer(openEvery)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			l.set(nil, ctx.Err())
			return
		}
	}
}

// missing is why the history cannot be asked now, though it may be later.
func (l *lazyJobs) missing() error {
	if a := l.absent.Load(); a != nil {
		return fmt.Errorf("the history does not answer; trying again: %w", a.err)
	}
	return nil
}

// early are the counts before the history is open.
func (l *lazyJobs) early() jobs.Counts {
	if a := l.absent.Load(); a != nil {
		return jobs.Counts{Flow: jobs.Flow{Away: a.since, Why: a.err.Error()}}
	}
	return jobs.Counts{}
}
