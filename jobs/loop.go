package jobs

import (
	"context"
	"time"

	"darkroom/jobs/schedule"
)

// loop is the one goroutine that owns the live state.
type loop struct {
	e    *Engine
	ctx  context.Context
	live map[string]*entry
	used room
	done chan outcome
	// A poll that has its answer makes room for the next one while its write waits for the disk.
	freed   chan struct{}
	writing int // polls that do so
	// idle goroutines wait for work until over is closed: there are as many as were ever busy at
	// once, with their stacks already grown.
	idle chan func()
	over chan struct{}

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
	due        *schedule.Buckets[*entry]
	// ready is due, and waits for room: the jobs of runs and others take turns.
	ready      [kinds]schedule.Turns[*entry]
	stops      stops     // what a person has paused
	pacedUntil time.Time // the gateway holds requests back until then; zero for not
	tightened  time.Time // when the jobs of runs were last counted
	version    int64     // of the store, at the last look
	rev        int64     // of the store, as far as it was taken in
	foreign    bool      // others hold leases: their end has to be looked for
	unclaimed  bool      // a claim failed: try again
	unpaused   bool      // the pauses could not be read: try again
	unsettled  []Work    // claimed, but what they need first could not be written
	readErr    error     // why the history could not be read last; nil when it was
	beatErr    error     // why the beat could not be renewed; nil when it was
	wall, mono time.Time
}

func newLoop(ctx context.Context, e *Engine) *loop {
	l := &loop{
		e: e, ctx: ctx, live: map[string]*entry{}, due: schedule.NewBuckets[*entry](),
		done:  make(chan outcome, e.o.MaxCreates+(1+maxWriting)*e.o.MaxPolls+e.o.MaxFetches),
		freed: make(chan struct{}, (1+maxWriting)*e.o.MaxPolls),
		idle:  make(chan func()), over: make(chan struct{}),
	}
	l.createCtx, l.cutCreates = context.WithCancel(context.WithoutCancel(ctx))
	return l
}

// start reads what the history holds, and takes over what nobody works on.
func (l *loop) start() error {
	if w, ok := l.e.o.Store.(Watcher); ok && l.written == nil {
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
	l.unpaused = !l.readPauses(now)
	l.lastLook, l.nextLook = now, now.Add(l.lookPause())
	l.spread(now, l.e.o.MaxPolls)
	return nil
}

func (l *loop) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for l.ctx.Err() == nil {
		now := l.e.now()
		l.jumped(now)
		works, repause, wish := l.e.inbox.empty()
		l.take(works)
		l.keepLeases(now)
		if !now.Before(l.nextLook) {
			l.look(now)
		}
		if repause {
			l.unpaused = !l.readPauses(now)
		}
		if wish {
			l.unclaimed = l.claimFree(now) != nil
		}
		l.beginDue(now)
		timer.Reset(max(l.nextWake().Sub(now), time.Millisecond))
		select {
		case <-l.ctx.Done():
		case <-l.e.inbox.wake:
		case o := <-l.done:
			l.finish(o)
			l.finishMore()
		case <-l.freed:
			l.free()
		case _, ok := <-l.written:
			l.told(ok)
		case <-timer.C:
		}
	}
}

// finishMore takes in other outcomes that have arrived meanwhile.
func (l *loop) finishMore() {
	for {
		select {
		case o := <-l.done:
			l.finish(o)
		case <-l.freed:
			l.free()
		default:
			return
		}
	}
}

// beginDue starts workers for what is due. Work without room waits in a list.
func (l *loop) beginDue(now time.Time) {
	l.due.Take(now, func(en *entry) {
		if l.live[en.job.id] == en && !en.busy && !en.ready && en.kind != kindNone {
			en.ready = true
			l.ready[en.kind].Put(en.job.run != "", en)
		}
	})
	// The history may have blocked since now: somebody else may have the jobs.
	if !l.e.now().Before(l.leaseUntil) {
		return // without a lease nothing may begin
	}
	allowed := l.allowance(now)
	for k, room := range l.room() {
		toGateway := kind(k) != kindFetch
		for room > 0 && l.ready[k].Len() > 0 && (!toGateway || allowed > 0) {
			en := l.ready[k].Take()
			en.ready = false
			switch {
			case l.live[en.job.id] != en || en.busy:
				continue // something happened to it since the list was made
			case en.kind != kind(k) || en.Due.IsZero() || en.Due.After(now):
				l.due.Put(en)
				continue
			case l.blocked(en):
				continue // it is put in again when the pause ends
			}
			l.begin(en)
			room--
			if toGateway {
				allowed--
			}
		}
	}
}

