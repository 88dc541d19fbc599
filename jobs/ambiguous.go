package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs/owner"
)

// unanswered makes a create ambiguous whose sender is gone: nobody has its answer.
func unanswered(c *Change, now time.Time) {
	move(c, now, Ambiguous, Event{
		Kind:    EventAmbiguous,
		Message: "the process that sent the create ended before the answer came",
	})
	c.Job.Note = lostNote(c.Job)
	plan(c, time.Time{})
}

// lostNote says what can be done about an ambiguous job.
func lostNote(j Job) string {
	j.State = Ambiguous
	if Allowed(ActAdopt, &j) != nil {
		return noteNoTask
	}
	return noteAmbiguous
}

// asUnanswered is a create under way as it is when its sender is gone. Everything else stays
// as it is, and so does a job in any other state.
func asUnanswered(j Job) Job {
	if j.State == Submitting {
		j.State = Ambiguous
		j.Note = lostNote(j)
	}
	return j
}

// orphaned reports whether the sender of a create that is under way is gone for sure, so that
// whoever works on the profile next makes it ambiguous: it gave its lease back, its process
// is not there any more, or its lease is over.
func orphaned(w Work, leases []Lease) bool {
	if w.Job.State != Submitting {
		return false
	}
	over := slices.ContainsFunc(leases, func(l Lease) bool { return l.Owner == w.Owner && !l.Lives })
	return w.Owner == "" || over || owner.Dead(w.Owner)
}

// orphaned is that by what the history has of a job.
func (e *Engine) orphaned(ctx context.Context, id string) (Work, bool) {
	w, err := e.o.Store.Get(ctx, id)
	if err != nil || w.Job.State != Submitting || w.Owner == e.o.Owner {
		return w, false
	}
	var leases []Lease
	if l, ok := e.o.Store.(Leaser); ok {
		leases, _ = l.Leases(ctx) // without them the job is shown as it is
	}
	return w, orphaned(w, leases)
}

// seen is a job as readers get it: a create whose sender is gone is what it is about to
// become. It says which files are this installation's.
func (e *Engine) seen(ctx context.Context, j Job) Job {
	if j.State == Submitting {
		if _, gone := e.orphaned(ctx, j.ID); gone {
			return e.Judge(asUnanswered(j))
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

// Adoptable implements Doer.
func (e *Engine) Adoptable(ctx context.Context, id, taskID string) (client.Task, error) {
	if err := client.CheckTaskID(taskID); err != nil {
		return client.Task{}, err
	}
	e.settleOrphan(ctx, id)
	w, err := e.o.Store.Get(ctx, id)
	var routes []string
	if err == nil {
		routes, err = e.adoptable(&w.Job)
	}
	if err != nil {
		return client.Task{}, fmt.Errorf("job %s: %w", client.CleanLine(id), err)
	}
	pauses, err := e.Pauses(ctx)
	if err != nil {
		return client.Task{}, err
	}
	if f := FlowOf(pauses); f.Paused || f.PausedHost(e.o.Host) {
		return client.Task{}, fmt.Errorf("the gateway was not asked for %q: what goes there is paused", taskID)
	}
	return e.find(client.KnownAs(ctx, w.Job.AltIDs), routes, taskID)
}

// find asks for a task until a route has it.
func (e *Engine) find(ctx context.Context, routes []string, taskID string) (client.Task, error) {
	absent := "" // what a route said of a task that it does not have
	for {
		t, route, err := client.FirstRoute(ctx, e.o.Gateway.Query, routes, taskID)
		if err == nil && t.Absent != "" {
			absent = client.CleanLine(t.RawStatus + ": " + t.Absent)
			if routes = routes[slices.Index(routes, route)+1:]; len(routes) > 0 {
				continue
			}
		}
		switch {
		case err == nil && t.Absent == "":
			return t, nil
		case absent != "" && (err == nil || client.Missing(err)):
			return client.Task{}, fmt.Errorf("%w %q: %s", ErrUnknownTask, taskID, absent)
		case client.Missing(err):
			return client.Task{}, fmt.Errorf("%w %q: %w", ErrUnknownTask, taskID, err)
		default:
			return client.Task{}, fmt.Errorf("the gateway could not tell whether it knows the task %q: %w", taskID, err)
		}
	}
}

// TaskText says for people what the gateway answered about a task: its state, the raw term
// where that says more, and the model where it is not the job's.
func TaskText(j Job, t client.Task) string {
	text := string(t.Status)
	if t.RawStatus != "" && !strings.EqualFold(t.RawStatus, text) {
		text += " (" + t.RawStatus + ")"
	}
	if t.Model != "" && t.Model != j.Draft.Model && t.Model != j.Draft.ModelName {
		text += ", and that its model is " + t.Model + ", while the job's is " + j.Draft.Model
	}
	return client.CleanLine(text)
}

// whyNoTask says why no id can be adopted for a job.
const whyNoTask = "its create is answered with the result and makes no task: resend or drop it"

// adoptable are the formats that may know the task of a job which is to adopt one.
func (e *Engine) adoptable(j *Job) ([]string, error) {
	if err := Allowed(ActAdopt, j); err != nil {
		return nil, err
	}
	routes := e.taskRoutes(j)
	if len(routes) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrState, whyNoTask)
	}
	return routes, nil
}

// unclear is the note of a job whose create was not answered: what a person can do.
func (e *Engine) unclear(j *Job) string {
	if len(e.taskRoutes(j)) == 0 {
		return noteNoTask
	}
	return lostNote(*j)
}

// taskRoutes are the formats that may know the task of a job, its own first. A format whose answer
// is the result knows no tasks.
func (e *Engine) taskRoutes(j *Job) []string {
	routes := []string{j.Format}
	if f := e.o.RoutesFor; f != nil {
		routes = append(routes, f(j.Draft.Model)...)
	}
	if s := e.o.Synchronous; s != nil {
		routes = slices.DeleteFunc(routes, s)
	}
	return routes
}

// Adopt implements Doer.
func (e *Engine) Adopt(ctx context.Context, id, taskID string) error {
	if err := client.CheckTaskID(taskID); err != nil {
		return err
	}
	e.settleOrphan(ctx, id)
	e.inbox.want(id)
	_, err := e.amend(ctx, id, func(now time.Time, w Work) (Change, error) {
		c := change(&w)
		routes, err := e.adoptable(&w.Job)
		if err != nil {
			return c, err
		}
		c.Job.TaskID, c.Job.QueryFormat = taskID, routes[0]
		c.Job.AcceptedAt = now
		move(&c, now, Unknown, Event{Kind: EventPerson, Message: client.CleanLine("adopted the task id " + taskID)})
		c.Take = true
		c.Job.Note = ""
		c.Attempts, c.Backoff = 0, 0
		plan(&c, now)
		return c, nil
	})
	return err
}
