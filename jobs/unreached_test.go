package jobs_test

import (
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// TestUnreached: a create that never left the machine is held after some tries, and is sent
// when a person resumes it, once.
func TestUnreached(t *testing.T) {
	t.Parallel()
	var online atomic.Bool
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			if online.Load() {
				return task("t", client.StatusQueued, "queued"), nil
			}
			return client.Task{}, &client.CreateError{Outcome: client.OutcomeNotSent, Err: &net.OpError{Op: "dial", Err: errBroken}}
		}
	}, func(r *rig) {
		id, other := r.submit(), r.submit()
		r.pass(10 * time.Minute)
		for _, j := range []jobs.Job{r.job(id), r.kept(id).Job} {
			assert.True(t, jobs.Unreached(j))
			assert.Contains(t, j.Note, "the gateway could not be reached: dial: broken")
		}
		tries := r.gate.sent()
		online.Store(true)
		r.pass(24 * time.Hour)
		require.Equal(t, tries, r.gate.sent(), "nothing is sent that nobody thinks of")
		d, err := r.e.Detail(ctx0, id)
		require.NoError(t, err)
		last := d.Events[len(d.Events)-1]
		assert.Contains(t, last.Message, "paused by itself")
		assert.Equal(t, jobs.EventPlanned, last.Kind, "no person did it")

		require.NoError(t, r.e.Repoll(ctx0, id))
		r.pass(time.Minute)
		assert.True(t, jobs.Unreached(r.job(id)), "as any paused job, it is for resuming alone")

		online.Store(false)
		require.NoError(t, r.e.SetPaused(ctx0, id, false))
		r.pass(10 * time.Minute)
		assert.Equal(t, tries+8, r.gate.sent(), "as often as the first time")
		assert.True(t, jobs.Unreached(r.job(id)))
		online.Store(true)
		require.NoError(t, r.e.SetPaused(ctx0, id, false))
		assert.False(t, jobs.Unreached(r.kept(id).Job))
		r.pass(time.Second)
		j := r.job(id)
		assert.True(t, j.State.Polled())
		assert.Empty(t, j.Note)
		assert.Equal(t, tries+9, r.gate.sent())

		require.NoError(t, r.e.Drop(ctx0, other))
		assert.Equal(t, jobs.Dropped, r.job(other).State)
		assert.False(t, jobs.Unreached(r.job(other)))
	})
}

// TestUnreachedIsNotLostWithTheProcess: another engine leaves it held, and sends it when it is
// resumed there.
func TestUnreachedIsNotLostWithTheProcess(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(_ client.Draft, n int) (client.Task, error) {
			if n > 8 {
				return task("t", client.StatusQueued, "queued"), nil
			}
			return client.Task{}, &client.CreateError{Outcome: client.OutcomeNotSent, Err: &net.OpError{Op: "dial", Err: errBroken}}
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(10 * time.Minute)
		r.end()
		r.e = jobs.NewEngine(jobs.Options{Store: r.store, Gateway: r.gate, Profile: "p", Owner: "next", Rand: func() float64 { return 0.5 }})
		r.start()
		r.pass(time.Minute)
		assert.True(t, jobs.Unreached(r.job(id)))
		assert.Equal(t, 8, r.gate.sent())
		require.NoError(t, r.e.SetPaused(ctx0, id, false))
		r.pass(time.Second)
		assert.True(t, r.job(id).State.Polled())
	})
}
