package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// bubble runs a test in virtual time, with a bench on a history.
func bubble(t *testing.T, h *history, set func(*Options), body func(t *testing.T, b *Bench)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		h.changed = make(chan struct{}) // one of the bubble
		o := Options{Dir: dir, Jobs: h, Profile: "p", Host: "sandbox", Version: "1"}
		if set != nil {
			set(&o)
		}
		b := New(o)
		body(t, b)
		b.Close()
		pass(3 * time.Hour) // the last of the history's jobs has lived
	})
}

func TestRunIsSentInOrderAndFollowedToItsEnd(t *testing.T) {
	t.Parallel()
	h := newHistory(always(life{queued: time.Second, running: 3 * time.Second, saving: 20 * time.Second}))
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		began := time.Now()
		plan := planOf(3, 2, 1)
		id, err := b.Start(t.Context(), plan)
		require.NoError(t, err)
		r := ended(t, b, id)
		assert.Equal(t, []string{"1.w1", "2.w1", "3.w1", "1.1", "2.1", "3.1", "1.2", "2.2", "3.2"}, h.sent())
		assert.Equal(t, 2, h.most, "no more in flight than the suite allows")
		assert.Equal(t, compare.Ended, r.Status)
		assert.Equal(t, compare.Tally{Cells: 3, Planned: 6, Sent: 6, Done: 6}, r.Tally())
		assert.Equal(t, plan.Cells, r.Cells)
		assert.Equal(t, plan.Order, r.Order)
		assert.Equal(t, "suite: x\n", r.Suite)
		// Three warm-ups two at a time, wholly done with their files; then six in three rounds, which do not wait for
		// files, but for the last ones.
		assert.Equal(t, (4+4+20)*time.Second+(3*4+20)*time.Second, r.EndedAt.Sub(began).Round(time.Second))
		for i := range r.Trials {
			x := &r.Trials[i]
			require.Len(t, x.Files, 1, x.Slot)
			assert.True(t, x.Files[0].Here, x.Slot)
			assert.Equal(t, compare.Polled, x.Latency.Total.Source)
		}
	})
}

func TestJudgesLookAtWhatIsOver(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var judged []string
	h := newHistory(func(cell string, _ int) life {
		if strings.HasPrefix(cell, "2.") {
			return life{running: time.Second, end: jobs.Failed}
		}
		return life{running: time.Second, saving: time.Second}
	})
	set := func(o *Options) {
		o.Judge = func(_ context.Context, r *compare.Run, x *compare.Trial, j *jobs.Job, answer []byte) {
			assert.Empty(t, r.Trials)
			assert.Equal(t, x.JobID, j.ID)
			assert.Equal(t, "answer of "+j.ID, string(answer))
			pass(5 * time.Second)
			x.Checks = []compare.Check{{Name: "done", Verdict: compare.Pass, Text: r.Cell(x.Slot.Cell).Model}}
			x.Facts = []compare.Property{{Field: "width"}}
			mu.Lock()
			judged = append(judged, fmt.Sprintf("%s %d", x.Slot, len(x.Files)))
			mu.Unlock()
		}
		o.Finish = func(_ context.Context, r *compare.Run) {
			assert.Len(t, r.Trials, 6)
			r.Checks = []compare.Check{{Name: "all", Verdict: compare.Fail}}
			r.CellChecks = map[int][]compare.Check{2: {{Name: "cell", Verdict: compare.Pass}}}
		}
	}
	bubble(t, h, set, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(2, 2, 1))
		require.NoError(t, err)
		r := ended(t, b, id)
		assert.ElementsMatch(t, []string{"1.1 1", "1.2 1", "2.1 0", "2.2 0"}, judged, "with the files; warm-ups are not judged")
		assert.Equal(t, []compare.Check{{Name: "all", Verdict: compare.Fail}}, r.Checks)
		assert.Equal(t, compare.Pass, r.CellChecks[2][0].Verdict)
		for i := range r.Trials {
			if x := &r.Trials[i]; !x.Slot.Warmup {
				assert.Equal(t, r.Cell(x.Slot.Cell).Model, x.Checks[0].Text)
				assert.Len(t, x.Facts, 1)
			}
		}
	})
}

