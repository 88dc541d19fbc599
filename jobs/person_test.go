package jobs_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/transport"
	"darkroom/jobs"
)

func TestTagsAndRemark(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) { r.gate.pollTime = 10 * time.Second }, func(r *rig) {
		id := r.submit()
		r.pass(2 * time.Second) // a poll is in flight, with a copy from before
		require.NoError(t, r.e.Tag(ctx0, id, []string{"good", "kept"}, nil))
		require.NoError(t, r.e.Tag(ctx0, id, []string{"new"}, []string{"good"}))
		require.NoError(t, r.e.Remark(ctx0, id, " look\x1b[31m here "))
		r.pass(time.Minute)
		for _, j := range []jobs.Job{r.kept(id).Job, r.job(id)} {
			assert.Equal(t, []string{"kept", "new"}, j.Tags)
			assert.Equal(t, "look\u241b[31m here", j.Remark, "no control character")
			assert.Equal(t, jobs.Running, j.State, "the poll was not lost")
		}
		n := len(r.gate.polls("t1"))
		require.NoError(t, r.e.Tag(ctx0, id, []string{"kept"}, nil), "it has it")
		require.NoError(t, r.e.Remark(ctx0, id, ""))
		r.pass(time.Millisecond)
		assert.Len(t, r.gate.polls("t1"), n, "a word of a person is no poll")
		assert.Empty(t, r.kept(id).Job.Remark)
		require.Error(t, r.e.Tag(ctx0, id, []string{"two words"}, nil))
		require.ErrorIs(t, r.e.Remark(ctx0, "nobody", "x"), jobs.ErrNotFound)
	})
}

func TestPauseOfOneJob(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		a, b := r.submit(), r.submit()
		require.NoError(t, r.e.SetPaused(ctx0, a, true))
		n := len(r.gate.polls("t1"))
		r.pass(5 * time.Minute)
		assert.Len(t, r.gate.polls("t1"), n)
		assert.Greater(t, len(r.gate.polls("t2")), 10)
		assert.True(t, r.job(a).Paused)
		require.NoError(t, r.e.SetPaused(ctx0, a, false))
		r.pass(time.Second)
		assert.Len(t, r.gate.polls("t1"), n+1, "it goes on at once")
		r.gate.script(func(id string, _ int) (client.Task, error) { return done(id), nil })
		r.pass(time.Minute)
		require.ErrorIs(t, r.e.SetPaused(ctx0, b, true), jobs.ErrState, "it has ended")
	})
}

func TestPauseOfEverything(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) { r.gate.pollTime = 2 * time.Second }, func(r *rig) {
		for range 100 {
			r.submit()
		}
		r.pass(1500 * time.Millisecond) // polls are in flight
		require.NoError(t, r.e.SetPause(ctx0, "", true))
		r.pass(10 * time.Second)
		assert.True(t, r.e.Counts().Flow.Paused)
		polls := r.gate.total()
		assert.Positive(t, polls, "what is in flight ends")
		id := r.submit()
		r.pass(10 * time.Minute)
		assert.Equal(t, polls, r.gate.total())
		assert.Equal(t, 100, r.gate.sent())
		assert.Equal(t, jobs.Planned, r.job(id).State)
		list, err := r.e.Pauses(ctx0)
		require.NoError(t, err)
		assert.Len(t, list, 1)

		r.gate.pollTime = 0
		require.NoError(t, r.e.SetPause(ctx0, "", false))
		r.pass(500 * time.Millisecond)
		early := r.gate.total() - polls
		assert.LessOrEqual(t, early, 30, "no burst")
		assert.Equal(t, 101, r.gate.sent())
		r.pass(5 * time.Second)
		assert.GreaterOrEqual(t, r.gate.total()-polls, 100, "all of them go on")
		assert.False(t, r.e.Counts().Flow.Paused)
	})
}

