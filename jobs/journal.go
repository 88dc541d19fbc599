package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrUnclear means that nobody knows whether jobs are in the history: if they are they will be
// sent.
var ErrUnclear = errors.New("it may be in the history, from where it is sent: look into the queue before you submit it again")

// journalWait bounds the look for what an error has left open.
const journalWait = 5 * time.Second

// journal inserts jobs. An error may come although they are in the history, as when the
// connection to it broke at the commit: they would be sent later, by whoever takes them over.
// Where that can not be found out the error wraps [ErrUnclear]; after any other they are not there.
func (e *Engine) journal(ctx context.Context, c []Change) error {
	err := e.o.Store.Insert(ctx, c)
	if err == nil {
		return nil
	}
	look, cancel := context.WithTimeout(context.WithoutCancel(ctx), journalWait)
	defer cancel()
	switch _, missing := e.o.Store.Get(look, c[0].Job.ID); { // all of them, or none
	case missing == nil:
		return nil
	case errors.Is(missing, ErrNotFound):
		return fmt.Errorf("nothing was sent: the history could not be written: %w", err)
	}
	return fmt.Errorf("%w: the history could not be written, and does not tell: %w", ErrUnclear, err)
}
