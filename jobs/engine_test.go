package jobs_test

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func TestMainPath(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.RequestBody = func(d client.Draft, _ string) ([]byte, error) { return []byte(`{"prompt":"` + d.Prompt + `"}`), nil }
		o.CarriesExternalID = func(string) bool { return true }
		r.gate.query = func(id string, n int) (client.Task, error) {
			switch {
			case n < 3:
				return task(id, client.StatusRunning, "in_progress"), nil
			default:
				return done(id), nil
			}
		}
	}, func(r *rig) {
		begin := time.Now()
		id := r.submit()
		j := r.job(id)
		assert.Equal(t, jobs.Queued, j.State)
		assert.Equal(t, "t1", j.TaskID)
		assert.Equal(t, id, r.gate.creates[0].Values["external_task_id"])
		assert.NotContains(t, j.Draft.Values, "external_task_id", "the draft stays as the person made it")
		assert.Equal(t, jobs.Counts{Queued: 1}, r.e.Counts())
		out, err := r.e.Wait(ctx0, []string{id})
		require.NoError(t, err)
		assert.Equal(t, jobs.Completed, out[0].State)
		require.Len(t, out[0].Files, 1)
		assert.Equal(t, jobs.FileSaved, out[0].Files[0].State)
		polls := r.gate.polls("t1")
		require.Len(t, polls, 3)
		assert.InDelta(t, 1.0, polls[0].Sub(begin).Seconds(), 0.05, "the first poll is early")
		assert.InDelta(t, 3.0, polls[2].Sub(begin).Seconds(), 0.1)
		assert.Equal(t, []jobs.EventKind{jobs.EventPlanned, jobs.EventSubmitting, jobs.EventAccepted, jobs.EventState,
			jobs.EventState, jobs.EventFile}, r.kinds(id), "each transition once, polls without one never")
		d, err := r.e.Detail(ctx0, id)
		require.NoError(t, err)
		assert.JSONEq(t, `{"prompt":"a kite"}`, string(d.Request))
		assert.JSONEq(t, `{"id":"t1","status":"completed"}`, string(d.Answer))
		assert.NotEmpty(t, d.Events[3].PayloadSHA)
		assert.Equal(t, "req-t1", d.Events[3].RequestID)
		assert.Equal(t, 3, d.Job.Polls)
		assert.Empty(t, r.kept(id).Owner, "the lease is given back")
		assert.Equal(t, jobs.Counts{}, r.e.Counts())
		r.pass(time.Hour)
		assert.Len(t, r.gate.polls("t1"), 3, "an ended task is left alone")
	})
}

func TestIntentBeforePost(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(d client.Draft, _ int) (client.Task, error) {
			p, err := r.store.List(context.Background(), jobs.Query{})
			assert.NoError(t, err)
			assert.Equal(t, jobs.Submitting, p.Jobs[0].State, "journalled before the POST")
			assert.False(t, p.Jobs[0].SubmittedAt.IsZero())
			return task("t", client.StatusQueued, "queued"), nil
		}
	}, func(r *rig) {
		id := r.submit()
		assert.Equal(t, "t", r.kept(id).Job.TaskID, "the id is in the history at once")
	})
}

func TestCreateOutcomes(t *testing.T) {
	t.Parallel()
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("refused")}
	slow := apiError(429)
	slow.RetryAfter = 20 * time.Second
	for name, tc := range map[string]struct {
		err   error
		state jobs.State
		sends int // within an hour
	}{
		"refused":        {&client.CreateError{Outcome: client.OutcomeRefused, Err: apiError(400)}, jobs.Refused, 1},
		"no wire form":   {&client.CreateError{Outcome: client.OutcomeNotSent, Err: errBroken}, jobs.Refused, 1},
		"reset":          {&client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errBroken, Raw: []byte("x")}, jobs.Ambiguous, 1},
		"not classified": {errBroken, jobs.Ambiguous, 1},
		"dial":           {&client.CreateError{Outcome: client.OutcomeNotSent, Err: dial}, jobs.Planned, 8},
		"429":            {&client.CreateError{Outcome: client.OutcomeRefused, Err: slow}, jobs.Refused, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, func(r *rig, _ *jobs.Options) {
				r.gate.create = func(client.Draft, int) (client.Task, error) { return client.Task{}, tc.err }
			}, func(r *rig) {
				id := r.submit()
				if tc.sends > 1 {
					assert.Equal(t, jobs.Planned, r.job(id).State)
					assert.NotEmpty(t, r.job(id).Note)
				}
				if name == "429" {
					assert.Contains(t, r.job(id).Note, "it asked to wait 20s")
				}
				r.pass(time.Hour)
				assert.Equal(t, tc.state, r.kept(id).Job.State)
				assert.Equal(t, tc.sends, r.gate.sent())
				found, err := r.e.List(t.Context(), jobs.Query{Text: `"` + tc.err.Error() + `"`})
				require.NoError(t, err)
				assert.Len(t, found.Jobs, 1, "a search finds it by what was said")
				c := r.e.Counts()
				assert.Equal(t, tc.state == jobs.Ambiguous, c.Ambiguous == 1)
				assert.Equal(t, tc.state == jobs.Refused, c.Failed == 1)
				assert.Zero(t, c.Running)
				assert.Equal(t, name == "dial", jobs.Unreached(r.job(id)))
			})
		})
	}
}

