package jobs

import (
	"cmp"
	"context"
	"slices"
	"time"

	"darkroom/jobs/schedule"
)

// entry is the loop's own record of one job with work. Only the loop touches it; workers get a
// copy of the work and answer with an outcome. The job is shared with the board.
type entry struct {
	schedule.Slot
	job      *packed
	rev      int64
	own      int64 // the rev at which a person's own was taken over
	token    int64
	backoff  time.Duration
	attempts int32

	kind   kind
	busy   bool
	ready  bool               // it waits in the list of its kind
	asked  bool               // a Doer wants it to be looked at now, after what is in flight
	cancel context.CancelFunc // of the work in flight; nil for creates
	memo
}

// memo is what successive workers on one job pass on to one another.
type memo struct {
	missing time.Time // when a query first said "not found"; zero for not
	wrote   int64     // when the job was written last, in nanoseconds; 0 for not by this process
	gone    bool      // the gateway has no fresh address of its files
	unsaved bool      // its progress is newer than what was written
	// unfetched: this process saw it complete, so that nobody has fetched any of it before.
	unfetched bool
}

func newEntry(w *Work, job *packed) *entry {
	en := &entry{}
	en.set(w, job)
	return en
}

// set takes over a work; job is its job, as the board holds it.
func (en *entry) set(w *Work, job *packed) {
	if w.Rev > en.rev {
		en.own = w.Rev
	}
	en.rev, en.token, en.Due, en.backoff = w.Rev, w.Token, w.Due, w.Backoff
	en.attempts = int32(min(w.Attempts, 1<<31-1)) //nolint:gosec // bounded
	en.job, en.kind = job, packedKind(job)
}

// say takes over what a person decided, unless something newer is known.
func (en *entry) say(from *Job, rev int64) {
	if rev <= en.own {
		return
	}
	if en.own = rev; !en.job.sameOwn(from) {
		en.job = en.job.withOwn(from)
	}
}

// work is the entry as a worker takes it.
func (en *entry) work() Work {
	return Work{
		Job: en.job.working(), Rev: en.rev, Due: en.Due, Attempts: int(en.attempts), Backoff: en.backoff, Token: en.token,
	}
}

// outcome is what a worker found out and, unless the lease was lost, has written to the history.
type outcome struct {
	kind  kind
	id    string
	token int64 // the lease that it worked under
	work  Work
	job   *packed // the work's job as it was published; nil when it was not
	memo
	lost  bool // the lease was lost: the store knows better
	freed bool // it made room before it ended
}

// take adopts work that a Doer or a claim handed over; it replaces what the loop knew.
func (l *loop) take(works []handed) {
	if len(l.live) == 0 {
		l.fresh = true // what comes now was leased just now
	}
	for i := range works {
		w := &works[i].Work
		old := l.live[w.Job.ID]
		if works[i].own {
			if old != nil {
				l.say(old, w)
				if works[i].known && w.Token == old.token {
					old.rev = max(old.rev, w.Rev)
				}
			}
			continue
		}
		if old != nil && (old.rev > w.Rev || old.token > w.Token) {
			continue // a worker wrote after the one that handed this over, or it was claimed since
		}
		if w.Owner != l.e.o.Owner || w.Due.IsZero() {
			l.forget(w.Job.ID)
			continue
		}
		if old != nil && old.token == w.Token {
			// The same lease: a worker may be busy, its outcome stays valid.
			if !old.busy {
				old.set(w, l.e.board.published(&w.Job, w.Rev))
				l.planned(old)
			} else {
				old.asked = true
			}
			continue
		}
		l.forget(w.Job.ID)
		en := newEntry(w, l.e.board.published(&w.Job, w.Rev))
		l.live[w.Job.ID] = en
		l.planned(en)
	}
}

// say takes over what a person decided about a job; a job that may go on is queued again.
func (l *loop) say(en *entry, w *Work) {
	paused := en.job.paused
	if en.say(&w.Job, w.Rev); paused && !en.job.paused {
		l.planned(en)
	}
}

