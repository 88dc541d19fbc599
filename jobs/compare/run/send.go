package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/plan"
)

// Pauses after the history could not be written.
const (
	leastBackoff = time.Second
	mostBackoff  = time.Minute
)

// fill sends as much as may be in flight.
func (r *runner) fill(ctx context.Context) {
	if r.l.stopped || r.j.broken != nil || ctx.Err() != nil {
		return
	}
	if !r.retry.IsZero() {
		if r.b.o.Clock().Before(r.retry) {
			return
		}
		if err := r.find(ctx); err != nil {
			r.failed(err)
			return
		}
		r.retry = time.Time{}
	}
	for ctx.Err() == nil {
		batch := r.next()
		if len(batch) == 0 {
			return
		}
		if err := r.send(ctx, batch); err != nil {
			r.failed(err)
			return
		}
		r.todo = r.todo[len(batch):]
		r.backoff = 0
		r.tell("")
	}
}

// failed puts off what could not be sent.
func (r *runner) failed(err error) {
	r.backoff = min(max(2*r.backoff, leastBackoff), mostBackoff)
	r.retry = r.b.o.Clock().Add(r.backoff)
	r.tell(err.Error())
}

// sent reports whether a slot has its job by now: a person may have sent it from the queue.
func (r *runner) sent(w wish) bool {
	i, known := r.l.at[w.key]
	return known && !unsent(&r.l.run.Trials[i])
}

// next is what is to be sent now.
func (r *runner) next() []wish {
	for len(r.todo) > 0 && r.sent(r.todo[0]) {
		r.todo = r.todo[1:]
	}
	flying, warming := r.flying()
	n := max(r.l.run.Concurrency, 1) - flying
	if len(r.todo) == 0 || n <= 0 || warming && !r.todo[0].slot.Warmup {
		return nil
	}
	batch := r.todo[:min(n, len(r.todo))]
	for i, w := range batch {
		if w.slot.Warmup != batch[0].slot.Warmup || r.sent(w) {
			return batch[:i]
		}
	}
	return batch
}

// send journals that slots are about to be sent, hands them to the history, and journals their jobs. After
// an error nothing of them was sent, or the history knows of it.
func (r *runner) send(ctx context.Context, batch []wish) error {
	now := r.b.o.Clock().Round(0).UTC()
	var intents []record
	var subs []jobs.Submission
	var places []key
	for _, w := range batch {
		d, seed := plan.DraftOf(&r.l.run, w.slot)
		intent := record{Kind: kindSend, Slot: w.slot.String(), Attempt: w.attempt, Seed: seed, At: now}
		s := jobs.Submission{Draft: d, Format: r.l.run.Cell(w.slot.Cell).Format, Group: r.id, Run: r.id, Cell: w.slot.String()}
		intents = append(intents, intent)
		if why := r.unfit(s); why != "" {
			t := compare.Trial{Slot: w.slot, Attempt: w.attempt}
			o := compare.Outcome{State: jobs.Refused, Progress: -1, Message: why, EndedAt: now}
			intents = append(append(intents, trialRecord(&t, &o, nil)), r.l.judgedRecords(&t, &o)...)
			continue
		}
		subs, places = append(subs, s), append(places, w.key)
	}
	if err := errors.Join(r.put(false, intents...), r.j.sync()); err != nil {
		return err
	}
	if len(subs) == 0 {
		return nil
	}
	ids, err := r.b.o.Jobs.Submit(ctx, subs)
	if err != nil {
		return err
	}
	if len(ids) != len(subs) {
		return fmt.Errorf("%d jobs were asked for, %d came back", len(subs), len(ids))
	}
	records := make([]record, len(ids))
	for i, k := range places {
		records[i] = record{Kind: kindJob, Slot: k.slot.String(), Attempt: k.attempt, Job: ids[i]}
		r.open[r.l.at[k]] = &pending{job: jobs.Job{ID: ids[i], State: jobs.Planned, Progress: -1}}
	}
	_ = r.put(false, records...) // the history has them: they are found there
	return nil
}

// unfit says why a slot is not sent, "" where it is.
func (r *runner) unfit(s jobs.Submission) string {
	if why := r.l.changed(s.Draft); why != "" {
		return why
	}
	if err := s.Check(); err != nil {
		return client.CleanLine("not sent: " + err.Error())
	}
	return ""
}

// resume prepares a run that is to go on.
func (r *runner) resume(ctx context.Context) error {
	if have, want := r.b.o.Host, r.l.run.Host; have != want {
		return fmt.Errorf("the run was sent to %s, and the profile is of %s now: start it anew", client.CleanLine(want), client.CleanLine(have))
	}
	if have, want := r.b.o.Profile, r.l.run.Profile; have != want {
		return fmt.Errorf("the run is of the profile %s, not of %s", client.CleanLine(want), client.CleanLine(have))
	}
	_, r.seen = r.b.o.Jobs.Changes(0) // before the history is asked, so that nothing lies between
	status := r.l.run.Status
	if err := r.find(ctx); err != nil {
		return fmt.Errorf("nothing was sent: the history could not be asked which trials it has: %w", err)
	}
	r.todo = r.l.left()
	if len(r.todo) == 0 && len(r.open) == 0 && status != compare.Open {
		return ErrNothing
	}
	if err := errors.Join(r.put(true, record{Kind: kindResume, At: r.b.o.Clock().Round(0).UTC()}), r.j.sync()); err != nil {
		return err
	}
	for _, p := range r.open {
		if jobs.Unreached(p.job) {
			err := r.b.o.Jobs.SetPaused(ctx, p.job.ID, false)
			if err != nil {
				return fmt.Errorf("job %s could not be resumed: %w", jobs.ShortID(p.job.ID), err)
			}
		}
	}
	return nil
}

// pageOf is how many jobs of a run are read at a time.
const pageOf = 500

// find takes over the jobs of the run that the history has, and tells of those that it has no more.
func (r *runner) find(ctx context.Context) error {
	have := map[string]bool{}
	q := jobs.Query{Profile: r.l.run.Profile, Run: r.id, Limit: pageOf, Sort: jobs.Sort{Down: true}} // oldest first
	for {
		p, err := r.b.o.Jobs.List(ctx, q)
		if err != nil {
			return err
		}
		for i := range p.Jobs {
			have[p.Jobs[i].ID] = true
			r.meet(&p.Jobs[i])
		}
		if q.Before = p.Next; q.Before == "" {
			break
		}
	}
	for i := range r.l.run.Trials {
		t := &r.l.run.Trials[i]
		if t.JobID != "" && !t.Ended() && !have[t.JobID] {
			o := t.Outcome
			o.State, o.Message = jobs.Ambiguous, "the history does not have its job any more: whether it was sent, and what came of it, is not known"
			delete(r.open, i)
			if err := r.put(false, append([]record{trialRecord(t, &o, nil)}, r.l.judgedRecords(t, &o)...)...); err != nil {
				return err
			}
		}
	}
	var ids []string
	for _, p := range r.open {
		ids = append(ids, p.job.ID)
	}
	r.b.o.Jobs.Want(ids...)
	return r.j.broken
}
