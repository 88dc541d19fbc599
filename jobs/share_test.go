package jobs_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestTwoEngines works with two processes' engines on one history.
func TestTwoEngines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newRig(t, nil)
		b := newRig(t, func(r *rig, o *jobs.Options) {
			r.store, r.gate = a.store, a.gate
			o.Store, o.Gateway, o.Owner = a.store, a.gate, "you"
		})
		a.start()
		b.start()
		var mine []string
		for range 10 {
			mine = append(mine, a.submit(), b.submit())
		}
		a.pass(10 * time.Minute)
		assert.Equal(t, 20, a.gate.sent(), "no job is sent twice")
		for i := range 20 {
			p := a.gate.polls(taskID(i))
			require.Greater(t, len(p), 10)
			for k := 1; k < len(p); k++ {
				assert.GreaterOrEqual(t, p[k].Sub(p[k-1]), 900*time.Millisecond, "polled by one only")
			}
		}
		assert.Equal(t, 20, b.e.Counts().Running, "each sees the other's")
		list, _ := b.e.Changes(0)
		assert.Len(t, list, 20)
		require.NoError(t, b.e.Repoll(ctx0, mine[0]))
		n := len(a.gate.polls("t1"))
		a.pass(1100 * time.Millisecond)
		assert.Len(t, a.gate.polls("t1"), n+1, "asked for by the one, done by the other that has it")
		require.NoError(t, b.e.Drop(ctx0, mine[0]))
		n++
		a.end() // gives its jobs to the other at once
		b.pass(time.Minute)
		assert.Len(t, a.gate.polls("t1"), n)
		for i := 1; i < 20; i++ {
			p := a.gate.polls(taskID(i))
			assert.Greater(t, p[len(p)-1], time.Now().Add(-31*time.Second), i)
		}
		b.end()
	})
}

func taskID(i int) string { return fmt.Sprintf("t%d", i+1) }

// TestStalledEngineLosesItsLeases keeps an engine from renewing its leases.
func TestStalledEngineLosesItsLeases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		stalled := false
		a := newRig(t, func(r *rig, o *jobs.Options) {
			r.store.Fail = func(op string, _ *jobs.Change) error {
				mu.Lock()
				defer mu.Unlock()
				if stalled && op == "beat" {
					return errBroken
				}
				return nil
			}
		})
		a.start()
		id := a.submit()
		a.pass(time.Minute)
		mu.Lock()
		stalled = true
		mu.Unlock()
		a.pass(9 * time.Second)
		n := len(a.gate.polls("t1"))
		a.pass(time.Minute)
		assert.Len(t, a.gate.polls("t1"), n, "without a lease nothing is polled")
		mu.Lock()
		stalled = false
		mu.Unlock()
		a.pass(time.Minute)
		assert.Greater(t, len(a.gate.polls("t1")), n)
		assert.Equal(t, jobs.Running, a.job(id).State)
		a.end()
	})
}

func TestOwnOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var other string
		r := newRig(t, func(r *rig, o *jobs.Options) {
			o.OwnOnly = true
			for _, s := range []jobs.State{jobs.Planned, jobs.Running} {
				j := storetest.NewJob("theirs")
				j.State, j.TaskID = s, "theirs"
				other = j.ID
				require.NoError(t, r.store.Insert(ctx0, []jobs.Change{{Job: j, Due: time.Now()}}))
			}
			r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
		})
		r.start()
		mine := r.submit()
		_, err := r.e.Answered(ctx0, []string{mine})
		require.NoError(t, err)
		r.pass(time.Minute)
		assert.Equal(t, jobs.Completed, r.job(mine).State)
		assert.Equal(t, 1, r.gate.sent())
		assert.Empty(t, r.gate.polls("theirs"))
		out, err := r.e.Wait(ctx0, []string{other})
		require.NoError(t, err)
		assert.Equal(t, jobs.Completed, out[0].State)
		assert.Equal(t, 1, r.gate.sent())
		r.end()
	})
}
