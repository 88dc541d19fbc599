package jobs

import (
	"context"
	"time"
)

// entry is the loop's own record of one job with work. Only the loop touches it; workers
// get a copy of the work and answer with an outcome.
type entry struct {
	work    Work
	kind    kind
	busy    bool
	cancel  context.CancelFunc // of the work in flight; nil for creates
	missing time.Time          // when a query first said "not found"; zero for not
	retries int                // fresh addresses asked for
	asked   bool               // a Doer wants it to be looked at now, after what is in flight
}

// outcome is what a worker found out and, unless lost, has written to the history.
type outcome struct {
	kind    kind
	id      string
	token   int64 // the lease that it worked under
	work    Work
	missing time.Time
	retries int
	lost    bool // the lease was lost: the store knows better
}

// loop is the one goroutine that owns the live state.
type loop struct {
	e    *Engine
	ctx  context.Context
	live map[string]*entry
	used room
	done chan outcome

	// creates run on a context of their own, so that leaving does not cut them at once.
	createCtx  context.Context
	cutCreates context.CancelFunc

	leaseUntil time.Time // our beat holds until then
	nextBeat   time.Time
	fresh      bool // there were no leases before the ones just taken
	nextLook   time.Time
	lastLook   time.Time
	alert      int             // looks that follow soon, since somebody writes
	written    <-chan struct{} // somebody wrote to the history; nil where nothing tells of it
	nextDue    time.Time       // no job falls due before; zero for none
	ready      [kinds][]*entry // due, and waiting for room
	version    int64           // of the store, at the last look
	rev        int64           // of the store, as far as it was taken in
	foreign    bool            // others hold leases: their end has to be looked for
	unclaimed  bool            // a claim failed: try again
	unsettled  []Work          // claimed, but what they need first could not be written
	wall, mono time.Time
}

func newLoop(ctx context.Context, e *Engine) *loop {
	l := &loop{
		e: e, ctx: ctx, live: map[string]*entry{},
		done: make(chan outcome, e.o.MaxCreates+e.o.MaxPolls+e.o.MaxFetches),
	}
	l.createCtx, l.cutCreates = context.WithCancel(context.WithoutCancel(ctx))
	return l
}

// start reads what the history holds, and takes over what nobody works on.
func (l *loop) start() error {
	if w, ok := l.e.o.Store.(Watcher); ok {
		if c, err := w.Watch(l.ctx); err == nil {
			l.written = c
		}
	}
	// The look comes first: what others write after it is seen by the next one.
	version, err := l.e.o.Store.Look(l.ctx)
	if err != nil {
		return err
	}
	marks, rev, err := l.e.o.Store.Marks(l.ctx, l.e.o.Profile)
	if err != nil {
		return err
	}
	l.version, l.rev = version, rev
	l.e.board.mark(marks)
	now := l.e.now()
	l.wall, l.mono = now, time.Now()
	if err := l.beat(now); err != nil {
		return err
	}
	if err := l.claimFree(now); err != nil {
		return err
	}
	l.lastLook, l.nextLook = now, now.Add(l.lookPause())
	spread(now, l.live, l.e.o.MaxPolls, l.e.o.Curve.Max)
	return nil
}

func (l *loop) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for l.ctx.Err() == nil {
		now := l.e.now()
		l.jumped(now)
		l.take(l.e.takeInbox())
		l.keepLeases(now)
		if !now.Before(l.nextLook) {
			l.look(now)
		}
		if l.e.takeWish() {
			l.unclaimed = l.claimFree(now) != nil
		}
		l.beginDue(now)
		timer.Reset(max(l.nextWake().Sub(now), time.Millisecond))
		select {
		case <-l.ctx.Done():
		case <-l.e.wake:
		case o := <-l.done:
			l.finish(o)
			l.finishMore()
		case _, ok := <-l.written:
			l.told(ok)
		case <-timer.C:
		}
	}
}

// finishMore takes in what else has been found out meanwhile.
func (l *loop) finishMore() {
	for {
		select {
		case o := <-l.done:
			l.finish(o)
		default:
			return
		}
	}
}

