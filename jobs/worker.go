package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/client"
	"darkroom/jobs/schedule"
)

// Notes for a person.
const (
	noteAmbiguous = "the answer to the create was lost or unclear: " + mayAdopt
	noteNoTask    = "the answer to the create was lost or unclear: " + mayResend
	noteNoResult  = "the answer to the create has no result: " + mayResend
	notePaid      = "the answer to the create has no result, and may have been paid for: " + mayResend
	noteNoHistory = "the history cannot be written: "
	mayAdopt      = "adopt a task id, resend or drop"
	mayResend     = "resend or drop"
)

// kind is what a worker does with a job.
type kind uint8

const (
	kindNone kind = iota
	kindCreate
	kindPoll
	kindFetch
	kinds
)

// room is how many more works of each kind may begin.
type room = [kinds]int

// workKind says what to do next with a job.
func workKind(j *Job) kind { return kindFor(j.State, j.Files) }

func packedKind(h *packed) kind { return kindFor(h.state, h.files()) }

func kindFor(s State, files []File) kind {
	switch {
	case s == Planned:
		return kindCreate
	case s.Polled():
		return kindPoll
	case filesPending(files):
		return kindFetch
	default:
		return kindNone
	}
}

// worker does one piece of work on a copy of the job, and writes what it found out under the lease
// it was given.
type worker struct {
	e      *Engine
	work   Work
	packed *packed // the job as it was when this began
	memo
	// answered makes room for another poll; nil for other work.
	answered func()
	lost     bool
	// unreached: a create could not be sent, and is not tried again by itself.
	unreached bool
	notes     pending   // of requests, to go with the next change
	slot      Slot      // room for what comes of a create; nil for none
	began     time.Time // of the create's POST, as it was journalled
	asked     time.Time // when the last request of a create or a query was begun
	shown     *packed   // the job as it was published last; nil when it has changed since
}

// show publishes the job as it is now; rev is 0 for a change in memory only.
func (w *worker) show(rev int64) {
	w.shown = w.e.board.post(&w.work.Job, rev, w.work.Token, w.e.o.Profile)
}

// do never panics: a bug in a codec or a saver must not take the other jobs down.
func (w *worker) do(ctx context.Context, k kind) {
	defer func() {
		if p := recover(); p != nil {
			w.panicked(p)
		}
		w.e.notes.add(w.work.Job.ID, w.notes)
	}()
	switch k {
	case kindCreate:
		w.create(ctx)
	case kindPoll:
		w.poll(ctx)
	case kindFetch:
		w.fetch(ctx)
	}
}

// panicked records a panic of a poll or a fetch as its failure. A create between its POST and the
// record of the answer stays Submitting: see settle.
func (w *worker) panicked(p any) {
	w.retryLater(0)
	w.work.Job.Note = client.CleanLine(fmt.Sprintf("internal error: %v", p))
	w.show(0)
}

// change begins a change that leaves a work as it is.
func change(w *Work) Change {
	return Change{
		Job: shareJob(w.Job), Due: w.Due, Attempts: w.Attempts, Backoff: w.Backoff, Token: w.Token,
	}
}

// move puts a job into a state, with the event that records it.
func move(c *Change, now time.Time, to State, ev Event) {
	ev.At, ev.From, ev.To = now, c.Job.State, to
	if !ended(c.Job.State) && ended(to) {
		c.Job.EndedAt = now
	}
	if !ended(to) {
		c.Job.EndedAt, c.Job.Seen.Ended = time.Time{}, time.Time{}
	}
	c.Job.State = to
	c.Job.UpdatedAt = now
	c.Events = append(c.Events, ev)
}

// ended reports whether nothing more is expected of the task itself.
func ended(s State) bool { return !s.Active() && s != Ambiguous }

// apply takes a committed change into the work.
func apply(w *Work, c Change, rev int64) {
	w.Job, w.Rev = c.Job, rev
	w.Due, w.Attempts, w.Backoff = c.Due, c.Attempts, c.Backoff
}

// plan plans the next work of the job, at once or at a later time; zero for none.
func plan(c *Change, at time.Time) {
	c.Due = at
	if !at.IsZero() {
		c.Due = schedule.RoundUp(at)
	}
	c.Job.NextPollAt = time.Time{}
	if c.Job.State.Polled() {
		c.Job.NextPollAt = c.Due
	}
}

// storeWait bounds one write of the history.
const storeWait = 30 * time.Second

// commit writes a change; it outlives the engine's context, since what was found out is worth more
// than a fast end. A nil error means that the change is in the history.
func (w *worker) commit(ctx context.Context, c Change) error {
	if w.answered != nil {
		w.answered()
	}
	for i := range c.Job.Assets {
		c.Job.Assets[i].Inline = nil // on the disk, or in a payload of its own
	}
	sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	c.Exchanges = append(w.e.notes.take(c.Job.ID), w.notes...)
	w.notes = nil
	rev, err := w.e.o.Store.Commit(sctx, c)
	if errors.Is(err, ErrLeaseLost) {
		w.lost = true
	}
	if err != nil {
		w.e.notes.giveBack(c.Job.ID, c.Exchanges)
		return err
	}
	apply(&w.work, c, rev)
	w.wrote, w.unsaved = w.e.now().UnixNano(), false
	w.show(rev)
	return nil
}

// commitSoft writes what can be found out again; if that fails the work is put off, with a note on
// the board.
func (w *worker) commitSoft(ctx context.Context, c Change) {
	err := w.commit(ctx, c)
	if err == nil || w.lost {
		return
	}
	w.retryLater(0)
	w.work.Job.Note = client.CleanLine(noteNoHistory + err.Error())
	w.show(0)
}

// retryLater puts the work off in memory, by the backoff or by the wait that the answer asked for.
func (w *worker) retryLater(asked time.Duration) {
	w.shown = nil
	w.work.Attempts++
	w.work.Backoff = w.e.o.Retry.Next(w.work.Backoff, asked, w.e.o.Rand())
	w.work.Due = schedule.RoundUp(w.e.now().Add(w.work.Backoff))
	if w.work.Job.State.Polled() {
		w.work.Job.NextPollAt = w.work.Due
	}
}

// errorEvent fills an event from an error.
func errorEvent(kind EventKind, err error) Event {
	ev := Event{Kind: kind, Message: client.CleanLine(err.Error())}
	if api, ok := errors.AsType[*client.APIError](err); ok {
		ev.HTTPStatus, ev.RequestID = api.HTTPStatus, client.CleanLine(api.RequestID)
	} else if create, ok := errors.AsType[*client.CreateError](err); ok {
		ev.HTTPStatus, ev.RequestID = create.Meta.HTTPStatus, client.CleanLine(create.Meta.RequestID)
	} else if other, ok := errors.AsType[*client.OtherTaskError](err); ok {
		ev.HTTPStatus, ev.RequestID = other.Meta.HTTPStatus, client.CleanLine(other.Meta.RequestID)
	}
	return ev
}

// retryAfter is the wait that an error asked for; 0 for none.
func retryAfter(err error) time.Duration {
	if api, ok := errors.AsType[*client.APIError](err); ok {
		return api.RetryAfter
	}
	return 0
}
