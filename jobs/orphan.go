package jobs

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// unanswered makes a create ambiguous whose sender is gone: nobody has its answer.
func unanswered(c *Change, now time.Time) {
	move(c, now, Ambiguous, Event{
		Kind:    EventAmbiguous,
		Message: "the process that sent the create ended before the answer came",
	})
	c.Job.Note = lostNote(c.Job)
	schedule(c, time.Time{})
}

// lostNote says what can be done about an ambiguous job.
func lostNote(j Job) string {
	j.State = Ambiguous
	if Allowed(ActAdopt, &j) != nil {
		return noteNoTask
	}
	return noteAmbiguous
}

// Unanswered is a create under way as it is when its sender is gone. Everything else stays
// as it is, and so does a job in any other state.
func Unanswered(j Job) Job {
	if j.State == Submitting {
		j.State = Ambiguous
		j.Note = lostNote(j)
	}
	return j
}

// Orphaned reports whether the sender of a create that is under way is gone for sure, so that
// whoever works on the profile next makes it ambiguous: it gave its lease back, its process
// is not there any more, or its lease is over.
func Orphaned(w Work, leases []Lease) bool {
	if w.Job.State != Submitting {
		return false
	}
	over := slices.ContainsFunc(leases, func(l Lease) bool { return l.Owner == w.Owner && !l.Lives })
	return w.Owner == "" || over || ownerDead(w.Owner)
}

// orphaned is Orphaned by what the history has of a job.
func (e *Engine) orphaned(ctx context.Context, id string) (Work, bool) {
	w, err := e.o.Store.Get(ctx, id)
	if err != nil || w.Job.State != Submitting || w.Owner == e.o.Owner {
		return w, false
	}
	var leases []Lease
	if l, ok := e.o.Store.(Leaser); ok {
		leases, _ = l.Leases(ctx) // without them the job is shown as it is
	}
	return w, Orphaned(w, leases)
}

// seen is a job as readers get it: a create whose sender is gone is what it is about to
// become. It says which files are this installation's.
func (e *Engine) seen(ctx context.Context, j Job) Job {
	if j.State == Submitting {
		if _, gone := e.orphaned(ctx, j.ID); gone {
			return e.Judge(Unanswered(j))
		}
	}
	return e.Judge(j)
}

// orphansMatter reports whether a query for states takes either a create under way or an
// ambiguous one: which of the two it is, the history does not know.
func orphansMatter(states []State) bool {
	return slices.Contains(states, Ambiguous) != slices.Contains(states, Submitting)
}

// listOrphans is List for such a query: creates under way are read in any case, and what
// readers get of them decides. It reads on until the page is full.
func (e *Engine) listOrphans(ctx context.Context, q Query) (Page, error) {
	want, limit := q.States, cmp.Or(q.Limit, defaultPage)
	if !slices.Contains(want, Submitting) {
		q.States = append(slices.Clone(want), Submitting)
	}
	for page := (Page{Jobs: []Job{}}); ; {
		q.Limit = limit - len(page.Jobs)
		p, err := e.o.Store.List(ctx, q)
		if err != nil {
			return Page{}, err
		}
		for _, stored := range p.Jobs {
			j, at := e.seen(ctx, e.newer(stored)), stored.State
			if j.State == Ambiguous {
				at = Ambiguous
			}
			if slices.Contains(want, at) {
				page.Jobs = append(page.Jobs, j)
			}
		}
		page.Next, q.Before = p.Next, p.Next
		if page.Next == "" || len(page.Jobs) >= limit {
			e.learn(ctx, page.Jobs...)
			return page, nil
		}
	}
}

// settleOrphan lets a person decide about a create whose sender is gone, before an engine
// has come by.
func (e *Engine) settleOrphan(ctx context.Context, id string) {
	was, gone := e.orphaned(ctx, id)
	if !gone {
		return
	}
	_, _ = e.amend(ctx, id, func(now time.Time, w Work) (Change, error) { // what follows tells of a failure
		c := change(&w)
		if w.Job.State != Submitting || w.Owner != was.Owner || w.Token != was.Token {
			return c, errSame // an engine has come by
		}
		unanswered(&c, now)
		c.Take = true
		return c, nil
	})
}