// beginDue starts workers for what is due. All jobs are looked through once a tick at
// most; what there was no room for waits in a list.
func (l *loop) beginDue(now time.Time) {
	if !l.nextDue.IsZero() && !now.Before(l.nextDue) {
		l.ready, l.nextDue = plan(now, l.live)
	}
	if !now.Before(l.leaseUntil) {
		return // without a lease nothing may begin
	}
	for k, room := range l.room() {
		for room > 0 && len(l.ready[k]) > 0 {
			en := l.ready[k][0]
			l.ready[k] = l.ready[k][1:]
			stale := l.live[en.work.Job.ID] != en || en.busy || en.kind != kind(k)
			if stale || en.work.Due.IsZero() || en.work.Due.After(now) {
				continue // something happened to it since the list was made
			}
			l.begin(en)
			room--
		}
	}
}

// planned notes that an entry's due time has changed.
func (l *loop) planned(en *entry) {
	if d := en.work.Due; !d.IsZero() && (l.nextDue.IsZero() || d.Before(l.nextDue)) {
		l.nextDue = d
	}
}

// nextWake is when the loop has to look around again by itself.
func (l *loop) nextWake() time.Time {
	wake := l.nextLook
	if len(l.live) > 0 && l.nextBeat.Before(wake) {
		wake = l.nextBeat
	}
	if !l.nextDue.IsZero() && l.nextDue.Before(wake) {
		wake = l.nextDue
	}
	return wake
}

func (l *loop) room() room {
	o := &l.e.o
	return room{
		kindCreate: o.MaxCreates - l.used[kindCreate],
		kindPoll:   o.MaxPolls - l.used[kindPoll],
		kindFetch:  o.MaxFetches - l.used[kindFetch],
	}
}

// take adopts work that a Doer or a claim handed over; it replaces what the loop knew.
func (l *loop) take(works []Work) {
	if len(l.live) == 0 {
		l.fresh = true // what comes now was leased just now
	}
	for _, w := range works {
		old := l.live[w.Job.ID]
		if old != nil && old.work.Rev > w.Rev {
			continue // a worker wrote after the one that handed this over
		}
		if w.Owner != l.e.o.Owner || w.Due.IsZero() {
			l.forget(w.Job.ID)
			continue
		}
		if old != nil && old.work.Token == w.Token {
			// The same lease: a worker may be busy, its outcome stays valid.
			if !old.busy {
				old.work, old.kind = w, workKind(&w.Job)
				l.planned(old)
			} else {
				old.asked = true
			}
			continue
		}
		l.forget(w.Job.ID)
		en := &entry{work: w, kind: workKind(&w.Job)}
		l.live[w.Job.ID] = en
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
	w := worker{e: l.e, work: en.work, missing: en.missing, retries: en.retries}
	k := en.kind
	ctx := l.createCtx
	if k == kindCreate {
		l.e.addCreates(1)
	} else {
		ctx, en.cancel = context.WithCancel(l.ctx)
	}
	go func() {
		o := outcome{kind: k, id: w.work.Job.ID, token: w.work.Token}
		w.do(ctx, k)
		o.work, o.missing, o.retries, o.lost = w.work, w.missing, w.retries, w.lost
		if k == kindCreate {
			l.e.addCreates(-1)
		}
		l.done <- o
	}()
}

// finish takes a worker's outcome into the live state.
func (l *loop) finish(o outcome) {
	l.used[o.kind]--
	en := l.live[o.id]
	if en == nil || en.work.Token != o.token {
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
	en.work, en.missing, en.retries = o.work, o.missing, o.retries
	if en.asked {
		en.work.Due, en.asked = l.wall, false
	}
	en.kind = workKind(&en.work.Job)
	l.planned(en)
}

// jumped spreads the work when the clock was changed or the machine slept.
func (l *loop) jumped(now time.Time) {
	mono := time.Now()
	drift := now.Sub(l.wall) - mono.Sub(l.mono)
	l.wall, l.mono = now, mono
	if drift > 2*time.Second || drift < -2*time.Second {
		spread(now, l.live, 1, l.e.o.Curve.Max)
		l.nextDue = now
		l.nextLook = now
	}
}
