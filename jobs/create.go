package jobs

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"darkroom/client"
)

// maxSends bounds how often a create that did not reach the gateway is tried before it is held;
// see [Unreached].
const maxSends = 8

// create sends one planned job: the history has the intent before the POST begins, and the answer
// right after it.
func (w *worker) create(ctx context.Context) {
	if w.work.Job.Observed {
		w.neverSent(ctx)
		return
	}
	if !w.e.o.Installation.Made(&w.work.Job) {
		w.holdForeign(ctx)
		return
	}
	if err := w.reserve(); err != nil {
		w.unsent(err)
		return
	}
	defer func() {
		if w.slot != nil {
			w.slot.Free()
		}
	}()
	if err := w.announce(ctx); err != nil {
		return // nothing was sent; the job is planned as before
	}
	task, err := w.send(ctx)
	if err != nil {
		w.refused(ctx, err)
		return
	}
	defer func() {
		if p := recover(); p != nil {
			w.salvage(ctx, task, p)
		}
	}()
	w.accepted(ctx, task)
}

// neverSent ends an observed job that a history has as one to be sent, whoever wrote it so.
func (w *worker) neverSent(ctx context.Context) {
	c := change(&w.work)
	move(&c, w.e.now(), Dropped, Event{Kind: EventRefused, Message: observed})
	c.Job.Note = observed
	plan(&c, time.Time{})
	w.commitSoft(ctx, c)
}

// salvage keeps a task's id when handling the rest of its answer panicked.
func (w *worker) salvage(ctx context.Context, t client.Task, p any) {
	c := change(&w.work)
	now := w.e.now()
	c.Job.Note = client.CleanLine(fmt.Sprintf("internal error: %v", p))
	c.Job.TaskID, c.Job.QueryFormat, c.Job.AcceptedAt = t.ID, t.Format, now
	c.Job.Seen.sent(w.asked, w.by(), t.Meta)
	if t.ID == "" {
		move(&c, now, Ambiguous, Event{Kind: EventAmbiguous, Message: c.Job.Note})
		plan(&c, time.Time{})
	} else {
		move(&c, now, Queued, Event{Kind: EventAccepted, Message: c.Job.Note})
		plan(&c, now)
	}
	w.keep(ctx, c)
}

// reserve makes sure that the outcome of the create can be kept, whatever happens to the history.
func (w *worker) reserve() (err error) {
	if s := w.e.o.Spool; s != nil {
		w.slot, err = s.Reserve()
	}
	return err
}

// unsent puts off a create that was not begun.
func (w *worker) unsent(err error) {
	w.retryLater(0)
	w.work.Job.Note = client.CleanLine("not sent: " + err.Error())
	w.show(0)
}

// announce journals that the POST is about to begin.
func (w *worker) announce(ctx context.Context) error {
	now := w.e.now()
	c := change(&w.work)
	move(&c, now, Submitting, Event{Kind: EventSubmitting})
	c.Job.SubmittedAt = now
	c.Job.Note = ""
	if f := w.e.o.RequestBody; f != nil {
		if body, err := f(w.outgoing(), c.Job.Format); err == nil && len(body) > 0 {
			body = bounded(body, maxKeptCreate)
			c.Payloads = []Payload{{Kind: PayloadRequest, Body: body}}
			c.Events[0].PayloadSHA = PayloadSHA(body)
		}
	}
	err := w.commit(ctx, c)
	if err != nil && !w.lost {
		w.unsent(fmt.Errorf("%s%w", noteNoHistory, err))
	}
	w.began = now
	return err
}

// send does the POST. A panic in it counts as a lost answer.
func (w *worker) send(ctx context.Context) (task client.Task, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: fmt.Errorf("internal error: %v", p)}
		}
	}()
	if ctx.Err() != nil {
		return task, &client.CreateError{Outcome: client.OutcomeNotSent, Err: ctx.Err()}
	}
	w.asked = w.e.now()
	task, err = w.e.o.Gateway.Create(ctx, w.outgoing(), w.work.Job.Format)
	w.exchanged(ExchangeCreate, w.work.Job.Format, w.asked, &task, err)
	return task, err
}

// outgoing is the draft as it is sent: with the job's own id as external_task_id if the format has
// that field and the person left it empty. The job keeps the draft as the person made it.
func (w *worker) outgoing() client.Draft {
	j := w.work.Job
	d := j.Draft.Clone()
	carries := w.e.o.CarriesExternalID
	if _, set := d.Values[client.FieldExternalTaskID]; set || carries == nil || !carries(j.Format) {
		return d
	}
	if d.Values == nil {
		d.Values = client.Values{}
	}
	d.Values[client.FieldExternalTaskID] = j.ID
	return d
}

// refused records a create that returned no task.
func (w *worker) refused(ctx context.Context, err error) {
	now := w.e.now()
	c := change(&w.work)
	outcome := client.OutcomeAmbiguous // what is not known may have been accepted
	if ce, ok := errors.AsType[*client.CreateError](err); ok {
		outcome = ce.Outcome
		c.Job.CreateTook = ce.Meta.Latency
		c.Job.Seen.sent(w.asked, w.by(), ce.Meta)
		if len(ce.Raw) > 0 {
			c.Payloads = []Payload{{Kind: PayloadAnswer, Body: bounded(ce.Raw, maxKeptCreate)}}
		}
	}
	switch outcome {
	case client.OutcomeNotSent:
		w.notSent(&c, now, err)
	case client.OutcomeRefused:
		w.refuse(&c, now, err)
	default:
		ev := errorEvent(EventAmbiguous, err)
		move(&c, now, Ambiguous, ev)
		c.Job.Note = w.e.unclear(&c.Job)
		plan(&c, time.Time{})
	}
	if len(c.Payloads) > 0 {
		c.Events[0].PayloadSHA = PayloadSHA(c.Payloads[0].Body)
	}
	w.keep(ctx, c)
	if w.unreached {
		w.hold(ctx)
	}
}

