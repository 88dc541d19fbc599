package jobs_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/spool"
)

// spooling is a rig whose history does not take what came of creates until fine is set.
type spooling struct {
	dir   string
	spool *spool.Spool
	fine  atomic.Bool
	give  chan struct{}
	told  atomic.Int64 // that something is unsaved
	saved atomic.Int64
}

const historyName = "file h.db"

func newSpooling(t *testing.T) *spooling {
	dir := filepath.Join(t.TempDir(), "spool")
	return &spooling{dir: dir, spool: spool.New(dir, historyName)}
}

func (s *spooling) set(r *rig, o *jobs.Options) {
	s.give = make(chan struct{}) // of the bubble
	o.Spool, o.GiveUp = s.spool, s.give
	o.Unsaved = func(_ jobs.Unsaved, saved bool) {
		if saved {
			s.saved.Add(1)
		} else {
			s.told.Add(1)
		}
	}
	r.store.Fail = func(op string, c *jobs.Change) error {
		if !s.fine.Load() && (op == "commit" || op == "amend") && (c.Job.TaskID != "" || c.Job.State == jobs.Completed) {
			return errBroken
		}
		return nil
	}
}

func (s *spooling) files(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(s.dir, "*"))
	require.NoError(t, err)
	return all
}

// TestUnsavedIsHeld: nobody is told that a create was answered before the history has it, and
// the engine does not end; meanwhile its id lies in a private file.
func TestUnsavedIsHeld(t *testing.T) {
	t.Parallel()
	s := newSpooling(t)
	run(t, s.set, func(r *rig) {
		id := r.submit()
		answered := make(chan []jobs.Job, 1)
		go func() {
			all, err := r.e.Answered(ctx0, []string{id})
			assert.NoError(t, err)
			answered <- all
		}()
		r.pass(10 * time.Minute)
		assert.Empty(t, answered, "the history has not got it")
		left := r.e.Unsaved()
		require.Len(t, left, 1)
		assert.Equal(t, "t1", left[0].TaskID)
		assert.Equal(t, id, left[0].Job)
		assert.True(t, left[0].Whole)
		info, err := os.Stat(left[0].Kept)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode())
		assert.EqualValues(t, 1, s.told.Load(), "told once")
		kept, err := spool.TakeOver(ctx0, s.dir, historyName, r.store, time.Now())
		require.NoError(t, err)
		assert.Empty(t, kept, "its owner lives")

		r.stop()
		r.pass(10 * time.Minute)
		select {
		case <-r.ended:
			t.Error("it ended with an id that is not in the history")
		default:
		}
		s.fine.Store(true)
		<-r.ended
		assert.Equal(t, "t1", (<-answered)[0].TaskID)
		assert.Equal(t, "t1", r.kept(id).Job.TaskID)
		assert.Empty(t, r.e.Unsaved())
		assert.EqualValues(t, 1, s.saved.Load())
		s.spool.Close()
		assert.Empty(t, s.files(t))
	})
}

// TestGivenUpIsTakenOver: what an engine gave up is in the history at the next opening, once,
// and is polled.
func TestGivenUpIsTakenOver(t *testing.T) {
	t.Parallel()
	s := newSpooling(t)
	run(t, s.set, func(r *rig) {
		id := r.submit()
		r.pass(time.Minute)
		close(s.give)
		r.end()
		s.spool.Close()
		require.Len(t, r.e.Unsaved(), 1)
		s.fine.Store(true)
		assert.Equal(t, jobs.Submitting, r.kept(id).Job.State)

		other, err := spool.TakeOver(ctx0, s.dir, "file other.db", r.store, time.Now())
		require.NoError(t, err)
		require.Empty(t, other, "of another history")
		taken, err := spool.TakeOver(ctx0, s.dir, historyName, r.store, time.Now())
		require.NoError(t, err)
		require.Len(t, taken, 1)
		require.NoError(t, taken[0].Err)
		assert.False(t, taken[0].Decided)
		w := r.kept(id)
		assert.Equal(t, jobs.Queued, w.Job.State)
		assert.Equal(t, "t1", w.Job.TaskID)
		assert.Equal(t, "a kite", w.Job.Draft.Prompt)
		assert.True(t, w.Job.Seen.Sent.Equal(w.Job.SubmittedAt), w.Job.Seen)
		assert.Equal(t, w.Job.Seen.Sent, w.Job.Seen.Working)
		assert.Equal(t, []jobs.EventKind{jobs.EventPlanned, jobs.EventSubmitting, jobs.EventAccepted}, r.kinds(id))
		body, err := r.store.Payload(ctx0, id, jobs.PayloadAnswer)
		require.NoError(t, err)
		assert.JSONEq(t, `{"id":"t1","status":"queued"}`, string(body))
		assert.Empty(t, s.files(t))

		e := jobs.NewEngine(jobs.Options{Store: r.store, Gateway: r.gate, Profile: "p", Owner: "other"})
		ctx, stop := context.WithCancel(ctx0)
		go func() { _ = e.Run(ctx) }()
		r.pass(time.Minute)
		stop()
		assert.NotEmpty(t, r.gate.polls("t1"))
		assert.Equal(t, 1, r.gate.sent())
	})
}

