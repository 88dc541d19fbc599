package jobs_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

func TestDropWhilePolling(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.pollTime = 10 * time.Second
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
	}, func(r *rig) {
		id := r.submit()
		r.pass(2 * time.Second) // a poll is in flight
		require.NoError(t, r.e.Drop(ctx0, id))
		r.pass(time.Hour)
		w := r.kept(id)
		assert.Equal(t, jobs.Dropped, w.Job.State)
		assert.Len(t, r.gate.polls("t1"), 1)
		assert.Zero(t, r.save.count())
		assert.Equal(t, jobs.Counts{}, r.e.Counts())
		assert.ErrorIs(t, r.e.Drop(ctx0, id), jobs.ErrState)
	})
}

func TestDropDuringTheCreateIsRefused(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) { r.gate.hold = 10 * time.Second }, func(r *rig) {
		id := r.submit()
		require.ErrorIs(t, r.e.Drop(ctx0, id), jobs.ErrInFlight)
		r.pass(11 * time.Second)
		assert.Equal(t, "t1", r.kept(id).Job.TaskID)
	})
}

func TestAmbiguousIsDecidedByAPerson(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.CarriesExternalID = func(string) bool { return true }
		r.gate.create = func(_ client.Draft, n int) (client.Task, error) {
			if n <= 2 {
				return client.Task{}, &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errBroken}
			}
			return task("new", client.StatusQueued, "queued"), nil
		}
	}, func(r *rig) {
		a, b := r.submit(), r.submit()
		assert.Equal(t, 2, r.e.Counts().Ambiguous)
		require.Error(t, r.e.Adopt(ctx0, a, ""))
		require.ErrorContains(t, r.e.Adopt(ctx0, a, "found it"), "is in no task id")
		require.NoError(t, r.e.Adopt(ctx0, a, "found"))
		id, err := r.e.Resend(ctx0, b)
		require.NoError(t, err)
		r.pass(2 * time.Second)
		assert.Equal(t, jobs.Running, r.job(a).State)
		assert.NotEmpty(t, r.gate.polls("found"))
		assert.Equal(t, jobs.Dropped, r.job(b).State)
		assert.Contains(t, r.job(b).Note, id)
		assert.Equal(t, "new", r.job(id).TaskID)
		assert.Equal(t, id, r.gate.creates[2].Values["external_task_id"], "not the old job's id")
		assert.Equal(t, 3, r.gate.sent())
		assert.Zero(t, r.e.Counts().Ambiguous)
		require.ErrorIs(t, r.e.Adopt(ctx0, a, "x"), jobs.ErrState)
		_, err = r.e.Resend(ctx0, b)
		require.ErrorIs(t, err, jobs.ErrState)
		require.ErrorIs(t, r.e.Repoll(ctx0, "nobody"), jobs.ErrNotFound)
	})
}

// TestAdoptAgain: the gateway does not know the id that was typed, and the job gets another.
func TestAdoptAgain(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			return client.Task{}, &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errBroken}
		}
		r.gate.query = func(id string, _ int) (client.Task, error) {
			switch id {
			case "wrong":
				return client.Task{}, apiError(404)
			case "away":
				return client.Task{}, apiError(500)
			}
			return task(id, client.StatusRunning, "in_progress"), nil
		}
	}, func(r *rig) {
		id := r.submit()
		_, err := r.e.Adoptable(ctx0, id, "wrong")
		require.ErrorIs(t, err, jobs.ErrUnknownTask)
		require.ErrorContains(t, err, "HTTP 404")
		_, err = r.e.Adoptable(ctx0, id, "away")
		require.NotErrorIs(t, err, jobs.ErrUnknownTask)
		require.ErrorContains(t, err, "HTTP 500")
		_, err = r.e.Adoptable(ctx0, id, "a b")
		require.ErrorContains(t, err, "is in no task id")
		require.NoError(t, r.e.SetPause(ctx0, "", true))
		_, err = r.e.Adoptable(ctx0, id, "right")
		require.ErrorContains(t, err, "paused", "a pause is obeyed")
		require.NoError(t, r.e.SetPause(ctx0, "", false))
		require.Equal(t, jobs.Ambiguous, r.job(id).State, "asking changes nothing")
		require.NoError(t, r.e.Adopt(ctx0, id, "wrong"))
		_, err = r.e.Adoptable(ctx0, id, "right")
		require.ErrorIs(t, err, jobs.ErrState)
		r.pass(10 * time.Minute)
		require.Equal(t, jobs.Lost, r.job(id).State)
		task, err := r.e.Adoptable(ctx0, id, "right")
		require.NoError(t, err)
		require.Equal(t, "running (in_progress)", jobs.TaskText(r.job(id), task))
		require.NoError(t, r.e.Adopt(ctx0, id, "right"))
		r.pass(time.Second)
		assert.Equal(t, jobs.Running, r.job(id).State)
		assert.Equal(t, "right", r.job(id).TaskID)
		assert.Equal(t, 1, r.gate.sent())
	})
}

