package store

import (
	"context"
	"errors"
	"slices"
	"sync"

	"darkroom/jobs"
)

// maxBatch is how many commits share a transaction at most: few enough that others do not
// wait for long.
const maxBatch = 128

// errUnwritten is the error of a commit until its writing comes to an end.
var errUnwritten = errors.New("the history: writing was broken off")

// commit is one change that waits to be written. rev and err are valid once done is closed.
type commit struct {
	change jobs.Change
	rev    int64
	err    error
	done   chan struct{}
}

// commits are those that wait, in the order in which they came.
type commits struct {
	mu   sync.Mutex
	list []*commit
}

func (q *commits) add(c *commit) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, c)
}

// take removes the first of those that wait.
func (q *commits) take() (batch []*commit) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.list), maxBatch)
	batch = slices.Clone(q.list[:n])
	q.list = slices.Delete(q.list, 0, n)
	return batch
}

// drop removes one, if it waits still.
func (q *commits) drop(c *commit) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.list, c)
	if i >= 0 {
		q.list = slices.Delete(q.list, i, i+1)
	}
	return i >= 0
}

// Commit implements jobs.Store. Commits that wait for their turn at the same time share one
// transaction, and with it one sync of the disk: whoever gets the turn writes for all. One that
// fails does not fail the others. When ctx ends before a change is being written, nothing of it is;
// once it is being written, Commit waits for the end.
func (s *SQLite) Commit(ctx context.Context, change jobs.Change) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	c := &commit{change: change, done: make(chan struct{})}
	s.waiting.add(c)
	for {
		select {
		case <-c.done:
			return c.rev, explain(s.path, c.err)
		case <-s.w.turn:
			s.commitWaiting(c)
		case <-ctx.Done():
			if s.waiting.drop(c) {
				return 0, ctx.Err()
			}
			<-c.done
		}
	}
}

// commitWaiting writes what waits, and gives the turn back. It does nothing when the commit
// of the caller was written by another meanwhile.
func (s *SQLite) commitWaiting(mine *commit) {
	defer func() { s.w.turn <- struct{}{} }()
	select {
	case <-mine.done:
		return
	default:
	}
	batch := s.waiting.take()
	for _, c := range batch {
		c.err = errUnwritten // unless it comes to an end below
	}
	defer func() {
		for _, c := range batch {
			close(c.done)
		}
	}()
	// The others' contexts have no say, nor has the caller's.
	s.w.commit(&tx{ctx: context.Background(), stmts: &s.w.stmts}, batch)
}

// commit writes a batch in one transaction. Where that fails, each is tried by itself.
func (w *writer) commit(t *tx, batch []*commit) {
	began := false
	err := w.transact(t, func(t *tx) error {
		began = true
		return t.commit(batch)
	})
	switch {
	case err == nil:
	case began && len(batch) > 1:
		for _, c := range batch {
			w.commit(t, []*commit{c})
		}
	default:
		for _, c := range batch {
			c.rev, c.err = 0, err
		}
	}
}

// commit writes changes; each has a rev of its own. One whose job is in other hands, or gone, is
// left out. An error means that the transaction has to be given up.
func (t *tx) commit(batch []*commit) error {
	last, err := t.nextRevs(len(batch))
	if err != nil {
		return err
	}
	for i, c := range batch {
		rev := last - int64(len(batch)-1-i)
		err := t.commitOne(&c.change, rev)
		left := errors.Is(err, jobs.ErrLeaseLost) || errors.Is(err, jobs.ErrNotFound)
		if err != nil && (!left || len(batch) == 1) {
			return err
		}
		if c.rev, c.err = rev, err; left {
			c.rev = 0
		}
	}
	return nil
}

func (t *tx) commitOne(c *jobs.Change, rev int64) error {
	old, err := t.getRow(c.Job.ID)
	if err != nil {
		return err
	}
	if old.Token != c.Token {
		return jobs.ErrLeaseLost
	}
	c.Job.KeepOwn(&old.Job)
	return t.write(&old, c, old.texts[draftText()], old.Token, rev)
}