// TestTakeOverAfterADecision: what a person decided stays, and the id that was paid for is noted.
func TestTakeOverAfterADecision(t *testing.T) {
	t.Parallel()
	s := newSpooling(t)
	run(t, s.set, func(r *rig) {
		resent, adopted := r.submit(), r.submit()
		r.pass(time.Minute)
		close(s.give)
		r.end()
		s.fine.Store(true)
		e := jobs.NewEngine(jobs.Options{Store: r.store, Gateway: r.gate, Profile: "p", Owner: "other", FormatFor: func(client.Draft) string { return "videos" }})
		ctx, stop := context.WithCancel(ctx0)
		go func() { _ = e.Run(ctx) }()
		r.pass(time.Minute) // the lease runs out
		again, err := e.Resend(ctx0, resent)
		require.NoError(t, err)
		require.NoError(t, e.Adopt(ctx0, adopted, "another"))
		r.pass(time.Second)
		stop()
		taken, err := spool.TakeOver(ctx0, s.dir, historyName, r.store, time.Now())
		require.NoError(t, err)
		require.Len(t, taken, 2)
		for _, x := range taken {
			require.NoError(t, x.Err)
			assert.True(t, x.Decided)
		}
		assert.Equal(t, jobs.Dropped, r.kept(resent).Job.State)
		assert.Equal(t, []string{"t1"}, r.kept(resent).Job.AltIDs)
		assert.Contains(t, r.kept(resent).Job.Note, again)
		assert.Equal(t, "another", r.kept(adopted).Job.TaskID)
		assert.Equal(t, []string{"t2"}, r.kept(adopted).Job.AltIDs)
		taken, err = spool.TakeOver(ctx0, s.dir, historyName, r.store, time.Now())
		require.NoError(t, err)
		assert.Empty(t, taken)
	})
}

// TestNothingIsSentWithoutRoomForTheAnswer: a create whose answer could not be kept anywhere
// waits.
func TestNothingIsSentWithoutRoomForTheAnswer(t *testing.T) {
	t.Parallel()
	s := newSpooling(t)
	s.fine.Store(true)
	require.NoError(t, os.WriteFile(s.dir, nil, 0o600)) // no folder can be there
	run(t, s.set, func(r *rig) {
		id := r.submit()
		r.pass(time.Minute)
		assert.Zero(t, r.gate.sent())
		assert.Equal(t, jobs.Planned, r.kept(id).Job.State)
		assert.Contains(t, r.job(id).Note, "not sent: what the gateway answers could not be kept in "+s.dir)
		require.NoError(t, os.Remove(s.dir))
		r.pass(2 * time.Minute)
		assert.Equal(t, 1, r.gate.sent())
		assert.Equal(t, "t1", r.kept(id).Job.TaskID)
	})
}

// TestResultInTheAnswerIsSpooled: of an answer that is the result itself the body was paid for.
func TestResultInTheAnswerIsSpooled(t *testing.T) {
	t.Parallel()
	for name, roomy := range map[string]bool{"whole": true, "no room": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSpooling(t)
			text := `{"text":"` + strings.Repeat("kite ", 1<<18) + `"}`
			pixels := bytes.Repeat([]byte("pixel"), 1<<16)
			run(t, func(r *rig, o *jobs.Options) {
				s.set(r, o)
				r.gate.create = func(client.Draft, int) (client.Task, error) {
					if !roomy { // the room that is reserved is a file that is open
						assert.NoError(t, os.Rename(s.dir, s.dir+"-away"))
					}
					answer := done("")
					answer.ID, answer.Raw = "", []byte(text)
					answer.Assets = []client.Asset{{Kind: client.AssetImage, Inline: pixels}}
					return answer, nil
				}
				r.save.save = func(context.Context, jobs.FileRequest, func(int64, int64)) (jobs.File, error) {
					return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveNoSpace, Err: errBroken}
				}
			}, func(r *rig) {
				id := r.submit()
				r.pass(time.Minute)
				require.Len(t, r.e.Unsaved(), 1)
				assert.Equal(t, roomy, r.e.Unsaved()[0].Whole)
				close(s.give)
				r.end()
				s.fine.Store(true)
				if !roomy {
					require.NoError(t, os.Rename(s.dir+"-away", s.dir))
				}
				taken, err := spool.TakeOver(ctx0, s.dir, historyName, r.store, time.Now())
				require.NoError(t, err)
				require.Len(t, taken, 1)
				require.NoError(t, taken[0].Err)
				assert.Equal(t, jobs.Completed, r.kept(id).Job.State)
				body, err := r.store.Payload(ctx0, id, jobs.PayloadAnswer)
				if !roomy {
					require.ErrorIs(t, err, jobs.ErrNotFound)
					return
				}
				require.NoError(t, err)
				assert.Equal(t, text, string(body))
				body, err = r.store.Payload(ctx0, id, jobs.PayloadInline+":0")
				require.NoError(t, err)
				assert.Equal(t, pixels, body)
			})
		})
	}
}

// TestOldRecordSendsNothingAgain: a record whose file outlived its reset, of a create that never
// left, does not make a later create of the same job a planned one.
func TestOldRecordSendsNothingAgain(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		id := r.submit()
		w := r.kept(id)
		old := jobs.Outcome{Began: w.Job.SubmittedAt.Add(-time.Minute), Job: jobs.Job{ID: id, Profile: "p", CreatedAt: w.Job.CreatedAt, State: jobs.Planned}, Due: time.Now()}
		require.NoError(t, old.Check())
		_, err := r.store.Amend(ctx0, id, func(w jobs.Work) (jobs.Change, error) {
			w.Job.State, w.Job.TaskID = jobs.Submitting, ""
			return jobs.Change{Job: w.Job, Due: w.Due, Token: w.Token}, nil
		})
		require.NoError(t, err)
		_, decided, err := old.Settle(ctx0, r.store, time.Now())
		require.NoError(t, err)
		assert.False(t, decided)
		assert.Equal(t, jobs.Submitting, r.kept(id).Job.State)
	})
}
