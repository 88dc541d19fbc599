package jobs

import (
	"context"
	"sync"
	"time"
)

// Bounds of the plans that an engine keeps.
const (
	maxPlans  = 256
	planFresh = 10 * time.Minute // a plan is read again after so long ...
	planRenew = time.Minute      // ... or after so long, when jobs have completed since
	planWait  = 5 * time.Second  // for the history, while the others go on with the old plan
)

// kindOf is what durations are alike for: another profile's gateway is another one.
type kindOf struct{ profile, model, mode string }

// plans are the schedules by profile, model and mode. They are read by workers and readers
// and never by the loop.
type plans struct {
	mu  sync.Mutex
	all map[kindOf]*planned
}

type planned struct {
	plan    *Plan // nil while too little is known
	read    time.Time
	stale   bool // a job of this kind completed since
	reading bool
}

func keyOf(j *Job) kindOf { return kindOf{j.Profile, j.Draft.Model, j.Draft.Mode} }

// due reports whether a plan is to be read, and leaves that to the caller.
func (p *plans) due(k kindOf, now time.Time) (*Plan, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[kindOf]*planned{}
	}
	at := p.all[k]
	if at == nil {
		p.room()
		at = &planned{}
		p.all[k] = at
	}
	age := now.Sub(at.read)
	old := at.read.IsZero() || age < 0 || age >= planFresh || at.stale && age >= planRenew
	if !old || at.reading {
		return at.plan, false
	}
	at.reading = true
	return at.plan, true
}

// room lets the plan go that was not read for longest, when there are too many.
func (p *plans) room() {
	if len(p.all) < maxPlans {
		return
	}
	var oldest kindOf
	found := false
	for k, at := range p.all {
		if !at.reading && (!found || at.read.Before(p.all[oldest].read)) {
			oldest, found = k, true
		}
	}
	if found {
		delete(p.all, oldest)
	}
}

// set keeps what was read; ok is false when the history could not be read, and the plan
// stays what it was until the next try.
func (p *plans) set(k kindOf, plan *Plan, ok bool, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.all[k]
	if at == nil {
		return
	}
	at.read, at.stale, at.reading = now, !ok, false
	if ok {
		at.plan = plan
	}
}

// completed notes that there is one more duration to learn from.
func (p *plans) completed(k kindOf) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.all[k]; at != nil {
		at.stale = true
	}
}

// planFor is the plan for jobs like this one, nil while too little is known.
func (e *Engine) planFor(ctx context.Context, j *Job, now time.Time) *Plan {
	k := keyOf(j)
	plan, read := e.plans.due(k, now)
	if !read {
		return plan
	}
	rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), planWait)
	defer cancel()
	past, err := e.o.Store.Past(rctx, PastQuery{Profile: k.profile, Model: k.model, Mode: k.mode, Limit: maxPast})
	if err == nil {
		plan = NewPlan(past)
	}
	e.plans.set(k, plan, err == nil, now)
	return plan
}

// interval is the time to the next poll of a task: by the plan for its kind, or by the
// curve while earlier tasks do not tell.
func (e *Engine) interval(ctx context.Context, j *Job, now time.Time) time.Duration {
	age, rnd := now.Sub(bornAt(j)), e.o.Rand()
	plan := e.planFor(ctx, j, now)
	if plan == nil {
		return e.o.Curve.Interval(age, rnd)
	}
	return plan.Interval(age, rnd)
}