// TestAdoptWhereThereAreNoTasks: a chat answer is the result. An id that was adopted for it was
// asked about for ever, through a format that cannot ask.
func TestAdoptWhereThereAreNoTasks(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.Synchronous = func(format string) bool { return format != "responses" }
		o.RoutesFor = func(model string) []string {
			if model == "draws" {
				return []string{"responses"}
			}
			return nil
		}
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			return client.Task{}, &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errBroken}
		}
	}, func(r *rig) {
		ids, err := r.e.Submit(ctx0, []jobs.Submission{
			{Draft: client.Draft{Modality: client.Chat, Model: "talks", Prompt: "a kite"}, Format: "chat"},
			{Draft: client.Draft{Modality: client.Image, Model: "draws", Prompt: "a kite"}, Format: "images"},
		})
		require.NoError(t, err)
		r.pass(time.Second)
		said, drawn := ids[0], ids[1]
		_, err = r.e.Adoptable(ctx0, said, "t9")
		require.ErrorIs(t, err, jobs.ErrState)
		require.ErrorContains(t, err, "resend or drop it")
		require.ErrorIs(t, r.e.Adopt(ctx0, said, "t9"), jobs.ErrState)
		assert.Equal(t, jobs.Ambiguous, r.job(said).State, "it can still be settled")
		require.NoError(t, r.e.Drop(ctx0, said))

		_, err = r.e.Adoptable(ctx0, drawn, "t9")
		require.NoError(t, err)
		require.NoError(t, r.e.Adopt(ctx0, drawn, "t9"))
		assert.Equal(t, "responses", r.job(drawn).QueryFormat, "of its routes the one that can be asked")
		r.pass(time.Second)
		assert.Equal(t, jobs.Running, r.job(drawn).State)
	})
}

// TestAdoptWhatARouteSaysIsNoTask: another route may have it.
func TestAdoptWhatARouteSaysIsNoTask(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.RoutesFor = func(string) []string { return []string{"tasks", "other"} }
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			return client.Task{}, &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errBroken}
		}
		r.gate.query = func(id string, n int) (client.Task, error) {
			if id == "right" && n == 2 {
				return task(id, client.StatusRunning, "in_progress"), nil
			}
			x := task(id, client.StatusUnknown, "UNKNOWN")
			x.Absent = "not found there"
			return x, nil
		}
	}, func(r *rig) {
		id := r.submit()
		_, err := r.e.Adoptable(ctx0, id, "wrong")
		require.ErrorIs(t, err, jobs.ErrUnknownTask)
		require.ErrorContains(t, err, "UNKNOWN: not found there")
		x, err := r.e.Adoptable(ctx0, id, "right")
		require.NoError(t, err)
		assert.Equal(t, client.StatusRunning, x.Status)
	})
}

func TestRepollIsNow(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		id := r.submit()
		r.pass(10 * time.Minute)
		n := len(r.gate.polls("t1"))
		require.NoError(t, r.e.Repoll(ctx0, id))
		r.pass(50 * time.Millisecond)
		assert.Len(t, r.gate.polls("t1"), n+1)
	})
}

