package jobs

import (
	"context"
	"time"
)

// hardEnd is what workers get after the grace, to write what they found out.
const hardEnd = 5 * time.Second

// end waits for the creates in flight, at most Options.Grace, and gives the leases back. For
// what came of creates and is unsaved it waits as long as Options.GiveUp allows.
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
