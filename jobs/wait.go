package jobs

import (
	"context"
	"errors"
)

// wait makes an OwnOnly engine work on a job that another process submitted.
func (e *Engine) wait(ids ...string) {
	if !e.o.OwnOnly {
		return
	}
	e.mu.Lock()
	for _, id := range ids {
		e.waited[id] = true
	}
	e.wish = true
	e.mu.Unlock()
	e.poke()
}

// takeWish reports whether waited-for jobs are to be claimed.
func (e *Engine) takeWish() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	w := e.wish
	e.wish = false
	return w
}

func (e *Engine) waitedIDs() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	ids := make([]string, 0, len(e.waited))
	for id := range e.waited {
		ids = append(ids, id)
	}
	return ids
}

// SubmitNow submits, and returns when every create has its answer, or ctx ends. Run has
// to be under way in another goroutine. The jobs are those of the ids, in their order; on
// an error after the journal they are as far as they came.
func (e *Engine) SubmitNow(ctx context.Context, subs []Submission) ([]Job, error) {
	ids, err := e.Submit(ctx, subs)
	if err != nil {
		return nil, err
	}
	return e.Answered(ctx, ids)
}

// Answered returns when the create of every job has its answer, or ctx ends. Run has to
// be under way in another goroutine.
func (e *Engine) Answered(ctx context.Context, ids []string) ([]Job, error) {
	e.wait(ids...)
	return e.until(ctx, ids, func(j Job) bool { return j.State != Planned && j.State != Submitting })
}

// Flush returns when no create of this profile is planned or in flight, or ctx ends.
func (e *Engine) Flush(ctx context.Context) error {
	for {
		changed := e.board.watch()
		if !e.board.sending() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (b *board) sending() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.states {
		if s == Planned || s == Submitting {
			return true
		}
	}
	return false
}

// Wait returns when all the jobs have ended, with their files on the disk (or failed), or
// ctx ends. An ambiguous job counts as ended: nothing goes on with it by itself, and so
// does a parked one. Run has to be under way, here or in another process.
func (e *Engine) Wait(ctx context.Context, ids []string) ([]Job, error) {
	e.wait(ids...)
	return e.until(ctx, ids, Settled)
}

// Settled reports whether nothing goes on with a job by itself any more, or for so long
// that nobody is to wait for it: files that could not be fetched for a while.
func Settled(j Job) bool {
	parked := j.State == Unknown && j.NextPollAt.IsZero()
	return (!j.State.Active() || parked) && (!filesPending(j.Files) || isLaterNote(j.Note))
}

// PutOff reports whether a job has ended and its files could not be fetched for a while: they
// are tried again for a day, for which nobody is to wait.
func PutOff(j Job) bool {
	return !j.State.Active() && filesPending(j.Files) && isLaterNote(j.Note)
}

// until waits for a condition of several jobs, and returns them as they are then. What is not
// in the history does not count.
func (e *Engine) until(ctx context.Context, ids []string, met func(Job) bool) ([]Job, error) {
	out := make([]Job, len(ids))
	have := make([]bool, len(ids))
	for {
		changed := e.board.watch()
		open := 0
		for i, id := range ids {
			if have[i] && met(out[i]) && !e.isUnsaved(id) {
				continue
			}
			j, ok := e.board.get(id)
			if !ok && !have[i] {
				w, err := e.o.Store.Get(ctx, id)
				if err != nil {
					return out, errors.Join(err, ctx.Err())
				}
				j, ok = w.Job, true
			}
			if ok {
				out[i], have[i] = e.Judge(j), true
			}
			if !met(out[i]) || e.isUnsaved(id) {
				open++
			}
		}
		if open == 0 {
			return out, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return out, ctx.Err()
		}
	}
}