// TestALostCreateIsFoundByItsRequest: the answer that was not understood had an id.
func TestALostCreateIsFoundByItsRequest(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			return client.Task{}, &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errBroken,
				Meta: client.Meta{HTTPStatus: 200, RequestID: "req_0123456789ab"}}
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(time.Minute)
		found, err := r.e.List(t.Context(), jobs.Query{Text: "req_0123456789ab"})
		require.NoError(t, err)
		require.Len(t, found.Jobs, 1)
		assert.Equal(t, id, found.Jobs[0].ID)
	})
}

func TestDialThatRecovers(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(_ client.Draft, n int) (client.Task, error) {
			if n < 3 {
				return client.Task{}, &client.CreateError{Outcome: client.OutcomeNotSent, Err: &net.OpError{Op: "dial", Err: errBroken}}
			}
			return task("t", client.StatusQueued, "queued"), nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(time.Minute)
		j := r.job(id)
		assert.Contains(t, []jobs.State{jobs.Queued, jobs.Running}, j.State)
		assert.Empty(t, j.Note)
		assert.Equal(t, 3, r.gate.sent())
	})
}

func TestCreatePanics(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(client.Draft, int) (client.Task, error) { panic("codec \x1b[31m") }
	}, func(r *rig) {
		id := r.submit()
		r.pass(time.Hour)
		assert.Equal(t, jobs.Ambiguous, r.kept(id).Job.State)
		assert.Equal(t, 1, r.gate.sent())
	})
}

func TestPollPanics(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, n int) (client.Task, error) {
			if n == 1 {
				panic("decoder")
			}
			return done(id), nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(time.Minute)
		assert.Equal(t, jobs.Completed, r.kept(id).Job.State)
	})
}

func TestSynchronousResult(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			tk := task("", client.StatusCompleted, "")
			tk.Assets = []client.Asset{{Kind: client.AssetImage, Inline: []byte("png")}, {Kind: client.AssetImage, URL: "https://h/2"}}
			return tk, nil
		}
		r.save.save = func(_ context.Context, q jobs.FileRequest, _ func(int64, int64)) (jobs.File, error) {
			if q.Index == 0 {
				assert.Equal(t, "png", string(q.Asset.Inline))
				w, err := r.store.Get(context.Background(), q.Job.ID)
				assert.NoError(t, err)
				assert.Equal(t, jobs.Submitting, w.Job.State, "the bytes are on the disk before the end is recorded")
			}
			return jobs.File{Path: "/x", Bytes: 3}, nil
		}
	}, func(r *rig) {
		id := r.submit()
		j := r.job(id)
		assert.Equal(t, jobs.Completed, j.State)
		require.Len(t, j.Files, 2)
		assert.Equal(t, jobs.FileSaved, j.Files[0].State)
		assert.Equal(t, jobs.FileSaved, j.Files[1].State)
		assert.Nil(t, j.Assets[0].Inline, "bytes do not stay in memory")
		assert.Empty(t, r.gate.queries)
	})
}