// TestAnotherProcessPauses has one engine obey what another one's person decides.
func TestAnotherProcessPauses(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		id := r.submit()
		other := jobs.NewEngine(jobs.Options{Store: r.store, Gateway: r.gate, Profile: "p", Owner: "other"})
		require.NoError(t, other.SetPause(ctx0, "", true))
		require.NoError(t, other.Tag(ctx0, id, []string{"kept"}, nil))
		r.pass(31 * time.Second)
		n := r.gate.total()
		r.pass(10 * time.Minute)
		assert.Equal(t, n, r.gate.total())
		assert.Equal(t, []string{"kept"}, r.job(id).Tags)
		require.NoError(t, other.SetPause(ctx0, "", false))
		require.NoError(t, other.SetPaused(ctx0, id, true))
		r.pass(10 * time.Minute)
		assert.LessOrEqual(t, r.gate.total(), n+1)
		require.NoError(t, other.SetPaused(ctx0, id, false))
		r.pass(2 * time.Minute)
		assert.Greater(t, r.gate.total(), n+1)
	})
}

func TestPauseOfAHost(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.Host = "gateway.example"
		r.gate.script(func(id string, _ int) (client.Task, error) { return done(id), nil })
	}, func(r *rig) {
		require.Error(t, r.e.SetPause(ctx0, "https://h/", true))
		require.NoError(t, r.e.SetPause(ctx0, "H", true)) // where results are
		id := r.submit()
		r.pass(time.Minute)
		assert.Equal(t, jobs.Completed, r.job(id).State, "the gateway is asked")
		assert.Zero(t, r.save.count())
		assert.Equal(t, "h", r.e.Counts().Flow.Hosts)
		require.NoError(t, r.e.SetPause(ctx0, "gateway.example", true))
		require.NoError(t, r.e.SetPause(ctx0, "h", false))
		second := r.submit()
		r.pass(time.Minute)
		assert.Equal(t, 1, r.save.count(), "results go on")
		assert.Equal(t, jobs.Planned, r.job(second).State, "nothing goes to the gateway")
		require.NoError(t, r.e.SetPause(ctx0, "gateway.example", false))
		r.pass(time.Minute)
		assert.Equal(t, 2, r.save.count())
	})
}

// paced is a gateway that holds requests back.
type paced struct {
	*gateway
	state func() transport.PaceState
}

func (p paced) Pace() transport.PaceState { return p.state() }

func TestNothingBeginsWhileTheGatewayHoldsBack(t *testing.T) {
	t.Parallel()
	var until time.Time
	run(t, func(r *rig, o *jobs.Options) {
		o.Gateway = paced{r.gate, func() transport.PaceState {
			if wait := time.Until(until); wait > 0 {
				return transport.PaceState{Rate: 10, Top: 50, Until: until, Wait: wait}
			}
			return transport.PaceState{Rate: 50, Top: 50, Free: 1}
		}}
	}, func(r *rig) {
		id := r.submit()
		until = time.Now().Add(12 * time.Second)
		n := r.gate.total()
		other := r.submit()
		r.pass(10 * time.Second)
		assert.Equal(t, n, r.gate.total())
		assert.Equal(t, jobs.Planned, r.job(other).State, "no worker waits with it")
		left := time.Until(r.e.Counts().Flow.Until)
		assert.InDelta(t, 2, left.Seconds(), 1.1)
		r.pass(4 * time.Second)
		assert.Greater(t, r.gate.total(), n)
		assert.True(t, r.job(other).State.Polled())
		assert.Equal(t, jobs.Running, r.job(id).State)
	})
}

func TestExchangesAreKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.start()
		id := r.submit()
		r.gate.script(func(tid string, n int) (client.Task, error) {
			if n == 3 {
				return client.Task{}, apiError(500)
			}
			tk := task(tid, client.StatusRunning, "running")
			tk.Meta.Path, tk.Meta.Latency = "GET /v1/videos/"+tid, 40*time.Millisecond
			return tk, nil
		})
		r.pass(20 * time.Second)
		d, err := r.e.Detail(ctx0, id)
		require.NoError(t, err)
		polls := len(r.gate.polls("t1"))
		require.Len(t, d.Exchanges, polls+1)
		assert.Equal(t, jobs.ExchangeCreate, d.Exchanges[0].Kind)
		assert.Equal(t, "GET /v1/videos/t1", d.Exchanges[1].Path)
		assert.Equal(t, "req-t1", d.Exchanges[1].RequestID)
		assert.Equal(t, 40*time.Millisecond, d.Exchanges[1].Latency)
		assert.Equal(t, 500, d.Exchanges[3].HTTPStatus)
		assert.NotEmpty(t, d.Exchanges[3].Error)

		rev := r.kept(id).Rev
		r.pass(20 * time.Second)
		assert.LessOrEqual(t, r.kept(id).Rev-rev, int64(1), "unchanged polls cost no write each")
		r.pass(time.Minute)
		inStore := func() []jobs.Exchange {
			d, err := r.store.Detail(ctx0, id)
			require.NoError(t, err)
			return d.Exchanges
		}
		assert.GreaterOrEqual(t, len(inStore()), polls+1, "written after half a minute at the latest")
		r.end()
		all := inStore()
		assert.Len(t, all, min(jobs.MaxExchanges, len(r.gate.polls("t1"))+1), "and at the end")
		assert.Equal(t, r.gate.polls("t1")[len(r.gate.polls("t1"))-1].Truncate(time.Millisecond).UnixMilli(), all[len(all)-1].At.UnixMilli())
	})
}