// notSent plans another try of a create that did not reach the gateway, unless trying again is
// useless.
func (w *worker) notSent(c *Change, now time.Time, err error) {
	stopped := errors.Is(err, context.Canceled)
	if !stopped && !transient(err) {
		w.refuse(c, now, err)
		return
	}
	move(c, now, Planned, errorEvent(EventPlanned, err))
	c.Job.Note = client.CleanLine("not sent yet: " + err.Error())
	c.Job.SubmittedAt, c.Job.Seen = time.Time{}, Seen{}
	if !stopped {
		c.Attempts++
		c.Backoff = w.e.o.Retry.Next(c.Backoff, 0, w.e.o.Rand())
	}
	plan(c, now.Add(c.Backoff))
	if c.Attempts >= maxSends {
		w.unreached = true
		c.Job.Note = client.CleanLine(noteUnreached + err.Error())
		c.Attempts, c.Backoff = 0, 0 // for whoever resumes it
	}
}

// transient reports whether a create that was not sent may succeed later, since the gateway could
// not be reached.
func transient(err error) bool {
	_, isNet := errors.AsType[net.Error](err)
	return isNet || errors.Is(err, context.DeadlineExceeded)
}

func (w *worker) refuse(c *Change, now time.Time, err error) {
	move(c, now, Refused, errorEvent(EventRefused, err))
	c.Job.Error = &client.TaskError{Message: client.CleanLine(err.Error())}
	if api, ok := errors.AsType[*client.APIError](err); ok {
		c.Job.Error = &client.TaskError{Code: api.Code, Message: api.Message, Type: api.Type, Param: api.Param}
		if api.Message == "" {
			c.Job.Error.Message = api.Error()
		}
		c.Job.Note = api.Hint()
		if api.RetryAfter > 0 {
			c.Job.Note += fmt.Sprintf("; it asked to wait %s", api.RetryAfter.Round(time.Second))
		}
	}
	plan(c, time.Time{})
}

// accepted records the answer to a create: a task to be polled, or the result itself.
func (w *worker) accepted(ctx context.Context, t client.Task) {
	now, answered := w.e.now(), w.by()
	c := change(&w.work)
	c.Attempts, c.Backoff = 0, 0
	c.Job.AcceptedAt = now
	c.Job.CreateTook = t.Meta.Latency
	c.Job.Seen.sent(w.asked, answered, t.Meta)
	takeTask(&c.Job, t)
	c.Job.TaskID, c.Job.AltIDs, c.Job.QueryFormat = t.ID, t.AltIDs, t.Format
	if c.Job.QueryFormat == "" {
		c.Job.QueryFormat = c.Job.Format
	}
	state := fromStatus(t.Status)
	if state == Unknown && t.RawStatus == "" && t.ID != "" {
		state = Queued // GATEWAY: the initial status of a create is not always shown
	}
	ev := taskEvent(EventAccepted, t)
	if t.ID == "" && !t.Status.Terminal() {
		state, ev.Kind = Ambiguous, EventAmbiguous
		ev.Message = "the answer to the create has neither an id nor a result"
		c.Job.Note = w.e.unclear(&c.Job)
	}
	if s := w.e.o.Synchronous; t.ID != "" && state.Polled() && s != nil && s(c.Job.QueryFormat) {
		state, ev.Kind = Ambiguous, EventAmbiguous
		ev.Message = "the answer to the create has no result, and its id " + client.CleanLine(t.ID) + " cannot be asked about"
		c.Job.TaskID, c.Job.AltIDs = "", nil
		c.Job.Note = noteNoResult
		if Billed(c.Job.Profile) {
			c.Job.Note = notePaid
		}
	}
	if len(t.Raw) > 0 {
		body := bounded(t.Raw, maxKeptCreate)
		c.Payloads = append(c.Payloads, Payload{Kind: PayloadAnswer, Body: body})
		ev.PayloadSHA = PayloadSHA(body)
	}
	if move(&c, now, state, ev); state != Ambiguous {
		c.Job.Seen.look(c.Job.Seen.Sent, answered, state)
	}
	w.judge(&c.Job, t)
	if state == Completed {
		w.completed(ctx, &c)
	} else if state.Polled() {
		plan(&c, now.Add(w.interval(ctx, &c.Job, now)))
	} else {
		plan(&c, time.Time{})
	}
	w.keep(ctx, c)
}

// takeTask takes over what an answer says about the task, apart from its state and ids.
func takeTask(j *Job, t client.Task) {
	if j.RawStatus != t.RawStatus { // the same text is kept once
		j.RawStatus = t.RawStatus
	}
	if t.Progress >= 0 {
		j.Progress = min(t.Progress, 100)
	}
	if len(t.Assets) > 0 {
		j.Assets = t.Assets
	}
	if t.Error != nil {
		j.Error = t.Error
	}
	if t.Title != "" {
		j.Title = t.Title
	}
	j.Seen.stamp(&t)
}

func taskEvent(kind EventKind, t client.Task) Event {
	return Event{
		Kind: kind, RawStatus: t.RawStatus, HTTPStatus: t.Meta.HTTPStatus,
		RequestID: client.CleanLine(t.Meta.RequestID),
	}
}
