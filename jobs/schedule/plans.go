package schedule

import (
	"context"
	"sync"
	"time"
)

// Bounds of the plans that are kept.
const (
	maxPlans  = 256
	planFresh = 10 * time.Minute // a plan is read again after so long ...
	planRenew = time.Minute      // ... or after so long, when tasks have completed since
	planWait  = 5 * time.Second  // for the history, while the others go on with the old plan
)

// Kind identifies tasks with comparable durations: another profile's gateway is another kind.
type Kind struct{ Profile, Model, Mode string }

// Plans keeps the plan of each kind of tasks, and makes it anew when it is old. It is safe for
// concurrent use.
type Plans struct {
	past func(ctx context.Context, k Kind, newest int) ([]time.Duration, error)

	mu  sync.Mutex
	all map[Kind]*known
}

type known struct {
	plan    *Plan // nil while too little is known
	read    time.Time
	stale   bool // a task of this kind completed since
	reading bool
}

// NewPlans makes plans of what past tells: how long the newest tasks of a kind took.
func NewPlans(past func(ctx context.Context, k Kind, newest int) ([]time.Duration, error)) *Plans {
	return &Plans{past: past, all: map[Kind]*known{}}
}

// Known is the plan for a kind if it was asked for before. It never blocks.
func (p *Plans) Known(k Kind) *Plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.all[k]; at != nil {
		return at.plan
	}
	return nil
}

// Completed notes that there is one more duration to learn from.
func (p *Plans) Completed(k Kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.all[k]; at != nil {
		at.stale = true
	}
}

// Ask is the plan for a kind, nil while too little is known; it may read the past.
func (p *Plans) Ask(ctx context.Context, k Kind, now time.Time) *Plan {
	plan, read := p.due(k, now)
	if !read {
		return plan
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), planWait)
	defer cancel()
	past, err := p.past(ctx, k, maxPast)
	if err == nil {
		plan = NewPlan(past)
	}
	p.set(k, plan, err == nil, now)
	return plan
}

// due reports whether a plan is to be read, and leaves that to the caller.
func (p *Plans) due(k Kind, now time.Time) (*Plan, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.all[k]
	if at == nil {
		p.room()
		at = &known{}
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

// room drops the plan that was read longest ago when there are too many.
func (p *Plans) room() {
	if len(p.all) < maxPlans {
		return
	}
	var oldest Kind
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

// set keeps what was read; ok is false when the past could not be read, and the plan stays
// what it was until the next try.
func (p *Plans) set(k Kind, plan *Plan, ok bool, now time.Time) {
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
