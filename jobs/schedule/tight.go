package schedule

import (
	"math"
	"sync"
	"time"
)

// Limits of a [Tight].
const (
	tightShare = 0.5             // of the rate at which requests may leave
	tightCut   = 0.5             // of its own limit, where the gateway slows us down ...
	tightEvery = 5 * time.Second // ... and not again for so long: what is under way may be refused, too
	tightHeal  = 1.005           // of its own limit, a second
	tightLeast = 0.05            // polls a second
)

// TightCurve polls every second, from 40 s of age on every fortieth of the age, and at least every 5 s: a
// time is then known to a second or to 2.5 %, until 5 s are less than that.
func TightCurve() Curve {
	return Curve{First: time.Second, Late: 0.025, Max: 5 * time.Second, Jitter: 0.1}
}

// Tight says when to poll the tasks whose times are to be known well, those of the runs of a comparison.
// It is a curve, as far as there is room for it: all of them together get at most half of the requests
// that may leave for the gateway. Where the gateway slows us down, it halves what they get, which grows
// back by half a percent a second, so that it is not asked for its limit again and again. It is safe
// for concurrent use.
type Tight struct {
	curve Curve

	mu    sync.Mutex
	least time.Duration // between two polls of a task, as the pace allows; 0 for no limit
	own   float64       // limit in polls a second, as the gateway has taught; 0 for not yet
	at    time.Time     // when the pace was last told ...
	rate  float64       // ... and what it was
	cut   time.Time     // when own was last cut
}

// NewTight makes one with a curve.
func NewTight(c Curve) *Tight { return &Tight{curve: c} }

// Paced tells at how many requests a second the gateway may be asked, rate now and top usually, and how
// many tasks share it. A rate of 0 is no limit.
func (t *Tight) Paced(now time.Time, tasks int, rate, top float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rate <= 0 {
		t.least = 0
		return
	}
	if t.own <= 0 {
		t.own, t.at, t.rate = tightShare*top, now, top
	}
	slowed := rate < t.rate // by itself it only grows
	t.own = min(t.own*math.Pow(tightHeal, max(now.Sub(t.at), 0).Seconds()), tightShare*top)
	t.at, t.rate = now, rate
	if since := now.Sub(t.cut); slowed && (since >= tightEvery || since < 0) { // below 0: the clock was set back
		t.cut = now
		t.own = max(t.own*tightCut, tightLeast)
	}
	t.least = time.Duration(float64(tasks) / min(tightShare*rate, t.own) * float64(time.Second))
}

// Interval is the time to the next poll of a task of this age; rnd is in [0,1).
func (t *Tight) Interval(age time.Duration, rnd float64) time.Duration {
	t.mu.Lock()
	least := t.least
	t.mu.Unlock()
	return max(t.curve.Interval(age, rnd), least)
}