func TestTimeoutsAreCensoredAndHoldNothingUp(t *testing.T) {
	t.Parallel()
	h := newHistory(func(cell string, _ int) life {
		if cell == "1.1" {
			return life{queued: time.Second, running: time.Hour}
		}
		return life{queued: time.Second, running: 2 * time.Second}
	})
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		plan := planOf(2, 2, 0)
		plan.Concurrency, plan.Timeout = 1, 30*time.Second
		began := time.Now()
		id, err := b.Start(t.Context(), plan)
		require.NoError(t, err)
		r := ended(t, b, id)
		assert.Equal(t, []string{"1.1 running timed out", "2.1 completed", "1.2 completed", "2.2 completed"}, states(&r))
		assert.Equal(t, 39*time.Second, time.Since(began).Round(time.Second), "the next one is sent when the time is over")
		late := r.Trials[0].Latency
		assert.Equal(t, compare.Interval{Source: compare.Polled, Least: 30 * time.Second, Open: true}, late.Total)
		assert.True(t, late.Run.Open)
		assert.Equal(t, compare.Tally{Cells: 2, Planned: 4, Sent: 4, Done: 3, Failed: 1}, r.Tally())
		require.ErrorIs(t, b.Resume(t.Context(), id), ErrNothing, "what timed out may still be paid for")
	})
}

func TestStopFollowsWhatIsInFlight(t *testing.T) {
	t.Parallel()
	h := newHistory(func(cell string, _ int) life {
		return life{running: 10 * time.Second, held: cell == "2.1"} // as by a pause
	})
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(4, 1, 0))
		require.NoError(t, err)
		pass(3 * time.Second)
		_, err = b.Start(t.Context(), planOf(1, 1, 0))
		require.ErrorIs(t, err, ErrAnother)
		require.ErrorIs(t, b.Resume(t.Context(), id), ErrBusy)
		require.NoError(t, b.Stop(t.Context(), id))
		r := ended(t, b, id)
		assert.Equal(t, []string{"1.1 completed", "2.1 dropped"}, states(&r), "what was not sent yet is not sent")
		assert.Equal(t, compare.Stopped, r.Status)
		assert.Equal(t, 10*time.Second, r.EndedAt.Sub(r.CreatedAt).Round(time.Second))

		missing, again := Left(&r)
		assert.Equal(t, []int{3, 0}, []int{missing, again})
		h.mu.Lock()
		h.script = always(life{running: time.Second})
		h.mu.Unlock()
		require.NoError(t, b.Resume(t.Context(), id))
		r = ended(t, b, id)
		assert.Equal(t, []string{"1.1 completed", "2.1 completed", "3.1 completed", "4.1 completed"}, states(&r), "it was never sent: still its first attempt")
		assert.Equal(t, compare.Ended, r.Status)
	})
}

func TestResumeSendsAgainWhatFailed(t *testing.T) {
	t.Parallel()
	ends := []jobs.State{jobs.Completed, jobs.Failed, jobs.Refused, jobs.Lost, jobs.Ambiguous, jobs.Dropped}
	h := newHistory(func(cell string, n int) life {
		s, _ := compare.ParseSlot(cell)
		if n > 1 {
			return life{running: time.Second}
		}
		return life{running: time.Second, end: ends[s.Cell-1]}
	})
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(6, 1, 1))
		require.NoError(t, err)
		r := ended(t, b, id)
		missing, again := Left(&r)
		assert.Equal(t, []int{0, 3}, []int{missing, again})
		require.NoError(t, b.Resume(t.Context(), id))
		r = ended(t, b, id)
		got := states(&r)
		assert.Equal(t, []string{
			"1.1 completed", "2.1 failed", "3.1 refused", "4.1 lost", "5.1 ambiguous", "6.1 dropped",
			"2.1 completed #2", "3.1 completed #2", "4.1 completed #2",
		}, got[6:])
		assert.Equal(t, "it broke␛[2J", r.Trials[7].Message)
		var counted []string
		for _, x := range r.Counted() {
			counted = append(counted, string(x.State))
		}
		assert.Equal(t, []string{"completed", "failed", "refused", "lost", "ambiguous", "dropped"}, counted, "the first attempt counts")
		require.ErrorIs(t, b.Resume(t.Context(), id), ErrNothing)
		assert.Greater(t, h.lists, 6, "the history is asked each time, page by page")
	})
}

