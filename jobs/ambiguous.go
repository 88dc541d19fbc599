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

// unanswered makes a create ambiguous: its sender is gone, and nobody has the answer.
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

// asUnanswered returns the job as it is once the sender of its create is gone. A job in any other
// state is returned unchanged.
func asUnanswered(j Job) Job {
	if j.State == Submitting {
		j.State = Ambiguous
		j.Note = lostNote(j)
	}
	return j
}

// orphaned reports whether the sender of a create under way is certainly gone, so that the next
// engine to work on the profile makes it ambiguous: the sender gave its lease back, its process
// has ended, or its lease has expired.
func orphaned(w Work, leases []Lease) bool {
	if w.Job.State != Submitting {
		return false
	}
	over := slices.ContainsFunc(leases, func(l Lease) bool { return l.Owner == w.Owner && !l.Lives })
	return w.Owner == "" || over || owner.Dead(w.Owner)
}

// orphaned is the same for a job of the history, by its id.
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

// seen returns a job as readers get it: a create whose sender is gone already shows as ambiguous,
// and files are marked as this installation's or not.
func (e *Engine) seen(ctx context.Context, j Job) Job {
	if j.State == Submitting {
		if _, gone := e.orphaned(ctx, j.ID); gone {
			return e.Judge(asUnanswered(j))
		}
	}
	return e.Judge(j)
}

// orphansMatter reports whether a query selects only one of creates under way and ambiguous jobs:
// the history cannot tell which of the two an orphan is.
func orphansMatter(states []State) bool {
	return slices.Contains(states, Ambiguous) != slices.Contains(states, Submitting)
}

// listOrphans is List for such a query: it always reads creates under way as well, and filters by
// the state that readers see. It reads on until the page is full.
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

// settleOrphan lets a person decide about a create whose sender is gone before an engine has
// settled it.
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

// find asks one route after another for a task until one knows it.
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

// TaskText describes the gateway's answer about a task for people: its state, the raw term where
// that says more, and the model where it differs from the job's.
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

// adoptable returns the formats that may know the task a job is to adopt.
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

// unclear is the note of a job whose create got no answer: it says what a person can do.
func (e *Engine) unclear(j *Job) string {
	if len(e.taskRoutes(j)) == 0 {
		return noteNoTask
	}
	return lostNote(*j)
}

// taskRoutes returns the formats that may know a job's task, its own first. A format that answers
// with the result knows no tasks.
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
