package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/client"
)

// minMissing is how many "not found" answers a fresh task gets at least.
const minMissing = 4

// poll asks for a task once.
func (w *worker) poll(ctx context.Context) {
	t, route, err := client.FirstRoute(ctx, w.ask, w.routes(), w.work.Job.TaskID)
	if err != nil && ctx.Err() != nil {
		return // we are leaving, or the job is in other hands
	}
	w.work.Job.Polls++
	if err != nil {
		w.pollFailed(ctx, err)
		return
	}
	w.missing = time.Time{}
	w.polled(ctx, t, route)
}

// routes returns the formats to ask, the one that answered last first.
func (w *worker) routes() []string {
	out := []string{w.work.Job.QueryFormat}
	if f := w.e.o.RoutesFor; f != nil {
		out = append(out, f(w.work.Job.Draft.Model)...)
	}
	return out
}

// polled takes in an answer and writes only what changed. The route that answered is asked first
// from now on.
func (w *worker) polled(ctx context.Context, t client.Task, route string) {
	now, answered := w.e.now(), w.by()
	old := &w.work.Job
	c := change(&w.work)
	c.Attempts, c.Backoff = 0, 0
	if w.work.Attempts > 0 {
		c.Job.Note = ""
	}
	takeTask(&c.Job, t)
	addIDs(&c.Job, t)
	c.Job.QueryFormat = route
	state := fromStatus(t.Status)
	c.Job.Seen.look(w.asked, answered, state)
	moved := state != old.State || t.RawStatus != old.RawStatus
	if moved {
		move(&c, now, state, taskEvent(EventState, t))
	} else if int(old.Progress) != int(c.Job.Progress) {
		c.Job.UpdatedAt = now
	}
	switch {
	case state == Completed:
		w.packed.whole(&c.Job) // as files are named and described by it
		w.judge(&c.Job, t)
		w.completed(ctx, &c)
	case !state.Polled():
		plan(&c, time.Time{})
	case state == Unknown && !moved && now.Sub(old.UpdatedAt) >= w.e.o.Parked:
		c.Job.Note = fmt.Sprintf("parked: the gateway says %q, which is not a known state; repoll to go on",
			client.CleanLine(t.RawStatus))
		c.Events = append(c.Events, Event{At: now, Kind: EventState, From: state, To: state,
			RawStatus: t.RawStatus, Message: c.Job.Note})
		plan(&c, time.Time{})
		moved = true
	default:
		plan(&c, now.Add(w.interval(ctx, &c.Job, now)))
	}
	if !moved && old.Note == c.Job.Note && sameView(old, &c.Job) && !w.progressed(old, &c.Job, now) {
		apply(&w.work, c, w.work.Rev)
		w.show(0)
		return
	}
	w.keepAnswer(ctx, &c, t.Raw)
	w.commitSoft(ctx, c)
}

// progressEvery is the least time between two writes of a progress to the history when nothing
// else has changed: this process shows it at once, and another poll brings it again.
const progressEvery = 10 * time.Second

// progressed reports whether a progress is to be written to the history.
func (w *worker) progressed(old, j *Job, now time.Time) bool {
	if int(old.Progress) != int(j.Progress) {
		w.unsaved = true
	}
	since := time.Duration(now.UnixNano() - w.wrote)
	return w.unsaved && (since >= progressEvery || since < 0) // below 0: the clock was set back
}

// sameView reports whether two copies show a person the same about the task, progress aside.
func sameView(a, b *Job) bool {
	return len(a.Assets) == len(b.Assets) &&
		a.Title == b.Title && a.QueryFormat == b.QueryFormat && (a.Error == nil) == (b.Error == nil) && len(a.AltIDs) == len(b.AltIDs)
}

// addIDs keeps ids that only a later answer brought.
func addIDs(j *Job, t client.Task) {
	for _, id := range append([]string{t.ID}, t.AltIDs...) {
		if id == "" || id == j.TaskID || slices.Contains(j.AltIDs, id) || len(j.AltIDs) >= 16 {
			continue
		}
		j.AltIDs = append(j.AltIDs, id)
	}
}