// forget stops tracking a job here; a poll or fetch in flight is cut short.
func (l *loop) forget(id string) {
	if en := l.live[id]; en != nil {
		if en.cancel != nil {
			en.cancel()
		}
		delete(l.live, id)
	}
}

// begin starts a worker on an entry.
func (l *loop) begin(en *entry) {
	en.busy = true
	l.used[en.kind]++
	w := worker{e: l.e, work: en.work(), packed: en.job, memo: en.memo}
	k := en.kind
	ctx := l.createCtx
	if k == kindCreate {
		l.e.creates.Add(1)
	} else {
		ctx, en.cancel = context.WithCancel(l.ctx)
	}
	l.spawn(func() {
		o := outcome{kind: k, id: w.work.Job.ID, token: w.work.Token}
		if k == kindPoll {
			w.answered = func() {
				if !o.freed {
					o.freed = true
					l.freed <- struct{}{}
				}
			}
		}
		w.do(ctx, k)
		o.work, o.job, o.memo, o.lost = w.work, w.shown, w.memo, w.lost
		if k == kindCreate {
			l.e.creates.Add(-1)
		}
		l.done <- o
	})
}

// spawn runs work in an idle goroutine, or in a new one.
func (l *loop) spawn(work func()) {
	select {
	case l.idle <- work:
		return
	default:
	}
	go func() {
		for {
			work()
			select {
			case work = <-l.idle:
			case <-l.over:
				return
			}
		}
	}()
}

// finish takes a worker's outcome into the live state.
func (l *loop) finish(o outcome) {
	if o.freed {
		l.writing--
	} else {
		l.used[o.kind]--
	}
	en := l.live[o.id]
	if en == nil || en.token != o.token {
		return // replaced meanwhile
	}
	if en.cancel != nil {
		en.cancel()
		en.cancel = nil
	}
	en.busy = false
	if o.lost || o.work.Due.IsZero() {
		delete(l.live, o.id)
		return
	}
	if o.job == nil {
		o.job = l.e.board.repack(&o.work.Job, en.job)
	}
	said, own := en.job, en.own
	o.work.Rev = max(o.work.Rev, en.rev)
	en.set(&o.work, o.job)
	en.own = own // the worker does not know of it
	if said := said.ownOf(); !en.job.sameOwn(said) {
		en.job = en.job.withOwn(said)
	}
	en.memo = o.memo
	if en.asked {
		en.Due, en.asked = l.wall, false
	}
	l.planned(en)
}

// spreadStep is the least distance of polls that fell due while nobody looked.
const (
	spreadStep = 25 * time.Millisecond
	spreadMax  = 10 * time.Second
)

// spread gives polls that are all overdue (after a start, a sleep, a clock jump) successive due
// times instead of a burst, at most spreadMax from now on. The first `free` stay due now. Due
// times further ahead than horizon, as after a clock that went back, are spread over it; after a
// failure it is as long as an answer may ask to wait.
func spread(now time.Time, live map[string]*entry, free int, horizon time.Duration) {
	var late, far []*entry
	for _, e := range live {
		ahead := horizon
		if e.attempts > 0 {
			ahead = schedule.MaxAsked + schedule.Tick
		}
		switch {
		case e.busy || e.Due.IsZero():
		case e.Due.After(now.Add(ahead)):
			far = append(far, e)
		case e.kind == kindPoll && !e.Due.After(now):
			late = append(late, e)
		}
	}
	byID := func(a, b *entry) int { return cmp.Compare(a.job.id, b.job.id) }
	slices.SortFunc(far, byID)
	for i, e := range far {
		e.Due = schedule.RoundUp(now.Add(horizon * time.Duration(i+1) / time.Duration(len(far))))
	}
	if len(late) <= free {
		return
	}
	slices.SortFunc(late, byID)
	late = late[free:]
	step := min(spreadStep, spreadMax/time.Duration(len(late)))
	for i, e := range late {
		e.Due = schedule.RoundUp(now.Add(time.Duration(i+1) * step))
	}
}
