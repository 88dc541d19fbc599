package jobs

import (
	"context"
	"fmt"
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
	if err == nil {
		err = Allowed(ActAdopt, &w.Job)
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
	routes := []string{w.Job.Format}
	if f := e.o.RoutesFor; f != nil {
		routes = append(routes, f(w.Job.Draft.Model)...)
	}
	t, _, err := client.FirstRoute(client.KnownAs(ctx, w.Job.AltIDs), e.o.Gateway.Query, routes, taskID)
	switch {
	case client.Missing(err):
		return client.Task{}, fmt.Errorf("%w %q: %w", ErrUnknownTask, taskID, err)
	case err != nil:
		return client.Task{}, fmt.Errorf("the gateway could not tell whether it knows the task %q: %w", taskID, err)
	}
	return t, nil
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

// Adopt implements Doer.
func (e *Engine) Adopt(ctx context.Context, id, taskID string) error {
	if err := client.CheckTaskID(taskID); err != nil {
		return err
	}
	e.settleOrphan(ctx, id)
	e.wait(id)
	_, err := e.amend(ctx, id, func(now time.Time, w Work) (Change, error) {
		c := change(&w)
		if err := Allowed(ActAdopt, &w.Job); err != nil {
			return c, err
		}
		c.Job.TaskID, c.Job.QueryFormat = taskID, w.Job.Format
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