func TestInlineSurvivesAFullDisk(t *testing.T) {
	t.Parallel()
	var room atomic.Bool
	run(t, func(r *rig, o *jobs.Options) {
		o.AutoDownload = false // what an answer carried is saved all the same
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			tk := task("", client.StatusCompleted, "")
			tk.Assets = []client.Asset{{Kind: client.AssetImage, Inline: []byte("png")}}
			return tk, nil
		}
		r.save.save = func(_ context.Context, q jobs.FileRequest, _ func(int64, int64)) (jobs.File, error) {
			assert.Equal(t, "png", string(q.Asset.Inline))
			if !room.Load() {
				return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveNoSpace, Err: errBroken}
			}
			return jobs.File{Path: "/x", Bytes: 3}, nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(10 * time.Minute)
		b, err := r.store.Payload(ctx0, id, "inline:0")
		require.NoError(t, err)
		assert.Equal(t, "png", string(b))
		assert.Equal(t, jobs.FileWanted, r.job(id).Files[0].State)
		room.Store(true)
		r.pass(5 * time.Minute)
		assert.Equal(t, jobs.FileSaved, r.kept(id).Job.Files[0].State)
		_, err = r.store.Payload(ctx0, id, "inline:0")
		assert.ErrorIs(t, err, jobs.ErrNotFound)
	})
}

func TestPollErrors(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, n int) (client.Task, error) {
			switch {
			case n <= 4:
				return client.Task{}, apiError(503)
			case n == 5:
				e := apiError(429)
				e.RetryAfter = 90 * time.Second
				return client.Task{}, e
			default:
				return task(id, client.StatusRunning, "running"), nil
			}
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(10 * time.Second)
		assert.Equal(t, jobs.Queued, r.job(id).State, "errors of a poll are not the task's")
		assert.Contains(t, r.job(id).Note, "poll failed")
		r.pass(5 * time.Minute)
		p := r.gate.polls("t1")
		require.Greater(t, len(p), 6)
		for i := 1; i < 4; i++ {
			assert.Greater(t, p[i+1].Sub(p[i]), p[i].Sub(p[i-1]), "backoff grows")
		}
		assert.GreaterOrEqual(t, p[5].Sub(p[4]), 90*time.Second)
		assert.Equal(t, jobs.Running, r.job(id).State)
		assert.Empty(t, r.job(id).Note)
		n := 0
		for _, k := range r.kinds(id) {
			if k == jobs.EventPollError {
				n++
			}
		}
		assert.Equal(t, 2, n, "one line for each streak")
	})
}

func TestLost(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, n int) (client.Task, error) {
			if id == "t1" && n == 3 || id == "t2" {
				return task(id, client.StatusRunning, "running"), nil
			}
			return client.Task{}, apiError(404)
		}
	}, func(r *rig) {
		id := r.submit()
		begin := time.Now()
		for r.job(id).State != jobs.Lost {
			r.pass(time.Second)
			require.Less(t, time.Since(begin), 5*time.Minute)
		}
		assert.Greater(t, time.Since(begin), time.Minute, "fresh 404s are retried")
		assert.Equal(t, 1, r.e.Counts().Failed)
		n := len(r.gate.polls("t1"))
		r.pass(time.Hour)
		assert.Len(t, r.gate.polls("t1"), n)
		r.gate.script(nil)
		require.NoError(t, r.e.Repoll(ctx0, id))
		r.pass(time.Second)
		assert.Equal(t, jobs.Running, r.job(id).State, "a person may look again")
	})
}

// TestLostSaidByACode: a gateway may say "no such task" with a 400; any other 400 is no end.
func TestLostSaidByACode(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]jobs.State{"task_not_exist": jobs.Lost, "TaskNotFound": jobs.Lost, "invalid_request": jobs.Queued} {
		run(t, func(r *rig, _ *jobs.Options) {
			r.gate.query = func(string, int) (client.Task, error) {
				err := apiError(400)
				err.Code = code
				return client.Task{}, err
			}
		}, func(r *rig) {
			id := r.submit()
			r.pass(10 * time.Minute)
			assert.Equal(t, want, r.job(id).State, code)
		})
	}
}

func TestUnknownIsParked(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return task(id, client.StatusUnknown, "pondering"), nil }
	}, func(r *rig) {
		id := r.submit()
		r.pass(29 * time.Minute)
		assert.Equal(t, jobs.Unknown, r.job(id).State)
		assert.False(t, jobs.Settled(r.job(id)))
		r.pass(3 * time.Minute)
		assert.Contains(t, r.job(id).Note, "parked")
		assert.True(t, jobs.Settled(r.job(id)))
		n := len(r.gate.polls("t1"))
		r.pass(time.Hour)
		assert.Len(t, r.gate.polls("t1"), n)
		require.NoError(t, r.e.Repoll(ctx0, id))
		r.pass(time.Second)
		assert.Len(t, r.gate.polls("t1"), n+1)
	})
}
