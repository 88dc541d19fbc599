package jobs_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/jobs/store/storetest"
)

// slowStore is a history whose next look takes its time, as when its server is away.
type slowStore struct {
	*storetest.Mem
	wait atomic.Int64
}

func (s *slowStore) Look(ctx context.Context) (int64, error) {
	if d := s.wait.Swap(0); d > 0 {
		<-time.After(time.Duration(d))
	}
	return s.Mem.Look(ctx)
}

// TestSlowHistory: an engine that the history kept waiting until its leases ran out begins
// nothing before it has them again.
func TestSlowHistory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := &slowStore{}
		often := func(o *jobs.Options) { // a look each tick, so that one is due with the poll
			o.Look = schedule.Tick
			o.Curve = schedule.Curve{First: time.Second, Max: time.Second}
		}
		a := newRig(t, func(r *rig, o *jobs.Options) {
			slow.Mem = r.store
			o.Store = slow
			often(o)
		})
		b := newRig(t, func(r *rig, o *jobs.Options) { // its own view of the gateway
			r.store = a.store
			o.Store, o.Owner = a.store, "you"
			often(o)
		})
		a.start()
		id := a.submit()
		a.pass(5 * time.Second)
		b.start()
		a.pass(3 * time.Second)
		a.pass(time.Until(a.job(id).NextPollAt) - time.Millisecond)
		slow.wait.Store(int64(20 * time.Second))
		n := a.gate.total()
		a.pass(time.Minute)
		require.NotZero(t, b.gate.total(), "taken over meanwhile")
		assert.Equal(t, n, a.gate.total(), "it is in other hands")
		b.end()
		a.end()
	})
}