// TestWhatAPersonDoesIsTakenOver: a person resends an ambiguous create in the queue.
func TestWhatAPersonDoesIsTakenOver(t *testing.T) {
	t.Parallel()
	h := newHistory(func(cell string, n int) life {
		if cell == "1.1" && n == 1 {
			return life{end: jobs.Ambiguous}
		}
		return life{running: 10 * time.Second}
	})
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(4, 1, 0))
		require.NoError(t, err)
		pass(time.Second)
		_, err = h.Submit(t.Context(), []jobs.Submission{{Run: id, Cell: "1.1"}, {Run: id, Cell: "4.1"}, {Run: id, Cell: "9.9"}, {Run: id, Cell: "?"}})
		require.NoError(t, err)
		r := ended(t, b, id)
		assert.ElementsMatch(t, []string{"1.1 ambiguous", "2.1 completed", "3.1 completed", "1.1 completed #2", "4.1 completed"}, states(&r), "none of them is sent again")
	})
}

// TestHistoryIsAway: while it cannot be written nothing is lost and nothing is sent twice, even if nobody
// knows whether it took the jobs.
func TestHistoryIsAway(t *testing.T) {
	t.Parallel()
	h := newHistory(always(life{running: time.Second}))
	away := 0
	h.step = func(what string) error {
		if away++; away < 8 {
			return fmt.Errorf("%w: away at %s", jobs.ErrUnclear, what)
		}
		return nil
	}
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(3, 2, 0))
		require.NoError(t, err)
		synctest.Wait()
		news, _ := b.News(0)
		require.Len(t, news, 1)
		assert.Contains(t, news[0].Trouble, "away at before submit")
		r := ended(t, b, id)
		assert.Equal(t, 6, r.Tally().Done)
		assert.Len(t, h.sent(), 6)
		news, _ = b.News(0)
		assert.Empty(t, news[0].Trouble)
		assert.False(t, news[0].Live)
	})
}

func TestFilesOfTheDraftsHaveToStayTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	picture := filepath.Join(dir, "a.png")
	require.NoError(t, os.WriteFile(picture, []byte("one"), 0o600))
	h := newHistory(always(life{running: time.Second}))
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		plan := planOf(2, 2, 0)
		plan.Concurrency = 1
		plan.Cells[0].Draft.Values = client.Values{"image": client.FileURL(picture)}
		plan.Cells[1].Draft.Model = "" // nothing that an engine takes
		id, err := b.Start(t.Context(), plan)
		require.NoError(t, err)
		synctest.Wait()
		require.NoError(t, os.WriteFile(picture, []byte("two"), 0o600))
		r := ended(t, b, id)
		assert.Equal(t, []string{"1.1 completed", "2.1 refused", "1.2 refused", "2.2 refused"}, states(&r))
		assert.Contains(t, r.Trials[2].Message, "is not the file that the run was planned with")
		assert.Contains(t, r.Trials[1].Message, "a model is required")
		assert.Equal(t, []string{"1.1"}, h.sent())

		require.NoError(t, os.WriteFile(picture, []byte("one"), 0o600))
		require.NoError(t, b.Resume(t.Context(), id))
		r = ended(t, b, id)
		assert.Equal(t, []string{"1.1 completed", "2.1 refused", "1.2 completed", "2.2 refused"}, states(&r), "no attempt is lost to what was not sent")
	})
}

