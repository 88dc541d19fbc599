package jobs

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"darkroom/client"
)

const (
	// soonWritten is how long the history is given before what came of a create goes to the
	// disk elsewhere: where only the process is killed, it is kept in any case.
	soonWritten = 200 * time.Millisecond
	// slowWrite is how long the history may take for a write before people are told.
	slowWrite = 3 * time.Second
)

var errSlow = errors.New("it does not answer")

// keeping is what came of a create on its way into the history.
type keeping struct {
	w     *worker
	c     Change
	o     Outcome
	paid  bool
	since time.Time
	slot  Slot // nil for none

	mu    sync.Mutex
	kept  bool // in the slot
	whole bool
	disk  bool // what is kept is on the disk
	told  bool // that it is unsaved
	over  bool
}

// keep writes what came of a create that may have been carried out. What may have been paid
// for is tried until the history has it, or until the engine's end does not wait any longer;
// it is kept in the spool meanwhile.
func (w *worker) keep(ctx context.Context, c Change) {
	k := w.keeping(c)
	soon := time.AfterFunc(soonWritten, k.toDisk)
	slow := time.AfterFunc(slowWrite, func() { k.tell(errSlow) })
	err := k.insist(ctx, func() error { return w.commit(ctx, c) })
	if w.lost {
		// The machine slept, and another process made the job ambiguous.
		k.o.Exchanges = append(w.e.notes.take(c.Job.ID), w.notes...)
		w.notes = nil
		err = k.insist(ctx, func() error { return w.rescued(ctx, &k.o) })
	}
	soon.Stop()
	slow.Stop()
	k.end(err)
}

func (w *worker) keeping(c Change) *keeping {
	o := outcomeOf(w.began, &c)
	o.Exchanges = slices.Clone(w.notes)
	k := &keeping{w: w, c: c, o: o, paid: o.Paid(), slot: w.slot, since: w.e.now()}
	w.slot = nil
	if k.slot != nil {
		whole, err := k.slot.Fill(o)
		k.kept, k.whole = err == nil, whole
	}
	return k
}

// insist tries to write until that is done, or there is no more point in it: ErrLeaseLost and
// ErrNotFound. What may have been paid for is held until the engine is told to give up,
// everything else until ctx ends.
func (k *keeping) insist(ctx context.Context, write func() error) error {
	over := ctx.Done()
	if give := k.w.e.o.GiveUp; k.paid && give != nil {
		over = give
	}
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := write()
		if err == nil || errors.Is(err, ErrLeaseLost) || errors.Is(err, ErrNotFound) {
			return err
		}
		k.unsaved(err)
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-over:
			t.Stop()
			return write()
		}
	}
}

// toDisk brings what is kept to the disk, once.
func (k *keeping) toDisk() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept && !k.disk && !k.over {
		k.disk = true
		k.kept = k.slot.Sync() == nil
	}
}

// tell tells who asks that the history does not have it yet.
func (k *keeping) tell(why error) {
	k.toDisk()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.paid && !k.over {
		e, u := k.w.e, k.state(why)
		e.unsaved.set(u)
		if !k.told && e.o.Unsaved != nil {
			e.o.Unsaved(u, false)
		}
		k.told = true
	}
}

// unsaved is tell for a write that failed, which the board shows, too.
func (k *keeping) unsaved(why error) {
	k.tell(why)
	e, j := k.w.e, copyJob(k.c.Job)
	j.Note = client.CleanLine(noteNoHistory + why.Error())
	e.board.post(&j, 0, k.w.work.Token, e.o.Profile)
}

func (k *keeping) state(why error) Unsaved {
	u := Unsaved{Job: k.c.Job.ID, TaskID: k.c.Job.TaskID, State: k.c.Job.State, Since: k.since, Why: client.CleanLine(why.Error())}
	if k.kept {
		u.Kept, u.Whole = k.slot.Path(), k.whole
	}
	return u
}

// end gives the room back, or leaves what is kept to others where the history has it not.
func (k *keeping) end(err error) {
	written := err == nil || errors.Is(err, ErrLeaseLost)
	if !written {
		k.unsaved(err)
		k.w.orphaned(k.c, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.over = true
	if k.slot != nil && written {
		k.slot.Free()
	} else if k.slot != nil {
		k.slot.Leave()
	}
	if k.told && written {
		e := k.w.e
		u := e.unsaved.take(k.c.Job.ID)
		e.board.poke()
		if e.o.Unsaved != nil {
			e.o.Unsaved(u, true)
		}
	}
}

// Unsaved is what came of creates, may have been paid for and is not in the history, the
// oldest first. After Run has ended it is what was given up.
func (e *Engine) Unsaved() []Unsaved {
	out := e.unsaved.list()
	slices.SortFunc(out, func(a, b Unsaved) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Job, b.Job)) })
	return out
}

// unsavedList is what came of creates and is not in the history, by job. It is safe for
// concurrent use.
type unsavedList struct {
	mu  sync.Mutex
	all map[string]Unsaved
}

func (l *unsavedList) set(u Unsaved) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all[u.Job] = u
}

func (l *unsavedList) take(id string) Unsaved {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.all[id]
	delete(l.all, id)
	return u
}

func (l *unsavedList) has(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, is := l.all[id]
	return is
}

func (l *unsavedList) list() []Unsaved {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.all))
}

// holds reports whether the end waits for what is unsaved.
func (e *Engine) holds() bool {
	if e.o.GiveUp == nil || len(e.Unsaved()) == 0 {
		return false
	}
	select {
	case <-e.o.GiveUp:
		return false
	default:
		return true
	}
}

// rescued writes the outcome of a create whose lease was lost meanwhile, once. ErrLeaseLost
// says that somebody has decided already, and that there is nothing to be added.
func (w *worker) rescued(ctx context.Context, o *Outcome) error {
	sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	work, err := w.e.o.Store.Amend(sctx, o.Job.ID, func(cur Work) (Change, error) {
		c, open, err := o.on(&cur, w.e.now())
		if open {
			c.Take, c.Owner, c.Until = true, w.e.o.Owner, w.e.now().Add(w.e.o.Lease)
		}
		return c, err
	})
	if err != nil {
		return err
	}
	w.e.board.read(&work, w.e.o.Profile)
	w.e.inbox.hand(handed{Work: work})
	return nil
}

// orphaned shows on the board what could not be written, with all that a person needs.
func (w *worker) orphaned(c Change, err error) {
	w.work.Job = c.Job
	w.work.Due = time.Time{}
	w.work.Job.Note = client.CleanLine(noteNoHistory + err.Error())
	w.show(0)
}
