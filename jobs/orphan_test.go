package jobs_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestACreateWhoseSenderIsGone is shown as what the next engine makes of it, and decided about
// before that one has come by; one that another process waits for is neither.
func TestACreateWhoseSenderIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil) // it only reads: Run is not called
		sending := func(until time.Duration) string {
			j := storetest.NewJob("x")
			j.State = jobs.Submitting
			now := time.Now()
			require.NoError(t, r.store.Insert(ctx0, []jobs.Change{{Job: j, Due: now, Take: true, Owner: "other", Until: now.Add(until)}}))
			return j.ID
		}
		a, b, c := sending(5*time.Second), sending(5*time.Second), sending(5*time.Second)
		shown := func() (states []jobs.State) {
			t.Helper()
			p, err := r.e.List(ctx0, jobs.Query{})
			require.NoError(t, err)
			for _, j := range p.Jobs {
				states = append(states, j.State)
				one, err := r.e.Get(ctx0, j.ID)
				require.NoError(t, err)
				d, err := r.e.Detail(ctx0, j.ID)
				require.NoError(t, err)
				assert.Equal(t, []jobs.State{j.State, j.State}, []jobs.State{one.State, d.Job.State})
				if j.State == jobs.Ambiguous {
					assert.Contains(t, j.Note, "adopt a task id, resend or drop")
				}
			}
			return states
		}
		assert.Equal(t, []jobs.State{jobs.Submitting, jobs.Submitting, jobs.Submitting}, shown())
		require.ErrorIs(t, r.e.Drop(ctx0, a), jobs.ErrInFlight)
		require.ErrorIs(t, r.e.Adopt(ctx0, a, "t1"), jobs.ErrInFlight)
		r.pass(4 * time.Second)
		require.NoError(t, r.store.Beat(ctx0, "other", time.Now().Add(5*time.Second)))
		r.pass(4 * time.Second)
		assert.Equal(t, []jobs.State{jobs.Submitting, jobs.Submitting, jobs.Submitting}, shown(), "its sender lives")
		r.pass(2 * time.Second)
		assert.Equal(t, []jobs.State{jobs.Ambiguous, jobs.Ambiguous, jobs.Ambiguous}, shown())
		assert.Equal(t, jobs.Submitting, r.kept(a).Job.State, "looking changes nothing")

		require.NoError(t, r.e.Adopt(ctx0, a, "t1"))
		assert.Equal(t, "t1", r.kept(a).Job.TaskID)
		assert.Equal(t, []jobs.EventKind{jobs.EventAmbiguous, jobs.EventPerson}, r.kinds(a))
		require.NoError(t, r.e.Drop(ctx0, b))
		assert.Equal(t, jobs.Dropped, r.kept(b).Job.State)
		again, err := r.e.Resend(ctx0, c)
		require.NoError(t, err)
		assert.Equal(t, jobs.Planned, r.kept(again).Job.State)
	})
}

// TestOrphansAreListedAsAmbiguous: a query finds a job under the state that it is shown with,
// and a page is full where there is enough.
func TestOrphansAreListedAsAmbiguous(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		now := time.Now()
		insert := func(n int, s jobs.State, owner string) (ids []string) {
			for range n {
				j := storetest.NewJob("x")
				j.State = s
				require.NoError(t, r.store.Insert(ctx0, []jobs.Change{{Job: j, Due: now, Take: true, Owner: owner, Until: now.Add(5 * time.Second)}}))
				ids = append(ids, j.ID)
			}
			return ids
		}
		ambiguous := insert(3, jobs.Ambiguous, "")
		gone := insert(3, jobs.Submitting, "gone")
		r.pass(6 * time.Second)
		now = time.Now()
		sent := insert(3, jobs.Submitting, "lives")
		listed := func(limit int, states ...jobs.State) (ids []string) {
			t.Helper()
			q := jobs.Query{States: states, Limit: limit}
			for {
				p, err := r.e.List(ctx0, q)
				require.NoError(t, err)
				for _, j := range p.Jobs {
					ids = append(ids, j.ID)
				}
				if p.Next != "" {
					require.Len(t, p.Jobs, limit, "a page that is not the last one is full")
				}
				if q.Before = p.Next; p.Next == "" {
					return ids
				}
			}
		}
		for _, limit := range []int{0, 1, 2, 4} {
			assert.ElementsMatch(t, append(slices.Clone(ambiguous), gone...), listed(limit, jobs.Ambiguous), limit)
			assert.ElementsMatch(t, sent, listed(limit, jobs.Submitting), limit)
			assert.Len(t, listed(limit, jobs.Submitting, jobs.Ambiguous), 9)
			assert.Empty(t, listed(limit, jobs.Running))
		}
	})
}
