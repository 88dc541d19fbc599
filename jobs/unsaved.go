package jobs

import (
	"cmp"
	"context"
	"errors"
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
	said  bool // that it is unsaved
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
		k.o.Exchanges = append(w.e.board.takeNotes(c.Job.ID), w.notes...)
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
		k.w.e.setUnsaved(k.state(why), !k.said)
		k.said = true
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
	if k.said && written {
		k.w.e.setSaved(k.c.Job.ID)
	}
}

// Unsaved is what came of creates, may have been paid for and is not in the history, the
// oldest first. After Run has ended it is what was given up.
func (e *Engine) Unsaved() []Unsaved {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]Unsaved, 0, len(e.unsaved))
	for _, u := range e.unsaved {
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b Unsaved) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Job, b.Job)) })
	return out
}

func (e *Engine) isUnsaved(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, is := e.unsaved[id]
	return is
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

func (e *Engine) setUnsaved(u Unsaved, tell bool) {
	e.mu.Lock()
	e.unsaved[u.Job] = u
	e.mu.Unlock()
	if tell && e.o.Unsaved != nil {
		e.o.Unsaved(u, false)
	}
}

// setSaved tells that the history has what it had not.
func (e *Engine) setSaved(id string) {
	e.mu.Lock()
	u := e.unsaved[id]
	delete(e.unsaved, id)
	e.mu.Unlock()
	e.board.poke()
	if e.o.Unsaved != nil {
		e.o.Unsaved(u, true)
	}
}
