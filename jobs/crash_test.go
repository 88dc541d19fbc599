package jobs_test

import (
	"fmt"
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

// TestRestart begins on what a killed process left in each state.
func TestRestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ids := map[jobs.State]string{}
		r := newRig(t, func(r *rig, o *jobs.Options) {
			for _, s := range []jobs.State{jobs.Planned, jobs.Submitting, jobs.Queued, jobs.Running, jobs.Unknown, jobs.Completed, jobs.Failed} {
				j := storetest.NewJob(string(s))
				j.State, ids[s] = s, j.ID
				if s != jobs.Planned && s != jobs.Submitting {
					j.TaskID, j.QueryFormat = "task-"+string(s), "videos"
				}
				c := jobs.Change{Job: j, Due: time.Now(), Take: true, Owner: "killed", Until: time.Now().Add(5 * time.Second)}
				if s == jobs.Completed {
					c.Job.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://h/v"}}
					c.Job.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileFetching, Bytes: 7}}
				}
				if s == jobs.Failed {
					c.Due = time.Time{}
				}
				require.NoError(t, r.store.Insert(ctx0, []jobs.Change{c}))
			}
		})
		r.start()
		r.pass(4 * time.Second)
		assert.Zero(t, r.gate.sent(), "the other process may live")
		assert.Equal(t, 5, r.e.Counts().Running+r.e.Counts().Queued)
		r.pass(3 * time.Second)
		assert.Equal(t, 1, r.gate.sent(), "what was planned is sent, and nothing else")
		assert.Equal(t, "planned", r.gate.creates[0].Prompt)
		assert.Equal(t, jobs.Ambiguous, r.kept(ids[jobs.Submitting]).Job.State)
		for _, s := range []jobs.State{jobs.Queued, jobs.Running, jobs.Unknown} {
			assert.NotEmpty(t, r.gate.polls("task-"+string(s)), s)
		}
		assert.Equal(t, jobs.FileSaved, r.kept(ids[jobs.Completed]).Job.Files[0].State)
		assert.Empty(t, r.gate.polls("task-failed"))
		r.pass(time.Hour)
		assert.Equal(t, 1, r.gate.sent())
		r.end()
	})
}

func TestNothingIsSentWithoutTheJournal(t *testing.T) {
	t.Parallel()
	var fine atomic.Bool
	run(t, func(r *rig, _ *jobs.Options) {
		r.store.Fail = func(op string, c *jobs.Change) error {
			if !fine.Load() && op == "commit" && c.Job.State == jobs.Submitting {
				return errBroken
			}
			return nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(time.Minute)
		assert.Zero(t, r.gate.sent())
		assert.Contains(t, r.job(id).Note, "not sent")
		fine.Store(true)
		r.pass(2 * time.Minute)
		assert.Equal(t, 1, r.gate.sent())
	})
}

func TestAnswerOutlivesABrokenHistory(t *testing.T) {
	t.Parallel()
	var fine atomic.Bool
	run(t, func(r *rig, _ *jobs.Options) {
		r.store.Fail = func(op string, c *jobs.Change) error {
			if !fine.Load() && op == "commit" && c.Job.TaskID != "" {
				return errBroken
			}
			return nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(10 * time.Minute)
		assert.Equal(t, "t1", r.job(id).TaskID, "a person can see the id")
		assert.Contains(t, r.job(id).Note, "history")
		assert.Equal(t, 1, r.e.Busy())
		fine.Store(true)
		r.pass(10 * time.Second)
		assert.Equal(t, "t1", r.kept(id).Job.TaskID)
		assert.Equal(t, 1, r.gate.sent())
		assert.Zero(t, r.e.Busy())
	})
}

func TestSubmitFailure(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		r.store.Fail = func(op string, _ *jobs.Change) error {
			if op == "insert" {
				return errBroken
			}
			return nil
		}
		o.FormatFor = func(d client.Draft) string {
			if d.Model == "famA3" {
				return "videos"
			}
			return ""
		}
	}, func(r *rig) {
		_, err := r.e.Submit(ctx0, []jobs.Submission{sub("a"), sub("b")})
		require.ErrorIs(t, err, errBroken)
		r.pass(time.Minute)
		assert.Zero(t, r.gate.sent())
		for field, s := range map[string]jobs.Submission{
			"model":    {Draft: client.Draft{Modality: client.Video}},
			"modality": {Draft: client.Draft{Model: "famA3"}},
			"format":   {Draft: client.Draft{Modality: client.Video, Model: "nobody"}},
		} {
			_, err := r.e.Submit(ctx0, []jobs.Submission{sub("fine"), s})
			require.ErrorContains(t, err, field)
			assert.ErrorContains(t, err, "submission 2")
		}
		p, err := r.store.List(ctx0, jobs.Query{})
		require.NoError(t, err)
		assert.Empty(t, p.Jobs)
	})
}

