package run

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// runner is the work on one run. One goroutine does it; what others read is guarded by the bench's lock,
// and written under it.
type runner struct {
	b  *Bench
	id string
	j  *journal

	// Guarded by b.mu.
	l       *ledger
	seqs    []uint64 // beside the trials: when each changed last
	seq     uint64   // when anything did
	trouble string
	held    bool // nothing goes on before a person resumes what is paused
	halted  bool // a person wants nothing more to be sent
	over    bool

	wake chan struct{} // capacity one
	done chan struct{} // closed at the end

	// Of the loop alone.
	seen    uint64           // of the engine's changes
	todo    []wish           // what is to be sent
	said    string           // why nothing can be sent from here, "" where it can
	open    map[int]*pending // trials of which more is to come
	pace    pace
	judging int
	judged  chan judgement
	began   time.Time     // when this process began to follow it
	tallied time.Time     // when the journal got its newest tally
	retry   time.Time     // when sending is tried again after trouble, zero for none
	backoff time.Duration // the last one
}

// pending is a trial of which more is to come.
type pending struct {
	job   jobs.Job
	queue bool            // it waits to be judged, or is
	wrote compare.Outcome // what the journal has
	// By how much the clock was set forward and back since the trial is open.
	ahead, behind time.Duration
}

func newRunner(b *Bench, j *journal, l *ledger) *runner {
	return &runner{
		b: b, id: l.run.ID, j: j, l: l, seqs: make([]uint64, len(l.run.Trials)), todo: l.left(),
		wake: make(chan struct{}, 1), done: make(chan struct{}), open: map[int]*pending{},
		judged: make(chan judgement, Judges), began: b.o.Clock(), pace: newPace(b.o.Clock()),
	}
}

