package app

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/app/internal/ahead"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
	"darkroom/tui/screens/queue"
)

var errDial = &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}

// TestAHistoryThatIsAwayIsOpenedLater: while its server is away readers are told, and nobody
// waits for ever; when it is back all works. The clock is the bubble's.
func TestAHistoryThatIsAwayIsOpenedLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLazyJobs()
		tries := 0
		go l.openBy(t.Context(), func() (*Desk, error) {
			if tries++; tries <= 3 {
				return nil, errDial
			}
			return &Desk{Engine: jobs.NewEngine(jobs.Options{Store: storetest.NewMem()}), ended: make(chan struct{})}, nil
		})
		synctest.Wait()
		f := l.Counts().Flow
		assert.False(t, f.Away.IsZero())
		assert.Contains(t, f.Why, "connection refused")
		_, err := l.List(t.Context(), jobs.Query{})
		require.ErrorContains(t, err, "trying again: dial tcp: connection refused")
		assert.Empty(t, l.trouble(), "it may come back")
		time.Sleep(3 * openEvery) //nolint:forbidigo // of the bubble's clock
		synctest.Wait()
		assert.Equal(t, 4, tries)
		assert.True(t, l.Counts().Flow.Away.IsZero())
		_, err = l.List(t.Context(), jobs.Query{})
		require.NoError(t, err)
	})
}

// TestOpeningEnds: with the console, and where waiting is of no use.
func TestOpeningEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLazyJobs()
		ctx, stop := context.WithCancel(t.Context())
		go l.openBy(ctx, func() (*Desk, error) { return nil, errDial })
		synctest.Wait()
		stop()
		require.NoError(t, l.close(), "it was never open")

		l = newLazyJobs()
		ctx, stop = context.WithCancel(t.Context())
		l.openBy(ctx, func() (*Desk, error) {
			stop()
			return nil, fmt.Errorf("the tables: %w", sql.ErrTxDone) // what a database says when a change is given up
		})
		require.NoError(t, l.close(), "somebody quit while the history was being made")

		l = newLazyJobs()
		l.openBy(t.Context(), func() (*Desk, error) { return nil, errors.New("no such database") })
		require.ErrorContains(t, l.close(), "no such database")
		assert.Contains(t, l.trouble(), "no such database")
		assert.True(t, l.Counts().Flow.Away.IsZero())
	})
}

// counted is a history that counts the pages that are read of it.
type counted struct {
	*storetest.Mem
	pages int
}

func (c *counted) List(ctx context.Context, q jobs.Query) (jobs.Page, error) {
	c.pages++
	return c.Mem.List(ctx, q)
}

// TestTheFirstPageOfQueueIsReadAhead: once the history is open, and not again when it is asked for.
func TestTheFirstPageOfQueueIsReadAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, store := newLazyJobs(), &counted{Mem: storetest.NewMem()}
		l.first = ahead.Of(queue.FirstPage("work"))
		go l.readAhead(t.Context())
		l.set(&Desk{Engine: jobs.NewEngine(jobs.Options{Store: store}), ended: make(chan struct{})}, nil)
		synctest.Wait()
		require.Equal(t, 1, store.pages)
		_, err := l.List(t.Context(), queue.FirstPage("work"))
		require.NoError(t, err)
		assert.Equal(t, 1, store.pages)
		_, err = l.List(t.Context(), queue.FirstPage("work"))
		require.NoError(t, err)
		assert.Equal(t, 2, store.pages, "what changed without news is seen when it is asked for again")
	})
}
