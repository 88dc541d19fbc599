package schedule

import (
	"math"
	"slices"
	"time"
)

// Limits of a [Plan].
const (
	minPast  = 12  // durations below which nothing is known
	maxPast  = 200 // the newest so many count
	maxBins  = 12
	minBin   = 4 // durations in a bin, at least
	minPause = time.Second
	maxPause = time.Minute
	spreadBy = 0.1  // of a pause, either way
	aimBy    = 0.02 // of the pause that ends at the usual time: it is aimed at

	// A plan may cost thrift of the queries that one every fixedPause would, or minPolls.
	fixedPause = 10 * time.Second
	thrift     = 0.93
	minPolls   = 5
	// firstLook is the one look before the usual time, for tasks that are refused at once
	// and for a person who wants to see that they are under way.
	firstLook = 3 * time.Second
	// early is the part of the tasks that may end before the usual time.
	early = 0.03
	// scouts is the part of the tasks that are looked at half way to the usual time, too. An
	// end is known by the look that shows it: without them nobody would ever see that tasks
	// have become faster.
	scouts = 1.0 / 12
	// narrow is the least width of a bin, as a part of the age at its end: tasks that all
	// take the same time have a hazard without bounds.
	narrow = 0.01
	// tail is the part of what is beyond the longest known duration that a pause may take.
	tail = 20
)

// MaxInterval is the longest interval of a [Plan].
const MaxInterval = maxPause + maxPause/10

// Plan says when to poll tasks of one kind, from how long earlier ones took. Where many
// of those that were still running at an age ended soon after it, polls are near each
// other; where few did, they are far apart. It is immutable.
//
// A pause d at hazard h (ends a second) costs 1/d queries a second and h*d/2 seconds of
// lateness a second; for a given number of queries the lateness is least when d is
// proportional to 1/sqrt(h). A hazard that a few durations make is a guess, though: with
// the fourth root the mean is the same, and those that are seen last are seen sooner (99 of
// 100 within 11.2 s instead of 13.5, BenchmarkSchedule).
type Plan struct {
	usual time.Duration // age at which the first few had ended
	bins  []bin
	took  []time.Duration // what it was made of, ascending
}

// bin is what holds from the bin before up to an age.
type bin struct {
	until time.Duration
	pause time.Duration

	alive  float64 // seconds that a task spends in it, on average
	hazard float64 // ends a second
}

// NewPlan makes a plan of the durations of earlier tasks, the newest first; nil when they
// are too few to know anything.
func NewPlan(past []time.Duration) *Plan {
	past = slices.Clone(past[:min(len(past), maxPast)])
	past = slices.DeleteFunc(past, func(d time.Duration) bool { return d <= 0 })
	if len(past) < minPast {
		return nil
	}
	slices.Sort(past)
	p := &Plan{usual: past[int(float64(len(past))*early)], took: slices.Clip(past)}
	p.cut(past)
	p.pay(past)
	return p
}

// cut divides the ages from the usual one on into bins that hold about as many ends each.
func (p *Plan) cut(past []time.Duration) {
	n := len(past)
	count := min(n/minBin, maxBins)
	lo, from := p.usual, 0
	for b := 1; b <= count; b++ {
		to := n * b / count
		hi := past[to-1]
		least := time.Duration(narrow * float64(hi))
		if hi-lo < least {
			if b < count {
				continue // many of the same length: they join the next bin
			}
			hi = lo + least
		}
		alive := 0.0
		for _, d := range past[from:] {
			alive += max(0, (min(d, hi) - lo).Seconds())
		}
		alive = max(alive, float64(to-from)*(hi-lo).Seconds()/2)
		p.bins = append(p.bins, bin{until: hi, alive: alive / float64(n), hazard: float64(to-from) / alive})
		lo, from = hi, to
	}
}

// pay gives the bins pauses in the ratio that their hazards ask for, as short as the
// number of queries that a task may cost allows.
func (p *Plan) pay(past []time.Duration) {
	total := 0.0
	for _, d := range past {
		total += d.Seconds()
	}
	// A half is the part of the last pause that is behind the task's end, on average.
	fixed := total/float64(len(past))/fixedPause.Seconds() + 0.5
	budget := max(thrift*fixed-float64(p.looks()), minPolls-2) - 0.5
	short, long := 0.0, 3600.0
	for range 40 {
		mid := (short + long) / 2
		cost := 0.0
		for _, b := range p.bins {
			cost += b.alive / b.at(mid).Seconds()
		}
		if cost > budget {
			short = mid
		} else {
			long = mid
		}
	}
	for i, b := range p.bins {
		p.bins[i].pause = b.at(long)
	}
}

func (b bin) at(scale float64) time.Duration {
	return bound(time.Duration(scale / math.Sqrt(math.Sqrt(b.hazard)) * float64(time.Second)))
}

func bound(d time.Duration) time.Duration { return min(max(d, minPause), maxPause) }

// looks is how many polls there are up to the usual age.
func (p *Plan) looks() int {
	n := 0
	for age := time.Duration(0); age < p.usual; n++ {
		age += p.before(age)
	}
	return n
}

// before is the pause at an age below the usual one.
func (p *Plan) before(age time.Duration) time.Duration {
	if age < firstLook && p.usual >= 2*firstLook {
		return bound(firstLook - age)
	}
	return bound(p.usual - age)
}

// Interval is the time to the next poll of a task of this age; rnd is in [0,1). It is never
// below a second, and never more than a tenth above a minute.
func (p *Plan) Interval(age time.Duration, rnd float64) time.Duration {
	age = max(age, 0)
	by, d := spreadBy, time.Duration(0)
	if age < p.usual {
		d = p.before(age)
		if age+d >= p.usual {
			by = aimBy
		}
		if d > 2*firstLook {
			if rnd < scouts {
				d /= 2
			}
			rnd = math.Mod(rnd, scouts) / scouts // what is left of it
		}
	} else {
		d = p.pause(age)
	}
	return max(time.Duration(float64(d)*(1+(2*rnd-1)*by)), minPause)
}

// pause at an age. Behind the longest that was seen it grows with the age: what has taken
// so long may take much longer.
func (p *Plan) pause(age time.Duration) time.Duration {
	for _, b := range p.bins {
		if age < b.until {
			return b.pause
		}
	}
	last := p.bins[len(p.bins)-1]
	grown := time.Duration(float64(last.pause) * math.Sqrt(float64(age)/float64(last.until)))
	return bound(max(grown, (age-last.until)/tail))
}
