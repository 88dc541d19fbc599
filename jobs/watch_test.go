package jobs_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// told is a store that tells of writes when the test says so, and counts looks.
type told struct {
	*storetest.Mem
	written chan struct{}
	err     error
	looks   atomic.Int64
}

func (s *told) Watch(context.Context) (<-chan struct{}, error) { return s.written, s.err }

func (s *told) Look(ctx context.Context) (int64, error) {
	s.looks.Add(1)
	return s.Mem.Look(ctx)
}

func watched(t *testing.T, s *told, body func(*rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s.Mem, s.written = storetest.NewMem(), make(chan struct{}, 1)
		r := newRig(t, func(r *rig, o *jobs.Options) {
			r.store = s.Mem
			o.Store = s
			r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
		})
		r.start()
		body(r)
		r.end()
	})
}

func plan(t *testing.T, s jobs.Store, id, owner string) {
	t.Helper()
	c := storetest.Plan(storetest.NewJob(id))
	c.Due = time.Now()
	if owner != "" {
		c.Take, c.Owner, c.Until = true, owner, time.Now().Add(time.Minute)
	}
	require.NoError(t, s.Insert(ctx0, []jobs.Change{c}))
}

// TestIdleEngineSleeps: where the store tells of writes, nothing is looked for while
// nobody writes, and what somebody writes is seen within a second.
func TestIdleEngineSleeps(t *testing.T) {
	t.Parallel()
	s := &told{}
	watched(t, s, func(r *rig) {
		s.looks.Store(0)
		r.pass(time.Hour)
		assert.LessOrEqual(t, s.looks.Load(), int64(121), "looks in an hour")

		plan(t, s, "theirs", "")
		s.written <- struct{}{}
		r.pass(1001 * time.Millisecond)
		assert.Equal(t, 1, r.gate.sent(), "what another process left behind is seen and sent")
	})
}

// TestToldBeforeTheCommit: a write is told of when it begins; what it writes can be read
// only when its transaction has come to the disk, which may take seconds. It is seen
// within about as long again.
func TestToldBeforeTheCommit(t *testing.T) {
	t.Parallel()
	s := &told{}
	watched(t, s, func(r *rig) {
		r.pass(time.Minute)
		s.written <- struct{}{}
		r.pass(3500 * time.Millisecond)
		plan(t, s, "theirs", "")
		r.pass(3501 * time.Millisecond)
		assert.Equal(t, 1, r.gate.sent())
	})
}

// TestOwnWritesAreNoLooks: a burst of writes, most of them our own, is one look a second.
func TestOwnWritesAreNoLooks(t *testing.T) {
	t.Parallel()
	s := &told{}
	watched(t, s, func(r *rig) {
		s.looks.Store(0)
		for range 1000 {
			select {
			case s.written <- struct{}{}:
			default:
			}
			r.pass(10 * time.Millisecond)
		}
		assert.LessOrEqual(t, s.looks.Load(), int64(11), "looks in ten seconds")
	})
}

// TestLooksWhereNothingTells: a watch that cannot be had or broke off, and leases of
// others that may run out in silence, make the engine look for itself.
func TestLooksWhereNothingTells(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		err  error
		then func(*told)
	}{
		"no watch":     {err: errors.New("not here")},
		"broken off":   {then: func(s *told) { close(s.written) }},
		"others lease": {then: func(s *told) { plan(t, s, "theirs", "you"); s.written <- struct{}{} }},
	} {
		t.Run(name, func(t *testing.T) {
			s := &told{err: k.err}
			watched(t, s, func(r *rig) {
				if k.then != nil {
					k.then(s)
				}
				r.pass(2 * time.Second)
				s.looks.Store(0)
				r.pass(10 * time.Second)
				assert.GreaterOrEqual(t, s.looks.Load(), int64(9), "looks in ten seconds")
			})
		})
	}
}