// TestLateAnswerIsRescued loses the lease while the answer to a create is on its way, as
// when the machine slept: another process made the job ambiguous meanwhile.
func TestLateAnswerIsRescued(t *testing.T) {
	t.Parallel()
	var failed atomic.Int32
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.hold = 30 * time.Second
		r.store.Fail = func(op string, c *jobs.Change) error { // the history is away just then
			if op == "amend" && c.Job.TaskID == "t1" && failed.Add(1) <= 4 {
				return errBroken
			}
			return nil
		}
	}, func(r *rig) {
		id := r.submit()
		_, err := r.store.Amend(ctx0, id, func(w jobs.Work) (jobs.Change, error) {
			c := jobs.Change{Job: w.Job, Take: true, Owner: "other", Until: time.Now().Add(time.Second)}
			c.Job.State = jobs.Ambiguous
			return c, nil
		})
		require.NoError(t, err)
		r.pass(40 * time.Second)
		w := r.kept(id)
		assert.Equal(t, "t1", w.Job.TaskID)
		assert.Equal(t, jobs.Running, w.Job.State)
		assert.NotEmpty(t, r.gate.polls("t1"))
	})
}

// TestAnAnswerAfterTheDecision: a person dropped the job while its answer was under way. It
// stays dropped, and the task that was paid for can be found.
func TestAnAnswerAfterTheDecision(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.hold = 30 * time.Second
	}, func(r *rig) {
		id := r.submit()
		for _, state := range []jobs.State{jobs.Ambiguous, jobs.Dropped} {
			_, err := r.store.Amend(ctx0, id, func(w jobs.Work) (jobs.Change, error) {
				c := jobs.Change{Job: w.Job, Take: true, Owner: "other"}
				c.Job.State = state
				return c, nil
			})
			require.NoError(t, err)
		}
		r.pass(40 * time.Second)
		w := r.kept(id)
		assert.Equal(t, jobs.Dropped, w.Job.State)
		assert.Empty(t, r.gate.polls("t1"))
		assert.Equal(t, []string{"t1"}, w.Job.AltIDs)
		d, err := r.e.Detail(ctx0, id)
		require.NoError(t, err)
		assert.Contains(t, d.Events[len(d.Events)-1].Message, "t1")
		p, err := r.e.List(ctx0, jobs.Query{TaskID: "t1"})
		require.NoError(t, err)
		assert.Len(t, p.Jobs, 1)
	})
}