// planned notes that an entry's due time may have changed.
func (l *loop) planned(en *entry) {
	if !en.busy && !en.ready {
		l.due.Put(en)
	}
}

// spread gives work that fell due while nothing could be done successive due times.
func (l *loop) spread(now time.Time, free int) {
	spread(now, l.live, free, max(l.e.o.Curve.Max, schedule.MaxInterval))
	l.due, l.ready = schedule.NewBuckets[*entry](), [kinds]schedule.Turns[*entry]{}
	for _, en := range l.live {
		en.ready = false
		en.Lift()
		l.planned(en)
	}
}

// nextWake is when the loop has to look again without being woken.
func (l *loop) nextWake() time.Time {
	wake := l.nextLook
	if len(l.live) > 0 && l.nextBeat.Before(wake) {
		wake = l.nextBeat
	}
	if due := l.due.Next(); !due.IsZero() && due.Before(wake) {
		wake = due
	}
	if !l.pacedUntil.IsZero() && l.pacedUntil.Before(wake) && l.ready[kindCreate].Len()+l.ready[kindPoll].Len() > 0 {
		wake = l.pacedUntil
	}
	return wake
}

// maxWriting is how many polls may wait for the disk before no more are begun, as a multiple of
// those in flight.
const maxWriting = 3

// free makes room for another poll once only the write of one remains.
func (l *loop) free() {
	l.used[kindPoll]--
	l.writing++
}

func (l *loop) room() room {
	o := &l.e.o
	return room{
		kindCreate: o.MaxCreates - l.used[kindCreate],
		kindPoll:   o.MaxPolls - l.used[kindPoll] - max(0, l.writing-maxWriting*o.MaxPolls),
		kindFetch:  o.MaxFetches - l.used[kindFetch],
	}
}

// jumped spreads the work when the clock was changed or the machine slept.
func (l *loop) jumped(now time.Time) {
	mono := time.Now()
	drift := now.Sub(l.wall) - mono.Sub(l.mono)
	l.wall, l.mono = now, mono
	if drift > 2*time.Second || drift < -2*time.Second {
		l.spread(now, 1)
		l.nextLook = now
	}
}

// hardEnd is the time workers get after the grace to write what they found out.
const hardEnd = 5 * time.Second

// end waits for the creates in flight, at most Options.Grace, and gives the leases back. For
// unsaved outcomes of creates it waits as long as Options.GiveUp allows.
func (l *loop) end() {
	defer close(l.over)
	defer l.cutCreates()
	busy := l.used[kindCreate] + l.used[kindPoll] + l.used[kindFetch] + l.writing
	grace := time.NewTimer(l.e.o.Grace)
	defer grace.Stop()
	hard := time.NewTimer(l.e.o.Grace + hardEnd)
	defer hard.Stop()
	beat := time.NewTicker(l.e.o.Lease / 3)
	defer beat.Stop()
wait:
	for busy > 0 {
		select {
		case o := <-l.done:
			l.finish(o)
			busy--
		case <-l.freed:
			l.free()
		case <-grace.C:
			l.cutCreates()
		case <-beat.C:
			_ = l.e.beatNow()
		case <-hard.C:
			if l.e.holds() {
				hard.Reset(hardEnd)
				continue
			}
			break wait // a worker that hangs keeps its lease until it expires
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.ctx), 5*time.Second)
	defer cancel()
	if busy == 0 {
		l.e.flushAll(context.WithoutCancel(l.ctx))
		_ = l.e.o.Store.Release(ctx, l.e.o.Owner) // else the leases expire by themselves
	}
}
