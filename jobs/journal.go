package jobs

import (
	"context"
	"time"
)

// journalWait bounds the look for what an error has left open.
const journalWait = 5 * time.Second

// journal inserts jobs. An error may come although they are in the history, as when the
// connection to it broke at the commit: they would be sent later, by whoever takes them over.
func (e *Engine) journal(ctx context.Context, c []Change) error {
	err := e.o.Store.Insert(ctx, c)
	if err == nil {
		return nil
	}
	look, cancel := context.WithTimeout(context.WithoutCancel(ctx), journalWait)
	defer cancel()
	if _, missing := e.o.Store.Get(look, c[0].Job.ID); missing == nil { // all of them, or none
		return nil
	}
	return err
}
