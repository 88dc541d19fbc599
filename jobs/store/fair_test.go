package store

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestWritersTakeTurns: a process that commits without pause leaves others their turn.
func TestWritersTakeTurns(t *testing.T) {
	t.Parallel()
	a := openTest(t)
	b, err := Open(t.Context(), a.Path())
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	list := planned(t, a, 64)
	ctx, stop := context.WithCancel(t.Context())
	var toil sync.WaitGroup
	for _, c := range list {
		toil.Go(func() {
			for ctx.Err() == nil {
				c.Token, c.Events = 1, nil
				c.Job.Polls++
				_, err := a.Commit(ctx, c)
				if ctx.Err() == nil {
					assert.NoError(t, err)
				}
			}
		})
	}
	for range 32 {
		assert.NoError(t, b.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("other"))}))
	}
	stop()
	toil.Wait()
}

// TestAWriterWaits: for the transaction of another process, and no longer than who asked.
func TestAWriterWaits(t *testing.T) {
	t.Parallel()
	a := openTest(t)
	b, err := Open(t.Context(), a.Path())
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	tries := 0
	insert := func(ctx context.Context) error {
		return unbusy(ctx, func() error {
			if tries++; tries == 3 && ctx.Err() == nil {
				return nil // as if it had let go
			}
			return b.w.do(t.Context(), func(t *tx) error {
				_, err := t.exec("BEGIN IMMEDIATE")
				return err
			})
		})
	}
	require.NoError(t, a.tx(t.Context(), func(*tx) error {
		require.NoError(t, insert(t.Context()))
		assert.Equal(t, 3, tries)
		ctx, stop := context.WithCancel(t.Context())
		stop()
		require.ErrorIs(t, insert(ctx), context.Canceled)
		return nil
	}))
	require.NoError(t, b.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("other"))}))
}
