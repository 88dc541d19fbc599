package jobs

import "context"

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

// say takes over what a person has said of a job; one that may go on is put in again.
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
	w := worker{e: l.e, work: en.work(), held: en.job, memo: en.memo}
	k := en.kind
	ctx := l.createCtx
	if k == kindCreate {
		l.e.addCreates(1)
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
			l.e.addCreates(-1)
		}
		l.done <- o
	})
}

// spawn has an idle goroutine do some work, or a new one.
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
		o.job = l.e.board.packed(&o.work.Job, en.job)
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
		en.due, en.asked = l.wall, false
	}
	l.planned(en)
}