func TestFetchFaults(t *testing.T) {
	t.Parallel()
	fail := func(f jobs.SaveFault) error { return &jobs.SaveError{Fault: f, Err: errBroken} }
	for name, tc := range map[string]struct {
		save  func(n int, r jobs.FileRequest) error
		state jobs.FileState
		saves int
		polls int
	}{
		"expired, then fresh": {func(n int, r jobs.FileRequest) error {
			if r.Asset.URL == "https://h/t1.mp4" {
				return fail(jobs.SaveExpired)
			}
			return nil
		}, jobs.FileSaved, 2, 2},
		"expired for good": {func(int, jobs.FileRequest) error { return fail(jobs.SaveExpired) }, jobs.FileFailed, 5, 3},
		"broken off twice": {func(n int, _ jobs.FileRequest) error {
			if n < 3 {
				return fail(jobs.SaveTemporary)
			}
			return nil
		}, jobs.FileSaved, 3, 1},
		"broken off for long": {func(int, jobs.FileRequest) error { return errBroken }, jobs.FileWanted, 8, 1},
		"no media":            {func(int, jobs.FileRequest) error { return fail(jobs.SavePermanent) }, jobs.FileFailed, 1, 1},
		"disk full for long": {func(n int, _ jobs.FileRequest) error {
			if n < 20 {
				return fail(jobs.SaveNoSpace)
			}
			return nil
		}, jobs.FileSaved, 20, 1},
		"panic": {func(n int, _ jobs.FileRequest) error {
			if n == 1 {
				panic("saver")
			}
			return nil
		}, jobs.FileSaved, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, func(r *rig, _ *jobs.Options) {
				r.gate.query = func(id string, n int) (client.Task, error) {
					tk := done(id)
					if n > 1 {
						tk.Assets[0].URL = "https://h/fresh.mp4"
					}
					return tk, nil
				}
				r.save.save = func(_ context.Context, q jobs.FileRequest, _ func(int64, int64)) (jobs.File, error) {
					if err := tc.save(r.save.count(), q); err != nil {
						return jobs.File{}, err
					}
					return jobs.File{Path: "/x", Bytes: 1, Total: 1}, nil
				}
			}, func(r *rig) {
				id := r.submit()
				out, err := r.e.Wait(ctx0, []string{id})
				require.NoError(t, err)
				assert.Equal(t, jobs.Completed, out[0].State, "a file does not change the task's end")
				assert.Equal(t, tc.state, out[0].Files[0].State)
				assert.Equal(t, tc.saves, r.save.count())
				assert.Len(t, r.gate.polls("t1"), tc.polls)
				if tc.state != jobs.FileSaved {
					assert.Contains(t, out[0].Files[0].Error, "broken")
					r.save.script(nil)
					require.NoError(t, r.e.Download(ctx0, id))
					r.pass(time.Second)
					assert.Equal(t, jobs.FileSaved, r.kept(id).Job.Files[0].State, "a person may try again")
				}
			})
		})
	}
}

// TestFilesAreTriedForADay: a host that is away for hours loses nothing, and nobody waits for
// it; one that stays away is given up.
func TestFilesAreTriedForADay(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
		r.save.save = func(context.Context, jobs.FileRequest, func(int64, int64)) (jobs.File, error) {
			return jobs.File{}, errBroken
		}
	}, func(r *rig) {
		back, gone := r.submit(), r.submit()
		out, err := r.e.Wait(ctx0, []string{back, gone})
		require.NoError(t, err)
		assert.Contains(t, out[0].Note, "tried again by itself")
		tries := r.save.count()
		r.pass(3 * time.Hour)
		assert.InDelta(t, 2*5, r.save.count()-tries, 2, "10, 20, 40 minutes, then every hour")
		r.pass(22 * time.Hour)
		assert.Equal(t, jobs.FileFailed, r.job(gone).Files[0].State)
		assert.Empty(t, r.job(gone).Note)
		later := r.submit()
		r.pass(3 * time.Hour)
		r.save.script(nil)
		r.pass(2 * time.Hour)
		assert.Equal(t, jobs.FileSaved, r.job(later).Files[0].State)
		assert.Empty(t, r.job(later).Note)
		assert.Equal(t, jobs.FileFailed, r.job(back).Files[0].State, "as it was given up")
	})
}

func TestDownloadOnDemand(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.AutoDownload = false
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
	}, func(r *rig) {
		id := r.submit()
		out, err := r.e.Wait(ctx0, []string{id})
		require.NoError(t, err)
		assert.Empty(t, out[0].Files)
		r.pass(time.Minute)
		require.NoError(t, r.e.Download(ctx0, id))
		out, err = r.e.Wait(ctx0, []string{id})
		require.NoError(t, err)
		require.Len(t, out[0].Files, 1)
		assert.Equal(t, jobs.FileSaved, out[0].Files[0].State)
		assert.Equal(t, 1, r.save.count())
	})
}

func TestProgressIsThinned(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
		r.save.save = func(_ context.Context, _ jobs.FileRequest, progress func(int64, int64)) (jobs.File, error) {
			for i := range 2000 {
				<-time.After(time.Millisecond)
				progress(int64(i), 2000)
			}
			return jobs.File{Path: "/x", Bytes: 2000, Total: 2000}, nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(1500 * time.Millisecond)
		j := r.job(id)
		require.NotEmpty(t, j.Files)
		assert.Equal(t, jobs.FileFetching, j.Files[0].State)
		assert.Equal(t, int64(2000), j.Files[0].Total)
		_, before := r.e.Changes(0)
		r.pass(time.Second)
		_, after := r.e.Changes(0)
		assert.InDelta(t, 10, after-before, 1)
	})
}

