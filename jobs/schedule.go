package jobs

import (
	"cmp"
	"slices"
	"time"
)

// Tick is what due times are rounded up to, so that jobs fall due together and one wake-up
// serves many of them.
const Tick = 20 * time.Millisecond

// Curve says when a task is polled. It holds no state: the interval follows from the
// task's age, so that a restart goes on where the curve is.
type Curve struct {
	First  time.Duration // age at the first poll, and the least interval
	Early  float64       // interval as a part of the age, up to Knee
	Knee   time.Duration // interval that is kept from then on ...
	Late   float64       // ... until this part of the age is more
	Max    time.Duration // never more than this
	Jitter float64       // spread of each interval, as a part of it, either way
}

// DefaultCurve polls at 1, 2, 3 s, then at 1.5 times the age until polls are 10 s apart,
// and from 200 s of age on more rarely, down to every 30 s.
func DefaultCurve() Curve {
	return Curve{
		First: time.Second, Early: 0.5, Knee: 10 * time.Second,
		Late: 0.05, Max: 30 * time.Second, Jitter: 0.1,
	}
}

// Interval is the time to the next poll of a task of this age; rnd is in [0,1).
func (c Curve) Interval(age time.Duration, rnd float64) time.Duration {
	age = max(age, 0)
	d := min(time.Duration(float64(age)*c.Early), c.Knee)
	d = max(d, time.Duration(float64(age)*c.Late), c.First)
	d = min(d, c.Max)
	return d + time.Duration((2*rnd-1)*c.Jitter*float64(d))
}

// Backoff says how failures are retried: decorrelated jitter between Base and three times
// the delay before, never above Cap.
type Backoff struct{ Base, Cap time.Duration }

// Next is the delay after one more failure; prev is the one before, 0 for none, and asked
// what the answer asked for (Retry-After), which is never undercut.
func (b Backoff) Next(prev, asked time.Duration, rnd float64) time.Duration {
	prev = max(prev, b.Base)
	d := b.Base + time.Duration(rnd*float64(3*prev-b.Base))
	if asked > 0 {
		asked = min(asked, maxAsked) + Tick // our clock is read to the millisecond
	}
	return max(min(d, b.Cap), asked)
}

// maxAsked bounds what an answer may ask for, so that a hostile Retry-After cannot park a
// job for a year.
const maxAsked = time.Hour

// roundUp rounds a due time up to the next tick.
func roundUp(t time.Time) time.Time {
	r := t.Truncate(Tick)
	if r.Before(t) {
		r = r.Add(Tick)
	}
	return r
}

// kind is what a worker does with a job.
type kind uint8

const (
	kindNone kind = iota
	kindCreate
	kindPoll
	kindFetch
	kinds
)

// room is how many more works of each kind may begin.
type room = [kinds]int

// workKind says what is to be done next with a job.
func workKind(j *Job) kind { return kindFor(j.State, j.Files) }

func heldKind(h *held) kind { return kindFor(h.state, h.files()) }

func kindFor(s State, files []File) kind {
	switch {
	case s == Planned:
		return kindCreate
	case s.Polled():
		return kindPoll
	case filesPending(files):
		return kindFetch
	default:
		return kindNone
	}
}

// filesPending reports whether a file is still on its way.
func filesPending(files []File) bool {
	return slices.ContainsFunc(files, func(f File) bool {
		return f.State == FileWanted || f.State == FileFetching
	})
}

// spreadStep is the least distance of polls that fell due while nobody looked.
const (
	spreadStep = 25 * time.Millisecond
	spreadMax  = 10 * time.Second
)

// spread gives polls that are all overdue (after a start, a sleep, a clock jump) due times
// one after the other instead of a burst, at most spreadMax from now on. The first `free`
// stay due now. Due times that lie further ahead than horizon, as after a clock that went
// back, are spread over it; after a failure it is as long as an answer may ask to wait.
func spread(now time.Time, live map[string]*entry, free int, horizon time.Duration) {
	var late, far []*entry
	for _, e := range live {
		ahead := horizon
		if e.attempts > 0 {
			ahead = maxAsked + Tick
		}
		switch {
		case e.busy || e.due.IsZero():
		case e.due.After(now.Add(ahead)):
			far = append(far, e)
		case e.kind == kindPoll && !e.due.After(now):
			late = append(late, e)
		}
	}
	byID := func(a, b *entry) int { return cmp.Compare(a.job.id, b.job.id) }
	slices.SortFunc(far, byID)
	for i, e := range far {
		e.due = roundUp(now.Add(horizon * time.Duration(i+1) / time.Duration(len(far))))
	}
	if len(late) <= free {
		return
	}
	slices.SortFunc(late, byID)
	late = late[free:]
	step := min(spreadStep, spreadMax/time.Duration(len(late)))
	for i, e := range late {
		e.due = roundUp(now.Add(time.Duration(i+1) * step))
	}
}
