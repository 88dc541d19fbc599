package run

import (
	"time"

	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// leastStep is how far the clock has to move by itself to count as set: what is less is being corrected.
const leastStep = 100 * time.Millisecond

// pace compares the clock with one that nobody can set.
type pace struct {
	began time.Time // has the monotonic clock
	wall  time.Time
	skew  time.Duration // of the clock against the other one, as it is known
}

func newPace(wall time.Time) pace { return pace{began: time.Now(), wall: wall.Round(0)} }

// step is by how much the clock was set since the last call, forward above 0. A machine that slept looks as
// if it was.
func (p *pace) step(wall time.Time) time.Duration {
	skew := wall.Round(0).Sub(p.wall) - time.Since(p.began)
	by := skew - p.skew
	if by.Abs() < leastStep {
		return 0
	}
	p.skew = skew
	return by
}

// doubt notes that the clock was set: the times of what is under way are known less well by as much. What
// was set forward may have been a sleep, through which tasks went on, so that only the lower bound gives way.
func (r *runner) doubt() {
	by := r.pace.step(r.b.o.Clock())
	if by == 0 {
		return
	}
	for _, p := range r.open {
		p.ahead, p.behind = p.ahead+max(0, by), p.behind+max(0, -by)
	}
}

// outcome is what a job tells of its trial, as well as its times are known.
func (p *pending) outcome(j *jobs.Job, timedOut bool) compare.Outcome {
	o := OutcomeOf(j, timedOut)
	if p == nil || p.ahead == 0 && p.behind == 0 {
		return o
	}
	l := &o.Latency
	for _, i := range []*compare.Interval{&l.Create, &l.Queue, &l.Run, &l.Total, &l.Download} {
		if i.Known() {
			i.Least, i.Most, i.Source = max(0, i.Least-p.ahead), i.Most+p.behind, compare.Polled
		}
	}
	return o
}