func TestChanges(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		list, seq := r.e.Changes(0)
		assert.Empty(t, list)
		a, b := r.submit(), r.submit()
		list, seq = r.e.Changes(seq)
		require.Len(t, list, 2, "each job once, as it is now")
		assert.Equal(t, []string{a, b}, []string{list[0].ID, list[1].ID})
		assert.Equal(t, jobs.Queued, list[1].State)
		assert.Equal(t, seq, list[1].Seq)
		list[0].Files = append(list[0].Files, jobs.File{})
		list[0].Draft.Values = client.Values{"x": "y"}
		r.pass(1100 * time.Millisecond)
		list, _ = r.e.Changes(seq)
		require.Len(t, list, 2)
		assert.Equal(t, 1, list[0].Polls)
		assert.Empty(t, list[0].Files, "copies share nothing")
	})
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.hold = 3 * time.Second
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
	}, func(r *rig) {
		begin := time.Now()
		ids, err := r.e.Submit(ctx0, []jobs.Submission{sub("a"), sub("b")})
		require.NoError(t, err)
		list, err := r.e.Answered(ctx0, ids)
		require.NoError(t, err)
		assert.Equal(t, 3*time.Second, time.Since(begin).Round(time.Second))
		assert.Equal(t, "a", list[0].Draft.Prompt)
		assert.NotEmpty(t, list[1].TaskID)
		r.submit()
		short, cancel := context.WithTimeout(ctx0, time.Second)
		defer cancel()
		require.ErrorIs(t, r.e.Flush(short), context.DeadlineExceeded)
		require.NoError(t, r.e.Flush(ctx0))
		assert.Equal(t, 3, r.gate.sent())
		_, err = r.e.Wait(ctx0, []string{"nobody"})
		require.ErrorIs(t, err, jobs.ErrNotFound)
		require.ErrorContains(t, r.e.Run(ctx0), "running")
	})
}

// mute is a store that writes jobs and tells of an error.
type mute struct{ *storetest.Mem }

func (m mute) Insert(ctx context.Context, c []jobs.Change) error {
	return errors.Join(m.Mem.Insert(ctx, c), errBroken)
}

// TestAJournalThatIsWrittenAllTheSame: a person who is told that nothing was sent submits
// again, and pays twice.
func TestAJournalThatIsWrittenAllTheSame(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) { o.Store = mute{r.store} }, func(r *rig) {
		id := r.submit()
		assert.Equal(t, 1, r.gate.sent())
		assert.Equal(t, jobs.Queued, r.kept(id).Job.State)
	})
}

// lost is a store that cannot be reached any more once it was asked to write.
type lost struct {
	*storetest.Mem
	away atomic.Bool
}

func (l *lost) Insert(ctx context.Context, c []jobs.Change) error {
	l.away.Store(true)
	return errors.Join(l.Mem.Insert(ctx, c), errBroken)
}

func (l *lost) Get(ctx context.Context, id string) (jobs.Work, error) {
	if l.away.Load() {
		return jobs.Work{}, errBroken
	}
	return l.Mem.Get(ctx, id)
}

// TestAJournalThatNobodyCanAskIsUnclear: "nothing was sent" would have the person submit it
// again, and whoever takes the first one over sends it all the same.
func TestAJournalThatNobodyCanAskIsUnclear(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) { o.Store = &lost{Mem: r.store} }, func(r *rig) {
		_, err := r.e.Submit(ctx0, []jobs.Submission{{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "x"}, Format: "videos"}})
		require.ErrorIs(t, err, jobs.ErrUnclear)
		require.ErrorIs(t, err, errBroken)
		assert.NotContains(t, err.Error(), "nothing was sent")
	})
}