func TestOneProcessARun(t *testing.T) {
	t.Parallel()
	h := newHistory(always(life{running: time.Minute}))
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(1, 2, 0))
		require.NoError(t, err)
		other := New(b.o)
		defer other.Close()
		require.ErrorIs(t, other.Resume(t.Context(), id), ErrBusy)
		require.ErrorIs(t, other.Stop(t.Context(), id), ErrBusy)
		require.ErrorIs(t, other.Remove(t.Context(), id), ErrBusy)
		require.ErrorIs(t, other.Resume(t.Context(), "../x"), ErrUnknown)
		list, err := other.List(t.Context())
		require.NoError(t, err)
		require.Len(t, list, 1)
		assert.True(t, list[0].Live)
		b.Close()

		moved := b.o
		moved.Host = "other.example"
		elsewhere := New(moved)
		defer elsewhere.Close()
		require.ErrorContains(t, elsewhere.Resume(t.Context(), id), "the run was sent to sandbox")
		forbidden := b.o
		forbidden.MayCreate = func() error { return errors.New("the profile is read-only") }
		reading := New(forbidden)
		defer reading.Close()
		_, err = reading.Start(t.Context(), planOf(1, 1, 0))
		require.ErrorContains(t, err, "read-only")
		require.ErrorContains(t, reading.Resume(t.Context(), id), "read-only")

		require.NoError(t, other.Stop(t.Context(), id), "a run that nobody is at work on")
		r, err := other.Load(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, compare.Stopped, r.Status)
		require.NoError(t, other.Remove(t.Context(), id))
		_, err = other.Load(t.Context(), id)
		require.ErrorIs(t, err, ErrUnknown)
	})
}

// TestLoadAsksWhatBecameOfTheRest: the history goes on with what a process left behind.
func TestLoadAsksWhatBecameOfTheRest(t *testing.T) {
	t.Parallel()
	h := newHistory(always(life{running: 5 * time.Second}))
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(2, 2, 0))
		require.NoError(t, err)
		pass(time.Second)
		b.Close()
		pass(time.Minute)
		later := New(b.o)
		defer later.Close()
		r, err := later.Load(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, []string{"1.1 completed", "2.1 completed"}, states(&r))
		assert.True(t, r.Trials[0].Files[0].Here)
		assert.Equal(t, compare.Open, r.Status)
		missing, again := Left(&r)
		assert.Equal(t, []int{2, 0}, []int{missing, again})
	})
}

// TestNewsTellsAll: what is told since any point is what changed since then.
func TestNewsTellsAll(t *testing.T) {
	t.Parallel()
	h := newHistory(always(life{queued: time.Second, running: 3 * time.Second, saving: time.Second}))
	var poked chan struct{}
	set := func(o *Options) {
		poked = make(chan struct{}, 1000)
		o.News = func() { poked <- struct{}{} }
	}
	bubble(t, h, set, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(2, 3, 0))
		require.NoError(t, err)
		have := map[compare.Slot]compare.Trial{}
		var seq uint64
		var last News
		for live := true; live; {
			<-poked
			var all []News
			all, seq = b.News(seq)
			for _, n := range all {
				require.Equal(t, id, n.Run)
				last, live = n, n.Live
				for _, x := range n.Trials {
					have[x.Slot] = x
				}
			}
		}
		r := ended(t, b, id)
		assert.Len(t, have, 6)
		for i := range r.Trials {
			want := r.Trials[i]
			assert.Equal(t, want.State, have[want.Slot].State)
			assert.Equal(t, want.Files, have[want.Slot].Files)
		}
		assert.Equal(t, compare.Ended, last.Status)
		none, same := b.News(seq)
		assert.Empty(t, none)
		assert.Equal(t, seq, same)
	})
}

// TestWhatAStopTookBackIsNotSentTwice: a job that was dropped before it was sent stays in the history, and
// its slot has another one by then.
func TestWhatAStopTookBackIsNotSentTwice(t *testing.T) {
	t.Parallel()
	h := newHistory(func(cell string, n int) life {
		return life{running: 10 * time.Second, held: cell == "2.1" && n == 1}
	})
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		id, err := b.Start(t.Context(), planOf(3, 1, 0))
		require.NoError(t, err)
		pass(3 * time.Second)
		require.NoError(t, b.Stop(t.Context(), id))
		ended(t, b, id)
		require.NoError(t, b.Resume(t.Context(), id))
		r := ended(t, b, id)
		require.Equal(t, []string{"1.1 completed", "2.1 completed", "3.1 completed"}, states(&r))

		require.ErrorIs(t, b.Resume(t.Context(), id), ErrNothing)
		r = ended(t, b, id)
		assert.Equal(t, []string{"1.1 completed", "2.1 completed", "3.1 completed"}, states(&r))
		assert.Equal(t, map[string]int{"1.1": 1, "2.1": 2, "3.1": 1}, h.counts())
	})
}

