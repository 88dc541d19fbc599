// Package schedule says when to ask: when a task is polled, from its age and from how long
// earlier ones took, when what failed is tried again, and what falls due next. It knows times
// alone, no job and no disk.
package schedule

import "time"

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
		asked = min(asked, MaxAsked) + Tick // our clock is read to the millisecond
	}
	return max(min(d, b.Cap), asked)
}

// MaxAsked bounds what an answer may ask for, so that a hostile Retry-After cannot park a
// job for a year.
const MaxAsked = time.Hour

// RoundUp rounds a due time up to the next tick.
func RoundUp(t time.Time) time.Time {
	r := t.Truncate(Tick)
	if r.Before(t) {
		r = r.Add(Tick)
	}
	return r
}