func TestShutdownGivesCreatesGrace(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		hold  time.Duration
		state jobs.State
	}{"short": {3 * time.Second, jobs.Queued}, "long": {time.Minute, jobs.Ambiguous}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, func(r *rig, _ *jobs.Options) { r.gate.hold = tc.hold }, func(r *rig) {
				id := r.submit()
				assert.Equal(t, 1, r.e.Busy())
				begin := time.Now()
				r.end()
				assert.LessOrEqual(t, time.Since(begin), 6*time.Second)
				w := r.kept(id)
				assert.Equal(t, tc.state, w.Job.State)
				assert.Empty(t, w.Owner, "leases are given back")
				assert.Zero(t, r.e.Busy())
			})
		})
	}
}

func TestIdle(t *testing.T) {
	t.Parallel()
	var writes atomic.Int64
	run(t, func(r *rig, _ *jobs.Options) {
		r.store.Fail = func(string, *jobs.Change) error {
			writes.Add(1)
			return nil
		}
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
	}, func(r *rig) {
		id := r.submit()
		_, err := r.e.Wait(ctx0, []string{id})
		require.NoError(t, err)
		writes.Store(0)
		drain(r.e.Dirty())
		r.pass(time.Hour)
		assert.Zero(t, writes.Load(), "an idle engine writes nothing")
		select {
		case <-r.e.Dirty():
			t.Error("dirty without a change")
		default:
		}
	})
}

func drain(c <-chan struct{}) {
	select {
	case <-c:
	default:
	}
}

func TestPollsInFlightAreCapped(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.MaxPolls, o.MaxCreates = 4, 3
		r.gate.pollTime = 300 * time.Millisecond
	}, func(r *rig) {
		var subs []jobs.Submission
		for i := range 40 {
			subs = append(subs, sub(fmt.Sprint(i)))
		}
		_, err := r.e.Submit(ctx0, subs)
		require.NoError(t, err)
		r.pass(time.Minute)
		assert.Equal(t, 40, r.gate.sent())
		assert.Equal(t, 4, r.gate.most)
		for i := range 40 {
			assert.NotEmpty(t, r.gate.polls(fmt.Sprintf("t%d", i+1)), i)
		}
	})
}

func TestClockJumpMakesNoBurst(t *testing.T) {
	t.Parallel()
	var offset atomic.Int64
	run(t, func(r *rig, o *jobs.Options) {
		o.Clock = func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }
	}, func(r *rig) {
		var subs []jobs.Submission
		for i := range 100 {
			subs = append(subs, sub(fmt.Sprint(i)))
		}
		_, err := r.e.Submit(ctx0, subs)
		require.NoError(t, err)
		r.pass(2 * time.Minute)
		for _, jump := range []time.Duration{8 * time.Hour, -24 * time.Hour} {
			offset.Add(int64(jump))
			r.pass(1100 * time.Millisecond)
			before := r.allPolls()
			r.pass(time.Second)
			assert.LessOrEqual(t, r.allPolls()-before, 45, "spread after a jump of %s", jump)
			r.pass(time.Minute)
			assert.Greater(t, r.allPolls()-before, 150, "all go on after a jump of %s", jump)
		}
		p, err := r.store.List(ctx0, jobs.Query{States: []jobs.State{jobs.Running}, Limit: 200})
		require.NoError(t, err)
		assert.Len(t, p.Jobs, 100)
	})
}

func (r *rig) allPolls() int {
	r.gate.mu.Lock()
	defer r.gate.mu.Unlock()
	n := 0
	for _, q := range r.gate.queries {
		n += len(q)
	}
	return n
}