// TestAStandstillIsSaid: a run whose trials are paused tells what pauses them, and that waiting is of no use;
// those that paused themselves go on when a person resumes the run.
func TestAStandstillIsSaid(t *testing.T) {
	t.Parallel()
	h := newHistory(always(life{held: true}))
	bubble(t, h, nil, func(t *testing.T, b *Bench) {
		told := func() News {
			t.Helper()
			synctest.Wait()
			all, _ := b.News(0)
			require.Len(t, all, 1)
			return all[0]
		}
		id, err := b.Start(t.Context(), planOf(2, 1, 0))
		require.NoError(t, err)
		require.Empty(t, told().Trouble)
		note := func(at int, text string, paused bool) {
			h.mu.Lock()
			defer h.mu.Unlock()
			j := h.all[h.order[at]]
			j.Note, j.Paused = text, paused
			h.post(j.ID)
		}
		note(0, "not sent: the disk is full", false)
		assert.Equal(t, "not sent: the disk is full", told().Trouble)
		assert.False(t, told().Held, "it is tried again")
		note(0, "the gateway could not be reached: no route\x1b[2J", true)
		assert.Equal(t, "1 trial waits: the gateway could not be reached: no route␛[2J", told().Trouble)
		assert.False(t, told().Held, "the other one may go on")
		note(1, "the gateway could not be reached: no route", true)
		assert.Equal(t, "2 trials wait: the gateway could not be reached: no route", told().Trouble)
		assert.True(t, told().Held)

		h.mu.Lock()
		h.flow.Paused = true
		h.post(h.order[0])
		h.mu.Unlock()
		assert.Equal(t, "2 trials wait: the gateway could not be reached: no route", told().Trouble)
		note(0, "", false)
		note(1, "", false)
		assert.Equal(t, "2 trials wait: everything is paused", told().Trouble)
		note(0, "the gateway could not be reached: no route", true)
		note(1, "the gateway could not be reached: no route", true)
		h.mu.Lock()
		h.flow.Paused = false
		h.mu.Unlock()

		b.Close()
		again := New(b.o)
		defer again.Close()
		require.NoError(t, again.Resume(t.Context(), id))
		r := ended(t, again, id)
		assert.Equal(t, 2, r.Tally().Done)
		assert.Len(t, h.sent(), 2, "by the jobs that there were")
		all, _ := again.News(0)
		assert.Empty(t, all[0].Trouble)
	})
}

// TestAClockThatIsSetMakesTimesVaguer: whatever the clock does, the true time of a trial lies within what is
// said of it.
func TestAClockThatIsSetMakesTimesVaguer(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{-time.Hour, 0, 30 * time.Second} {
		var set atomic.Int64
		h := newHistory(always(life{running: 10 * time.Second}))
		h.clock = func() time.Time { return time.Now().Add(time.Duration(set.Load())).Round(0) }
		bubble(t, h, func(o *Options) { o.Clock = h.clock }, func(t *testing.T, b *Bench) {
			plan := planOf(2, 2, 0)
			plan.Concurrency = 1
			id, err := b.Start(t.Context(), plan)
			require.NoError(t, err)
			pass(5 * time.Second)
			set.Store(int64(by))
			r := ended(t, b, id)
			for i := range r.Trials {
				l := r.Trials[i].Latency.Total
				assert.LessOrEqual(t, l.Least, 10*time.Second, "%s: %s", by, l)
				assert.GreaterOrEqual(t, l.Most, 10*time.Second, "%s: %s", by, l)
			}
			last := r.Trials[len(r.Trials)-1].Latency.Total
			assert.Less(t, last.Most-last.Least, 2*time.Second, "what was sent later is known as well as ever")
		})
	}
}
