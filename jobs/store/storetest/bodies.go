package storetest

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// testBodiesOnce: a body that several jobs have counts once, and goes with the last of them;
// but for the newest answer of each, which may lie with its job while no event names it.
func testBodiesOnce(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	shared := bytes.Repeat([]byte("the same request of all, "), 100)
	var changes []jobs.Change
	for i := range 6 {
		state := jobs.Failed
		if i >= 4 {
			state = jobs.Completed
		}
		c := Plan(ended(state, Base))
		c.Due = time.Time{}
		c.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: shared}, {Kind: jobs.PayloadAnswer, Body: fmt.Append(nil, "answer ", i)}}
		changes = append(changes, c)
	}
	require.NoError(t, s.Insert(ctx, changes[:3]))
	require.NoError(t, s.Insert(ctx, changes[3:]))
	own := int64(len("answer 0"))
	for _, step := range []struct {
		p    jobs.Prune
		want jobs.Pruned
	}{
		{jobs.Prune{Dry: true}, jobs.Pruned{Jobs: 6, Bytes: 6*own + int64(len(shared))}},
		{jobs.Prune{States: []jobs.State{jobs.Failed}, Dry: true}, jobs.Pruned{Jobs: 4, Bytes: 4 * own}},
		{jobs.Prune{States: []jobs.State{jobs.Failed}}, jobs.Pruned{Jobs: 4, Bytes: 4 * own}},
	} {
		got, err := s.Prune(ctx, step.p)
		require.NoError(t, err)
		assert.Equal(t, step.want, got, "%+v", step.p)
	}
	body, err := s.Payload(ctx, changes[5].Job.ID, jobs.PayloadRequest)
	require.NoError(t, err)
	assert.Equal(t, shared, body)
	// A body that a newer one replaced is gone for that job alone.
	change(t, s, changes[4].Job.ID, func(c *jobs.Change) {
		c.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: []byte("newer")}}
	})
	body, err = s.Payload(ctx, changes[5].Job.ID, jobs.PayloadRequest)
	require.NoError(t, err)
	assert.Equal(t, shared, body)
	change(t, s, changes[5].Job.ID, func(c *jobs.Change) { c.Forget = []jobs.PayloadKind{jobs.PayloadRequest} })
	got, err := s.Prune(ctx, jobs.Prune{})
	require.NoError(t, err)
	assert.Equal(t, jobs.Pruned{Jobs: 2, Bytes: 2*own + int64(len("newer"))}, got, "the shared one went before")
}

// testBodiesRace has many writers name the same few bodies and let them go, in every order:
// none fails, and no body is lost that somebody names.
func testBodiesRace(t *testing.T, s jobs.Store) {
	const writers, rounds = 6, 25
	ctx := t.Context()
	body := func(n int) []byte { return fmt.Append(nil, "body ", n%4) }
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			stays := Plan(ended(jobs.Completed, Base, "keep"))
			if !assert.NoError(t, s.Insert(ctx, []jobs.Change{stays})) {
				return
			}
			for r := range rounds {
				a, b := Plan(ended(jobs.Failed, Base)), Plan(ended(jobs.Failed, Base))
				a.Due, b.Due = time.Time{}, time.Time{}
				a.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: body(w + r)}, {Kind: jobs.PayloadAnswer, Body: body(w + r + 1)}}
				b.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: body(w - r + rounds)}}
				if !assert.NoError(t, s.Insert(ctx, []jobs.Change{a, b})) {
					return
				}
				c := jobs.Change{Job: stays.Job, Token: 1, Due: Base}
				c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: body(2*r + w)}}
				if _, err := s.Commit(ctx, c); !assert.NoError(t, err) {
					return
				}
				got, err := s.Payload(ctx, stays.Job.ID, jobs.PayloadAnswer)
				if !assert.NoError(t, err) || !assert.Equal(t, body(2*r+w), got) {
					return
				}
				if r%5 != w%5 {
					continue
				}
				if _, err := s.Prune(ctx, jobs.Prune{States: []jobs.State{jobs.Failed}}); !assert.NoError(t, err) {
					return
				}
			}
		})
	}
	wg.Wait()
	_, err := s.Prune(ctx, jobs.Prune{States: []jobs.State{jobs.Failed}})
	require.NoError(t, err)
	left := records(t, s)
	require.Len(t, left, writers)
	for _, r := range left {
		assert.Len(t, r.Bodies, 1)
		assert.NotEmpty(t, r.Bodies[r.Current[jobs.PayloadAnswer]])
	}
}

// testRecord: one job is read with its bodies by its id, whatever stands before and behind it.
func testRecord(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	var changes []jobs.Change
	for _, last := range "09af" {
		j := NewJob("kite " + string(last))
		j.ID = "019515a0-0000-7000-8000-00000000a11" + string(last)
		c := Plan(j)
		c.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: []byte(`{"n":"` + string(last) + `"}`)}}
		changes = append(changes, c)
	}
	require.NoError(t, s.Insert(ctx, changes))
	e := jobs.NewEngine(jobs.Options{Store: s, Profile: "p"})
	for _, c := range changes {
		r, err := e.Record(ctx, c.Job.ID)
		require.NoError(t, err)
		assert.Equal(t, c.Job.ID, r.Job.ID)
		assert.Equal(t, c.Payloads[0].Body, r.Bodies[r.Current[jobs.PayloadRequest]])
	}
	for _, no := range []string{"", "0", "019515a0-0000-7000-8000-00000000a111", "019515a0-0000-7000-8000-00000000a11g"} {
		_, err := e.Record(ctx, no)
		assert.ErrorIs(t, err, jobs.ErrNotFound, "%q", no)
	}
}