// bornAt is when the task began, as far as we know.
func bornAt(j *Job) time.Time {
	if !j.AcceptedAt.IsZero() {
		return j.AcceptedAt
	}
	return j.CreatedAt
}

// interval is the time to the next poll of a task: by the plan for its kind, or by the curve while
// too few earlier tasks are known. One of a run is polled more often, as far as there is room for it.
func (w *worker) interval(ctx context.Context, j *Job, now time.Time) time.Duration {
	age, rnd := now.Sub(bornAt(j)), w.e.o.Rand()
	usual := w.e.o.Curve.Interval(age, rnd)
	if plan := w.e.plans.Ask(ctx, kindOf(j), now); plan != nil {
		usual = plan.Interval(age, rnd)
	}
	if j.Run == "" {
		return usual
	}
	return min(usual, w.e.tight.Interval(age, rnd))
}

// pollFailed puts the next poll off; a task that stays unknown to the gateway is lost.
func (w *worker) pollFailed(ctx context.Context, err error) {
	now := w.e.now()
	c := change(&w.work)
	ev := errorEvent(EventPollError, err)
	ev.At, ev.From, ev.To = now, c.Job.State, c.Job.State
	api, _ := errors.AsType[*client.APIError](err)
	var body []byte
	if api != nil {
		body = api.Body
	}
	switch {
	case !client.Unknown(err):
		w.missing = time.Time{}
	case w.missing.IsZero() || now.Before(w.missing): // the clock was set back
		w.missing = now
	case now.Sub(w.missing) >= w.e.o.Missing && c.Attempts+1 >= minMissing:
		move(&c, now, Lost, ev)
		c.Job.Note = "the gateway does not know the task id"
		plan(&c, time.Time{})
		w.keepAnswer(ctx, &c, body)
		w.commitSoft(ctx, c)
		return
	}
	note := client.CleanLine("poll failed: " + err.Error())
	fresh := c.Job.Note != note // a streak of the same failure is one line of the timeline
	w.retryLater(retryAfter(err))
	c.Attempts, c.Backoff = w.work.Attempts, w.work.Backoff
	plan(&c, w.work.Due)
	c.Job.Note = note
	if !fresh {
		apply(&w.work, c, w.work.Rev)
		w.show(0)
		return
	}
	c.Events = append(c.Events, ev)
	w.keepAnswer(ctx, &c, body)
	err = w.commit(ctx, c)
	if err != nil && !w.lost {
		w.work.Job.Note = note
		w.show(0)
	}
}

// look takes in a look: an answer of a gateway that shows a state, to a request begun at a time.
func (s *Seen) look(began, answered time.Time, state State) {
	if s.Running.IsZero() {
		switch state {
		case Queued:
			s.Waiting = began
		case Running, Completed, Failed:
			s.Running = answered
		default: // Unknown may be either
		}
	}
	switch {
	case state.Polled():
		s.Working = began
	case s.Ended.IsZero():
		s.Ended = answered
	}
}

// stamp takes over what an answer tells by the gateway's own clock.
func (s *Seen) stamp(t *client.Task) {
	for _, x := range []struct {
		to   *time.Time
		from time.Time
	}{{&s.GatewayCreated, t.CreatedAt}, {&s.GatewayStarted, t.StartedAt}, {&s.GatewayEnded, t.EndedAt}} {
		if y := x.from.Year(); !x.from.IsZero() && y >= 1970 && y < 2200 { // a time that a history can hold
			*x.to = x.from.Truncate(time.Millisecond)
		}
	}
}

// sent takes in that a create was written, by what its exchange tells, and otherwise when it was begun.
func (s *Seen) sent(began, answered time.Time, m client.Meta) {
	*s = Seen{Sent: began}
	if at := m.At.Add(-m.Latency).Round(0).Truncate(time.Millisecond); m.Latency > 0 && at.After(began) && at.Before(answered) {
		s.Sent = at
	}
}

// by is the time by which what an answer shows has happened: now, rounded up, since a time that is
// rounded down may lie before it.
func (w *worker) by() time.Time {
	at := w.e.o.Clock().Round(0)
	if t := at.Truncate(time.Millisecond); !t.Equal(at) {
		return t.Add(time.Millisecond)
	}
	return at
}
