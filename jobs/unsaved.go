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
	// soonWritten is how long the history is given before the outcome of a create is synced to the
	// disk elsewhere: if only the process is killed, it is kept in any case.
	soonWritten = 200 * time.Millisecond
	// slowWrite is how long the history may take for a write before people are told.
	slowWrite = 3 * time.Second
)

var errSlow = errors.New("it does not answer")

// keeping is the outcome of a create on its way into the history.
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

// keep writes the outcome of a create that may have been carried out. If it may have been paid
// for, keep tries until the history has it, or until the engine's end waits no longer; meanwhile
// the spool keeps it.
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

// insist retries a write until it succeeds or is pointless: ErrLeaseLost and ErrNotFound. It holds
// on to what may have been paid for until the engine is told to give up, to everything else until
// ctx ends.
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

// toDisk syncs what is kept to the disk, once.
func (k *keeping) toDisk() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept && !k.disk && !k.over {
		k.disk = true
		k.kept = k.slot.Sync() == nil
	}
}

// tell reports, through Options.Unsaved, that the history does not have it yet.
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

// unsaved is tell for a write that failed; the board shows it, too.
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

// end gives the room back, or leaves what is kept to others if the history does not have it.
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

// Unsaved returns the outcomes of creates that may have been paid for and are not in the history,
// the oldest first. After Run has ended they are what was given up.
func (e *Engine) Unsaved() []Unsaved {
	out := e.unsaved.list()
	slices.SortFunc(out, func(a, b Unsaved) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Job, b.Job)) })
	return out
}

// unsavedList holds the outcomes of creates that are not in the history, by job. It is safe for
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

// holds reports whether the end waits for unsaved outcomes.
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

// rescued writes, once, the outcome of a create whose lease was lost meanwhile. ErrLeaseLost says
// that somebody has already decided, and that there is nothing to add.
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

// orphaned shows on the board an outcome that could not be written, with all that a person needs.
func (w *worker) orphaned(c Change, err error) {
	w.work.Job = c.Job
	w.work.Due = time.Time{}
	w.work.Job.Note = client.CleanLine(noteNoHistory + err.Error())
	w.show(0)
}