// TestPlanFromTheHistory polls a task of a kind that takes a minute, as the history says.
func TestPlanFromTheHistory(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		base := time.Now()
		for i := range 40 {
			j := jobs.Job{
				ID: string(rune('a'+i/26)) + string(rune('a'+i%26)), Profile: "p", State: jobs.Completed, Draft: sub("x").Draft,
				AcceptedAt: base, EndedAt: base.Add(time.Minute + time.Duration(i)*100*time.Millisecond),
			}
			require.NoError(t, r.store.Insert(context.Background(), []jobs.Change{{Job: j}}))
		}
		r.gate.script(func(id string, n int) (client.Task, error) {
			return task(id, client.StatusRunning, "running"), nil
		})
	}, func(r *rig) {
		begin := time.Now()
		r.submit()
		r.pass(58 * time.Second)
		assert.Len(t, r.gate.polls("t1"), 1, "one early look")
		assert.InDelta(t, 3, r.gate.polls("t1")[0].Sub(begin).Seconds(), 0.1)
		r.pass(8 * time.Second)
		assert.GreaterOrEqual(t, len(r.gate.polls("t1")), 4, "and close ones when it usually ends")
	})
}

func TestReject(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return task(id, client.StatusFailed, "failed"), nil }
		a, b, alive := r.submit(), r.submit(), ""
		r.pass(time.Minute)
		require.Equal(t, jobs.Failed, r.kept(a).Job.State)
		r.gate.query = nil
		alive = r.submit()
		r.pass(time.Minute)
		_, seq := r.e.Changes(0)
		assert.False(t, jobs.HasRejected(r.e))

		err := r.e.Reject(ctx0, []string{a, alive, "nobody", b}, true)
		require.ErrorIs(t, err, jobs.ErrState)
		require.ErrorIs(t, err, jobs.ErrNotFound)
		assert.ErrorContains(t, err, "has not ended")
		assert.True(t, jobs.HasRejected(r.e))
		for _, id := range []string{a, b} { // one that cannot be does not keep the others
			j := r.kept(id).Job
			assert.False(t, j.Rejected.IsZero())
			assert.NotEmpty(t, j.RejectedBy)
		}
		assert.True(t, r.kept(alive).Job.Rejected.IsZero())
		changed, _ := r.e.Changes(seq)
		require.Len(t, changed, 2, "screens hear of it")
		assert.False(t, (&jobs.Query{}).Matches(&changed[0]))
		assert.True(t, (&jobs.Query{Rejected: jobs.RejectedOnly}).Matches(&changed[0]))
		page, err := r.e.List(ctx0, jobs.Query{})
		require.NoError(t, err)
		require.Len(t, page.Jobs, 1)
		assert.Equal(t, alive, page.Jobs[0].ID)

		d, err := r.e.Detail(ctx0, a)
		require.NoError(t, err)
		n := len(d.Events)
		assert.Equal(t, "rejected", d.Events[n-1].Message)
		require.NoError(t, r.e.Reject(ctx0, []string{a}, true), "it is")
		require.NoError(t, r.e.Reject(ctx0, []string{a}, false))
		require.NoError(t, r.e.Reject(ctx0, []string{a}, false), "it is not")
		d, err = r.e.Detail(ctx0, a)
		require.NoError(t, err)
		assert.Len(t, d.Events, n+1, "only what changed is an event")
		assert.True(t, d.Job.Rejected.IsZero())
		assert.Empty(t, d.Job.RejectedBy)
	})
}