// halt asks the loop to send nothing more.
func (r *runner) halt() {
	r.b.mu.Lock()
	r.halted = true
	r.b.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// snapshot is the run as it is now. What it shares with the runner never changes in place.
func (r *runner) snapshot() compare.Run {
	r.b.mu.Lock()
	defer r.b.mu.Unlock()
	run := r.l.run
	run.Trials = slices.Clone(run.Trials)
	return run
}

// news is what changed after seq; the bench's lock is held.
func (r *runner) news(seq uint64) (News, bool) {
	if r.seq <= seq {
		return News{}, false
	}
	run := &r.l.run
	n := News{
		Run: run.ID, Name: run.Name, Status: run.Status, EndedAt: run.EndedAt, Live: !r.over, Trouble: r.trouble, Held: r.held,
		Checks: run.Checks, CellChecks: run.CellChecks,
	}
	for i, at := range r.seqs {
		if at > seq || seq == 0 {
			n.Trials = append(n.Trials, run.Trials[i])
		}
	}
	return n, true
}

// put writes records and takes them in; what cannot be written is not taken in. A tally follows now and
// then, and always where it is the last word.
func (r *runner) put(last bool, records ...record) error {
	if len(records) == 0 {
		return nil
	}
	if err := r.j.put(records...); err != nil {
		r.tell(err.Error())
		return err
	}
	var wrong error
	r.b.change(func(seq uint64) {
		r.seq = seq
		for i := range records {
			if wrong = errors.Join(wrong, r.l.apply(&records[i])); wrong != nil {
				return
			}
			r.touch(records[i].Slot, records[i].Attempt, seq)
		}
	})
	if wrong != nil {
		r.j.broken = wrong // it was written, and cannot be read again
		r.tell(wrong.Error())
		return wrong
	}
	if now := r.b.o.Clock(); last || now.Sub(r.tallied) >= time.Second {
		r.tallied = now
		return r.j.put(tallyRecord(&r.l.run))
	}
	return nil
}

// touch notes that a trial changed; the bench's lock is held.
func (r *runner) touch(slot string, attempt int, seq uint64) {
	s, err := compare.ParseSlot(slot)
	if err != nil {
		return
	}
	i := r.l.at[key{s, attempt}]
	for len(r.seqs) < len(r.l.run.Trials) {
		r.seqs = append(r.seqs, 0)
	}
	r.seqs[i] = seq
}

// tell says why nothing is sent, "" that something is.
func (r *runner) tell(text string) {
	r.said = text
	r.explain()
}

// explain says why nothing is sent, or goes on.
func (r *runner) explain() {
	still, held := r.standstill()
	text := client.CleanLine(cmp.Or(r.said, still))
	if held = held && r.said == ""; text != r.trouble || held != r.held {
		r.b.change(func(seq uint64) { r.trouble, r.held, r.seq = text, held, seq })
	}
}

// loop works on the run until it is over, or the bench is closed.
func (r *runner) loop(ctx context.Context) {
	defer close(r.done)
	defer r.leave()
	for {
		changed := r.b.o.Jobs.Watch()
		r.doubt()
		r.look()
		r.stopping(ctx)
		r.fill(ctx)
		r.judge(ctx)
		r.explain()
		if ctx.Err() != nil {
			return
		}
		if r.finished() {
			r.finish(ctx)
			return
		}
		timer := time.NewTimer(r.wait())
		select {
		case <-ctx.Done():
		case <-changed:
		case <-r.wake:
		case <-timer.C:
		case v := <-r.judged:
			r.verdict(v)
		}
		timer.Stop()
	}
}

// leave gives everything back at the end of the loop.
func (r *runner) leave() {
	for ; r.judging > 0; r.judging-- {
		<-r.judged // its context has ended, or nobody asks any more
	}
	_ = r.j.close() // what it could not write was said
	r.b.change(func(seq uint64) { r.b.retire(r, seq) })
}

// maxWait is how long the loop waits at most: it then looks whether something is overdue.
const maxWait = time.Minute

// wait is how long nothing is due by itself.
func (r *runner) wait() time.Duration {
	now := r.b.o.Clock()
	least := maxWait
	if !r.retry.IsZero() {
		least = min(least, r.retry.Sub(now))
	}
	for i, p := range r.open {
		if at := giveUpAt(&p.job, r.l.run.Timeout, r.began); !at.IsZero() && !r.l.run.Trials[i].Ended() {
			least = min(least, at.Sub(now))
		}
	}
	return max(least, time.Millisecond)
}

// flying counts the trials whose task is under way. Those whose files are being saved do not count,
// unless they are warm-ups, which are to be wholly done before the rest.
func (r *runner) flying() (n int, warming bool) {
	for i, p := range r.open {
		t := &r.l.run.Trials[i]
		switch {
		case !t.Ended():
			n++
			warming = warming || t.Slot.Warmup
		case t.Slot.Warmup && !settled(&t.Outcome, &p.job):
			warming = true
		}
	}
	return n, warming
}

// settled reports whether nothing of a job is still to come that its trial waits for.
func settled(o *compare.Outcome, j *jobs.Job) bool {
	return o.TimedOut || o.Ended() && (jobs.Settled(*j) || !j.Saving())
}

// finished reports whether nothing is to be sent and nothing more is to come.
func (r *runner) finished() bool {
	sends := len(r.todo) > 0 && !r.l.stopped && r.j.broken == nil
	return !sends && len(r.open) == 0
}

// finish writes the end of the run, unless it is to be resumed.
func (r *runner) finish(ctx context.Context) {
	if r.j.broken != nil {
		return
	}
	end := record{Kind: kindEnd, Status: compare.Ended}
	if r.l.stopped {
		end.Status = compare.Stopped
	}
	if r.b.o.Finish != nil {
		run := r.snapshot()
		run.Checks, run.CellChecks = nil, nil
		r.b.o.Finish(ctx, &run)
		end.Checks, end.CellChecks = run.Checks, run.CellChecks
	}
	if ctx.Err() != nil {
		return
	}
	end.At = r.b.o.Clock().Round(0).UTC()
	if r.put(true, end) == nil {
		_ = r.j.sync() // closing tells
	}
}

// stopping does what a person who stops the run wants: what is in the history and was not sent yet is
// not sent.
func (r *runner) stopping(ctx context.Context) {
	if r.l.stopped {
		return
	}
	r.b.mu.Lock()
	halted := r.halted
	r.b.mu.Unlock()
	if !halted || r.put(true, record{Kind: kindStop, At: r.b.o.Clock().Round(0).UTC()}) != nil {
		return
	}
	r.retry = time.Time{}
	r.tell("")
	r.b.release(r.id)
	for _, p := range r.open {
		if p.job.State == jobs.Planned {
			_ = r.b.o.Jobs.Drop(ctx, p.job.ID) // sent meanwhile: then it is followed
		}
	}
}
