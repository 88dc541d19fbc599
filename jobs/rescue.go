package jobs

import (
	"context"
	"errors"
	"slices"
	"time"

	"darkroom/client"
)

// keep writes what came of a create that may have been carried out.
func (w *worker) keep(ctx context.Context, c Change) {
	if err := w.commitHard(ctx, c); w.lost {
		w.rescue(ctx, c)
	} else if err != nil {
		w.orphaned(c, err)
	}
}

// rescue writes the outcome of a create whose lease was lost meanwhile (the machine slept,
// and another process made the job ambiguous): an id that was paid for must not be lost, so
// it goes on trying as [worker.commitHard] does.
func (w *worker) rescue(ctx context.Context, c Change) {
	c.Exchanges = append(w.e.board.takeNotes(c.Job.ID), w.notes...)
	w.notes = nil
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := w.rescued(ctx, c)
		if err == nil || errors.Is(err, ErrLeaseLost) || errors.Is(err, ErrNotFound) {
			return
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			_ = w.rescued(ctx, c) // there is nothing left to try
			return
		}
	}
}

// late notes the id that an answer brought after a person had decided about the job: it was
// paid for, and can be found and asked about. Nothing else is changed.
func late(cur Work, came Change, now time.Time) (Change, error) {
	id := came.Job.TaskID
	if id == "" || id == cur.Job.TaskID || slices.Contains(cur.Job.AltIDs, id) {
		return Change{}, ErrLeaseLost
	}
	c := change(&cur)
	c.Job.AltIDs = append(slices.Clone(c.Job.AltIDs), id)
	c.Events = []Event{{At: now, Kind: EventAccepted, From: cur.Job.State, To: cur.Job.State, RawStatus: came.Job.RawStatus,
		Message: client.CleanLine("the answer to the create came after all, with the task " + id)}}
	return c, nil
}

// rescued tries it once; ErrLeaseLost says that somebody has decided already, and that there
// is nothing to be added.
func (w *worker) rescued(ctx context.Context, c Change) error {
	sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	work, err := w.e.o.Store.Amend(sctx, c.Job.ID, func(cur Work) (Change, error) {
		if cur.Job.State != Ambiguous && cur.Job.State != Submitting || cur.Job.TaskID != "" {
			return late(cur, c, w.e.now())
		}
		for i := range c.Events {
			c.Events[i].From = cur.Job.State
		}
		c.Job.KeepOwn(&cur.Job)
		c.Take, c.Owner, c.Until = true, w.e.o.Owner, w.e.now().Add(w.e.o.Lease)
		return c, nil
	})
	if err != nil {
		return err
	}
	w.e.board.read(&work, w.e.o.Profile)
	w.e.hand(work)
	return nil
}

// orphaned shows on the board what could not be written, with all that a person needs.
func (w *worker) orphaned(c Change, err error) {
	w.work.Job = c.Job
	w.work.Due = time.Time{}
	w.work.Job.Note = client.CleanLine(noteNoHistory + err.Error())
	w.show(0)
}
