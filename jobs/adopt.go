package jobs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
)

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
	e.wait(id)
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
		schedule(&c, now)
		return c, nil
	})
	return err
}
