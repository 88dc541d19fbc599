package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
)

// maxRemark bounds a remark, in bytes.
const maxRemark = 10_000

// Tag implements Keeper.
func (e *Engine) Tag(ctx context.Context, id string, add, remove []string) error {
	_, err := e.say(ctx, id, func(j *Job) (string, error) {
		gone, err := CleanTags(remove)
		if err != nil {
			return "", err
		}
		kept := slices.DeleteFunc(slices.Clone(j.Tags), func(t string) bool { return slices.Contains(gone, t) })
		tags, err := CleanTags(append(kept, add...))
		if err != nil || slices.Equal(tags, j.Tags) {
			return "", err
		}
		if j.Tags = tags; len(tags) == 0 {
			j.Tags = nil
			return "took the tags away", nil
		}
		return "tags: " + strings.Join(tags, ", "), nil
	})
	return err
}

// Remark implements Keeper.
func (e *Engine) Remark(ctx context.Context, id, text string) error {
	text = strings.TrimSpace(client.Clean(text))
	if len(text) > maxRemark {
		return fmt.Errorf("remark: %d bytes; at most %d are allowed", len(text), maxRemark)
	}
	_, err := e.say(ctx, id, func(j *Job) (string, error) {
		if j.Remark == text {
			return "", nil
		}
		if j.Remark = text; text == "" {
			return "took the remark away", nil
		}
		return "remarked", nil
	})
	return err
}

// errSame ends an amendment that would change nothing.
var errSame = errors.New("jobs: nothing changes")

// say changes what only a person decides about a job. It leaves the work and its lease as
// they are, whoever has it, and hears of no gateway.
func (e *Engine) say(ctx context.Context, id string, change func(*Job) (string, error)) (Work, error) {
	return e.tell(ctx, id, EventPerson, change)
}

// tell is say with the kind of the event that tells of it.
func (e *Engine) tell(ctx context.Context, id string, kind EventKind, change func(*Job) (string, error)) (Work, error) {
	w, err := e.o.Store.Amend(ctx, id, func(w Work) (Change, error) {
		c := Change{Job: copyJob(w.Job), Due: w.Due, Attempts: w.Attempts, Backoff: w.Backoff, Token: w.Token}
		what, err := change(&c.Job)
		if err != nil {
			return c, err
		}
		if sameOwn(&w.Job, &c.Job) {
			return c, errSame
		}
		s := w.Job.State
		c.Events = []Event{{At: e.now(), Kind: kind, From: s, To: s, Message: client.CleanLine(what)}}
		return c, nil
	})
	if errors.Is(err, errSame) {
		return e.o.Store.Get(ctx, id)
	}
	if err != nil {
		return Work{}, fmt.Errorf("job %s: %w", client.CleanLine(id), err)
	}
	e.board.read(&w, e.o.Profile)
	e.handOwn(w, false)
	return w, nil
}
