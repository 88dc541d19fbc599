package jobs

import (
	"context"
	"time"

	"darkroom/client"
)

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
