package jobs

import (
	"context"
	"errors"
	"time"

	"darkroom/jobs/owner"
)

// keepLeases renews the owner's beat while there is work. If the beat came too late, as after a
// sleep, it claims everything anew: somebody else may work on the jobs by now.
func (l *loop) keepLeases(now time.Time) {
	if len(l.live) == 0 {
		l.unwritten(now, nil) // there is nothing to renew
		return
	}
	late := !now.Before(l.leaseUntil)
	if now.Before(l.nextBeat) && !late {
		return
	}
	if late && now.Before(l.nextBeat) {
		return // tried and failed a moment ago: nothing is polled meanwhile
	}
	err := l.beat(now)
	l.unwritten(now, err)
	if err != nil {
		l.nextBeat = now.Add(l.e.o.Look)
		return
	}
	if late && !l.fresh {
		l.unclaimed = l.claim(now, true) != nil
		if l.unclaimed {
			l.leaseUntil = now // nothing is polled under leases that may be lost
		}
	}
	l.fresh = false
}

func (l *loop) beat(now time.Time) error {
	until := now.Add(l.e.o.Lease)
	if err := l.e.o.Store.Beat(l.ctx, l.e.o.Owner, until); err != nil {
		return err
	}
	l.leaseUntil, l.nextBeat = until, now.Add(l.e.o.Lease/3)
	return nil
}

// beatNow keeps the leases alive while the engine ends.
func (e *Engine) beatNow() error {
	ctx, cancel := context.WithTimeout(context.Background(), e.o.Lease/3)
	defer cancel()
	return e.o.Store.Beat(ctx, e.o.Owner, e.now().Add(e.o.Lease))
}

// claim takes over work that nobody holds. With own, it also claims the engine's own leases anew,
// and forgets the jobs it does not get back.
func (l *loop) claim(now time.Time, own bool) error {
	c := Claim{
		Owner: l.e.o.Owner, Installation: l.e.o.Installation.ID(), Profile: l.e.o.Profile,
		Now: now, Until: now.Add(l.e.o.Lease), Own: own, SkipFetch: l.e.o.Saver == nil,
		SkipPlanned: l.e.o.ReadOnly != "",
	}
	if l.e.o.OwnOnly {
		c.IDs = l.e.inbox.wantedIDs()
		if own {
			for id := range l.live {
				c.IDs = append(c.IDs, id)
			}
		}
		if len(c.IDs) == 0 {
			return nil
		}
	}
	for id, en := range l.live {
		if en.busy {
			c.Except = append(c.Except, id)
		}
	}
	works, err := l.e.o.Store.Claim(l.ctx, c)
	if err != nil {
		return err
	}
	got := make(map[string]bool, len(works))
	for i := range works {
		got[works[i].Job.ID] = true
		if !l.settle(&works[i]) {
			l.unsettled = append(l.unsettled, works[i])
		}
	}
	if own {
		for id, en := range l.live {
			if !en.busy && !got[id] {
				l.forget(id)
			}
		}
	}
	l.take(handover(works))
	return nil
}

func handover(works []Work) []handed {
	out := make([]handed, len(works))
	for i := range works {
		out[i].Work = works[i]
	}
	return out
}

// claimFree takes over what nobody works on, including what dead processes of this machine left.
func (l *loop) claimFree(now time.Time) error {
	owners, err := l.e.o.Store.Owners(l.ctx)
	if err != nil {
		return err
	}
	l.foreign = false
	for _, o := range owners {
		switch {
		case o == l.e.o.Owner:
		case owner.Dead(o):
			if err := l.e.o.Store.Release(l.ctx, o); err != nil {
				return err
			}
		default:
			l.foreign = true
		}
	}
	again := l.unsettled
	l.unsettled = nil
	for i := range again {
		if !l.settle(&again[i]) {
			l.unsettled = append(l.unsettled, again[i])
		}
	}
	return l.claim(now, false)
}

// settle brings claimed work into a state that can go on: a create under way in a process that is
// gone has lost its answer. It returns false if that could not be written; no worker takes up a
// Submitting job, so nothing is sent meanwhile.
func (l *loop) settle(w *Work) bool {
	if w.Job.State == Submitting {
		c := change(w)
		unanswered(&c, l.e.now())
		rev, err := l.e.o.Store.Commit(l.ctx, c)
		if errors.Is(err, ErrLeaseLost) {
			return true // in other hands now
		}
		if err != nil {
			return false
		}
		apply(w, c, rev)
	}
	for i := range w.Job.Files {
		if w.Job.Files[i].State == FileFetching {
			w.Job.Files[i].State = FileWanted
		}
	}
	l.e.board.read(w, l.e.o.Profile)
	return true
}

// rareLooks is the factor by which the pause between looks grows while the store reports writes
// and nothing is waited for. A look then only catches a write that went unreported.
const rareLooks = 30

// alertLooks is how many looks follow a reported write, each after twice the pause of the one
// before: a write is reported when it begins, but visible only when its transaction is on the
// disk.
const alertLooks = 3

// lookPause is how long looking can wait: leases of others may expire and failures may be due for
// another try without anybody writing.
func (l *loop) lookPause() time.Duration {
	switch {
	case l.written == nil || l.foreign || l.unclaimed || l.unpaused || len(l.unsettled) > 0:
		return l.e.o.Look
	case l.alert > 0:
		return l.e.o.Look << (alertLooks - l.alert)
	}
	return rareLooks * l.e.o.Look
}

// told plans a look after a reported write, at most one every Options.Look: most writes are our
// own.
func (l *loop) told(ok bool) {
	if !ok {
		l.written = nil // from now on we have to look ourselves
	}
	l.alert = alertLooks
	if at := l.lastLook.Add(l.e.o.Look); at.Before(l.nextLook) {
		l.nextLook = at
	}
}

// look takes in what other processes wrote, and takes over what they let go.
func (l *loop) look(now time.Time) {
	l.lastLook = now
	l.nextLook = now.Add(l.e.o.Look) // after a failure, and for what comes while we look
	err := l.takeOthers(now)
	if err == nil {
		l.nextLook = now.Add(l.lookPause())
	}
	l.unread(now, err)
	l.alert = max(0, l.alert-1)
}

// takeOthers does the work of a look. An error means that the history could not be read; the next
// look tries again.
func (l *loop) takeOthers(now time.Time) error {
	v, err := l.e.o.Store.Look(l.ctx)
	if err != nil {
		return err
	}
	if v == l.version && !l.foreign && !l.unclaimed && !l.unpaused && len(l.unsettled) == 0 {
		return nil
	}
	if v != l.version {
		works, rev, err := l.e.o.Store.Since(l.ctx, l.rev)
		if err != nil {
			return err
		}
		l.version, l.rev = v, rev
		for _, w := range works {
			l.seen(w)
		}
	}
	l.unpaused = !l.readPauses(now)
	err = l.claimFree(now)
	l.unclaimed = err != nil
	return err
}

// seen takes in one job as another process, or we, left it.
func (l *loop) seen(w Work) {
	en := l.live[w.Job.ID]
	if en != nil {
		l.say(en, &w)
	}
	l.e.board.read(&w, l.e.o.Profile)
	if en == nil || en.rev >= w.Rev {
		return
	}
	if w.Owner != l.e.o.Owner || w.Token != en.token {
		l.forget(w.Job.ID)
		return
	}
	if w.Due.Before(en.Due) && !en.busy {
		en.Due = w.Due // somebody asked for a poll now
		l.planned(en)
	}
}
