package run

import (
	"context"
	"reflect"
	"slices"

	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// look takes in what changed about the jobs of the run.
func (r *runner) look() {
	changed, seq := r.b.o.Jobs.Changes(r.seen)
	r.seen = seq
	for i := range changed {
		if changed[i].Run == r.id {
			r.meet(&changed[i])
		}
	}
	for i, p := range r.open {
		if !r.l.run.Trials[i].Ended() {
			r.update(i, &p.job) // it may have timed out
		}
	}
}

// meet takes in a job of the run, as it is now.
func (r *runner) meet(j *jobs.Job) {
	k, fresh, ok := r.l.adopt(j)
	if !ok {
		return
	}
	if fresh && r.put(false, record{Kind: kindJob, Slot: k.slot.String(), Attempt: k.attempt, Job: j.ID}) != nil {
		return
	}
	r.update(r.l.at[k], j)
}

// update takes in what is known of a trial's job.
func (r *runner) update(i int, j *jobs.Job) {
	t, more := &r.l.run.Trials[i], &r.l.more[i]
	o := r.open[i].outcome(j, t.TimedOut || timedOut(j, r.l.run.Timeout, r.began, r.b.o.Clock()))
	changed := !same(&o, &t.Outcome)
	if !changed {
		if more.final {
			return // it has been judged, and nothing that matters has changed
		}
		o.Facts, o.Checks = t.Facts, t.Checks
	}
	p := r.open[i]
	if p == nil {
		p = &pending{wrote: bare(&t.Outcome)}
		r.open[i] = p
	}
	if p.job = *j; changed {
		p.queue = false // whatever a judge says now is about something else
	}
	if settled(&o, j) && !same(&o, &p.wrote) { // before that the history has it
		p.wrote = bare(&o)
		if r.put(false, trialRecord(t, &o, savedOf(j))) != nil {
			delete(r.open, i)
		}
		return
	}
	if shown(&o, &t.Outcome) {
		return
	}
	r.b.change(func(seq uint64) {
		r.seq = seq
		t.Outcome, more.final = o, false
		r.touch(t.Slot.String(), t.Attempt, seq)
	})
}

// same reports whether two outcomes of a trial differ in nothing that a journal has to know.
func same(a, b *compare.Outcome) bool {
	return a.State == b.State && a.TaskID == b.TaskID && a.TimedOut == b.TimedOut &&
		slices.EqualFunc(a.Files, b.Files, func(x, y compare.File) bool { return x.Path == y.Path && x.SHA256 == y.SHA256 })
}

// shown reports whether two outcomes look the same.
func shown(a, b *compare.Outcome) bool {
	return same(a, b) && a.Message == b.Message && a.Progress == b.Progress && a.Latency == b.Latency && a.SentAt.Equal(b.SentAt)
}

// judgement is what a judge says of a trial.
type judgement struct {
	i     int
	trial compare.Trial
	job   jobs.Job // whole, where the list that it was found in had the beginnings of its texts
}

// judge hands over what is over, or closes it where nobody judges.
func (r *runner) judge(ctx context.Context) {
	for i, p := range r.open {
		t := &r.l.run.Trials[i]
		if p.queue || !settled(&t.Outcome, &p.job) {
			continue
		}
		if r.b.o.Judge == nil || t.Slot.Warmup {
			r.close(i, t.Outcome)
			continue
		}
		if r.judging == Judges {
			return
		}
		p.queue = true
		r.judging++
		plan, trial, j := r.l.run, *t, p.job
		plan.Trials = nil
		r.b.wg.Go(func() {
			var answer []byte
			if d, err := r.b.o.Jobs.Detail(ctx, j.ID); err == nil {
				j, answer = d.Job, d.Answer
			}
			r.b.o.Judge(ctx, &plan, &trial, &j, answer)
			r.judged <- judgement{i, trial, j}
		})
	}
}

// verdict takes in what a judge says.
func (r *runner) verdict(v judgement) {
	r.judging--
	p, t := r.open[v.i], &r.l.run.Trials[v.i]
	if p == nil || !p.queue || v.trial.JobID != t.JobID || !same(&v.trial.Outcome, &t.Outcome) {
		return // it is about something that is no more
	}
	o := p.outcome(&v.job, t.TimedOut)
	if !same(&o, &t.Outcome) {
		o = t.Outcome // it has changed since: the loop will hear of it
	}
	o.Facts, o.Checks = v.trial.Facts, v.trial.Checks
	r.close(v.i, o)
}

// close writes the last word about a trial.
func (r *runner) close(i int, o compare.Outcome) {
	t := &r.l.run.Trials[i]
	var records []record
	if p := r.open[i]; !reflect.DeepEqual(bare(&o), p.wrote) {
		records = append(records, trialRecord(t, &o, r.l.more[i].saved))
	}
	delete(r.open, i)
	_ = r.put(false, append(records, r.l.judgedRecords(t, &o)...)...)
}
