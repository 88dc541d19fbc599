package jobs_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// away is a store whose reads or writes fail while the test says so.
type away struct {
	*storetest.Mem
	reads, writes atomic.Bool
}

var errAway = errors.New("no route to the history")

func (s *away) Look(ctx context.Context) (int64, error) {
	if s.reads.Load() {
		return 0, errAway
	}
	return s.Mem.Look(ctx)
}

func (s *away) Beat(ctx context.Context, owner string, until time.Time) error {
	if s.writes.Load() {
		return errAway
	}
	return s.Mem.Beat(ctx, owner, until)
}

func (s *away) Commit(ctx context.Context, c jobs.Change) (int64, error) {
	if s.writes.Load() {
		return 0, errAway
	}
	return s.Mem.Commit(ctx, c)
}

// TestAwayAtTheStart: a patient engine waits for a history that is away when it begins.
func TestAwayAtTheStart(t *testing.T) {
	t.Parallel()
	s := &away{}
	s.reads.Store(true)
	run(t, func(r *rig, o *jobs.Options) {
		s.Mem = r.store
		o.Store, o.Patient = s, true
	}, func(r *rig) {
		r.pass(time.Minute)
		assert.Equal(t, errAway.Error(), r.e.Counts().Flow.Why)
		r.submit()
		assert.Zero(t, r.gate.sent())
		s.reads.Store(false)
		r.pass(3 * time.Second)
		assert.Zero(t, r.e.Counts().Flow)
		assert.Equal(t, 1, r.gate.sent())
	})
}

// TestAwayIsTold: an engine says since when it cannot read or write the history, and why,
// polls nothing beyond its lease meanwhile, and goes on by itself.
func TestAwayIsTold(t *testing.T) {
	t.Parallel()
	s := &away{}
	run(t, func(r *rig, o *jobs.Options) {
		s.Mem = r.store
		o.Store = s
		r.gate.query = func(id string, _ int) (client.Task, error) { return task(id, client.StatusRunning, "running"), nil }
	}, func(r *rig) {
		r.submit()
		r.pass(5 * time.Minute)
		flow := func() jobs.Flow { return r.e.Counts().Flow }
		assert.Zero(t, flow())

		s.reads.Store(true)
		since := time.Now()
		r.pass(3 * time.Second)
		assert.WithinDuration(t, since, flow().Away, 2*time.Second)
		assert.Equal(t, errAway.Error(), flow().Why)
		said := flow()
		s.writes.Store(true)
		r.pass(30 * time.Second)
		assert.Equal(t, said, flow(), "since the first failure")
		polls := len(r.gate.polls("t1"))
		assert.Positive(t, polls)
		r.pass(5 * time.Minute)
		assert.Len(t, r.gate.polls("t1"), polls, "without a lease nothing is polled")

		s.reads.Store(false)
		r.pass(3 * time.Second)
		assert.Equal(t, said.Away, flow().Away, "it can be read, and not be written")
		select { // a reader that was told of everything so far
		case <-r.e.Dirty():
		default:
		}
		s.writes.Store(false)
		r.pass(3 * time.Second)
		assert.Zero(t, flow())
		assert.Len(t, r.e.Dirty(), 1, "readers are told")
		r.pass(5 * time.Minute)
		assert.Greater(t, len(r.gate.polls("t1")), polls)
	})
}
