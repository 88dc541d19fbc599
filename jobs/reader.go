package jobs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
)

// PayloadSHA is the key of a kept body: the SHA-256 of it, in hexadecimal digits.
func PayloadSHA(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// Changes implements Reader. It covers all jobs with work and at least the newest 16,384
// changed jobs beside them, of this engine and, within Options.Look, of other processes.
func (e *Engine) Changes(seq uint64) ([]Job, uint64) {
	all, seq := e.board.since(seq)
	for i := range all {
		all[i] = e.Judge(all[i])
	}
	return all, seq
}

// Counts implements Reader.
func (e *Engine) Counts() Counts {
	c := e.board.counts()
	c.Flow.Rate = e.slowed()
	return c
}

// List implements Reader. Jobs that this engine knows newer than the disk (progress,
// polls) are as it knows them, and creates whose sender is gone are ambiguous, to the query
// too.
func (e *Engine) List(ctx context.Context, q Query) (Page, error) {
	if orphansMatter(q.States) {
		return e.listOrphans(ctx, q)
	}
	p, err := e.o.Store.List(ctx, q)
	if err != nil {
		return Page{}, err
	}
	for i, j := range p.Jobs {
		p.Jobs[i] = e.seen(ctx, e.newer(j))
	}
	e.learn(ctx, p.Jobs...)
	return p, nil
}

// Get implements Reader.
func (e *Engine) Get(ctx context.Context, id string) (Job, error) {
	w, err := e.o.Store.Get(ctx, id)
	if err != nil {
		return Job{}, err
	}
	j := e.seen(ctx, e.newer(w.Job))
	e.learn(ctx, j)
	return j, nil
}

// Detail implements Reader.
func (e *Engine) Detail(ctx context.Context, id string) (Detail, error) {
	d, err := e.o.Store.Detail(ctx, id)
	if err != nil {
		return Detail{}, err
	}
	d.Job = e.seen(ctx, e.newer(d.Job))
	e.learn(ctx, d.Job)
	if e.o.TextOf != nil && len(d.Answer) > 0 && d.Job.State == Completed {
		d.Text = e.o.TextOf(cmp.Or(d.Job.QueryFormat, d.Job.Format), d.Answer)
	}
	d.Exchanges = append(d.Exchanges, e.board.waiting(id)...)
	d.Exchanges = d.Exchanges[max(0, len(d.Exchanges)-MaxExchanges):]
	return d, nil
}

// newer returns the board's copy of a job where it is not older than the disk's. The draft,
// which never changes, is the disk's: whole or cut as it was read.
func (e *Engine) newer(j Job) Job {
	h := e.board.at(j.ID)
	if h == nil || unpackTime(h.updated).Before(j.UpdatedAt) {
		return j
	}
	return h.withDraft(j.Draft)
}

// fileThere reports whether a saved file still lies where it was put.
func fileThere(f File) bool {
	st, err := os.Stat(f.Path)
	return err == nil && st.Mode().IsRegular() && st.Size() == f.Bytes
}
