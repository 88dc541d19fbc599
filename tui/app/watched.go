package app

import (
	"context"
	"sync"

	"darkroom/jobs"
)

// maxWatched bounds how many jobs are watched for their end.
const maxWatched = 16384

// watched are the jobs of a console, with the ids of those that its user waits for: submitted,
// sent again, adopted or polled again here.
type watched struct {
	Jobs

	mu  sync.Mutex
	ids map[string]bool
}

func (w *watched) add(ids ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range ids {
		if len(w.ids) < maxWatched {
			w.ids[id] = true
		}
	}
}

// some reports whether any job is waited for.
func (w *watched) some() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.ids) > 0
}

// ended removes an ended job, and reports whether it was waited for.
func (w *watched) ended(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.ids[id]
	delete(w.ids, id)
	return was
}

// Submit implements jobs.Doer.
func (w *watched) Submit(ctx context.Context, s []jobs.Submission) ([]string, error) {
	ids, err := w.Jobs.Submit(ctx, s)
	w.add(ids...)
	return ids, err
}

// Resend implements jobs.Doer.
func (w *watched) Resend(ctx context.Context, id string) (string, error) {
	next, err := w.Jobs.Resend(ctx, id)
	if err == nil {
		w.add(next)
	}
	return next, err
}

// Adopt implements jobs.Doer.
func (w *watched) Adopt(ctx context.Context, id, taskID string) error {
	err := w.Jobs.Adopt(ctx, id, taskID)
	if err == nil {
		w.add(id)
	}
	return err
}

// Observe implements jobs.Observer.
func (w *watched) Observe(ctx context.Context, o jobs.Observation) (string, bool, error) {
	id, fresh, err := w.Jobs.Observe(ctx, o)
	if err == nil {
		w.add(id)
	}
	return id, fresh, err
}

// Repoll implements jobs.Doer.
func (w *watched) Repoll(ctx context.Context, id string) error {
	err := w.Jobs.Repoll(ctx, id)
	if err == nil {
		w.add(id)
	}
	return err
}
