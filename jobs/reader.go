package jobs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"

	"darkroom/jobs/schedule"
)

// PayloadSHA is the key of a kept body: its SHA-256 in hexadecimal digits.
func PayloadSHA(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// Changes implements Reader. It covers all jobs with work and beside them at least the newest
// 16,384 changed jobs, of this engine and, within Options.Look, of other processes.
func (e *Engine) Changes(seq uint64) ([]Job, uint64) {
	all, seq := e.board.since(seq)
	for i := range all {
		all[i] = e.Judge(all[i])
	}
	return all, seq
}

// Watch returns a channel that is closed at the next change of a job that an engine knows of. Other than
// [Engine.Dirty], which one reader empties, it is there for any number of them.
func Watch(e *Engine) <-chan struct{} { return e.board.watch() }

// Want has an engine work on jobs that other processes submitted, see [Options.OwnOnly].
func Want(e *Engine, ids ...string) { e.inbox.want(ids...) }

// Counts implements Reader.
func (e *Engine) Counts() Counts {
	c := e.board.counts()
	c.Flow.Rate = e.slowed()
	return c
}

// List implements Reader. Jobs of which this engine knows newer than the disk (progress, polls)
// are listed so, and creates whose sender is gone are ambiguous, to the query too.
func (e *Engine) List(ctx context.Context, q Query) (Page, error) {
	switch {
	case q.Judges():
		return e.listJudged(ctx, q)
	case orphansMatter(q.States):
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

// judgedPage is how many tasks under way are read at a time to find those that are slow or stuck.
const judgedPage = 500

// listJudged is List for slow and stuck jobs: the plans decide which of the tasks under way are. It
// reads no more of the history than these.
func (e *Engine) listJudged(ctx context.Context, q Query) (Page, error) {
	now, limit := e.now(), cmp.Or(q.Limit, defaultPage)
	page := Page{Jobs: []Job{}}
	for q, some := q.underWay(now); some; {
		q.Limit = max(limit, judgedPage)
		p, err := e.o.Store.List(ctx, q)
		if err != nil {
			return Page{}, err
		}
		for _, stored := range p.Jobs {
			j := e.seen(ctx, e.newer(stored))
			e.learn(ctx, j)
			if !q.picks(&j, e.PlanOf(&j), now) {
				continue
			}
			if len(page.Jobs) == limit {
				page.Next = page.Jobs[limit-1].ID
				return page, nil
			}
			page.Jobs = append(page.Jobs, j)
		}
		q.Before, some = p.Next, p.Next != ""
	}
	return page, nil
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
	if notes := e.notes.of(id); len(notes) > 0 {
		d.Exchanges, _ = Renew(d.Exchanges, notes)
	}
	return d, nil
}

// Record reads a job with all that the history keeps about it, its bodies, too.
func (e *Engine) Record(ctx context.Context, id string) (Record, error) {
	list, err := e.o.Store.Records(ctx, before(id), 1)
	if err != nil {
		return Record{}, err
	}
	if len(list) == 0 || list[0].Job.ID != id {
		return Record{}, ErrNotFound
	}
	r := list[0]
	r.Exchanges = append(r.Exchanges, e.notes.of(id)...)
	r.Exchanges = r.Exchanges[max(0, len(r.Exchanges)-MaxExchanges):]
	return r, nil
}

// before sorts before an id, and behind every other one that does.
func before(id string) string {
	if id == "" || id[len(id)-1] == 0 {
		return id
	}
	end := len(id) - 1
	return id[:end] + string(rune(id[end]-1)) + "~"
}

// newer returns the board's copy of a job unless the disk's is newer. The draft, which never
// changes, is the disk's: whole or cut, as it was read.
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

// PlanOf is the plan of how long tasks of a job's model and mode take, learned from the history of
// the job's profile; nil while fewer than 12 are known, and until the history was asked, which
// List, Get, Detail and polls do. It never blocks and touches no disk.
func (e *Engine) PlanOf(j *Job) *schedule.Plan { return e.plans.Known(kindOf(j)) }

// kindOf is the kind of a job's task.
func kindOf(j *Job) schedule.Kind {
	return schedule.Kind{Profile: j.Profile, Model: j.Draft.Model, Mode: j.Draft.Mode}
}

// learn asks the history how long tasks like these took, once for each kind as long as the answer
// is fresh. A failure is left for the next time.
func (e *Engine) learn(ctx context.Context, all ...Job) {
	now := e.now()
	asked := map[schedule.Kind]bool{}
	for i := range all {
		j := &all[i]
		k := kindOf(j)
		if !j.State.Polled() || asked[k] || ctx.Err() != nil {
			continue
		}
		asked[k] = true
		e.plans.Ask(ctx, k, now)
	}
}

// Answered returns when every job's create has its answer, or ctx ends. Run has to be under way in
// another goroutine. The jobs returned are those of the ids, in their order; on an error they are
// as far as they came.
func (e *Engine) Answered(ctx context.Context, ids []string) ([]Job, error) {
	e.inbox.want(ids...)
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

// Wait returns when all the jobs have ended, with their files on the disk (or failed), or ctx
// ends. Ambiguous and parked jobs count as ended, since nothing moves them on by itself. Run has
// to be under way, here or in another process.
func (e *Engine) Wait(ctx context.Context, ids []string) ([]Job, error) {
	e.inbox.want(ids...)
	return e.until(ctx, ids, Settled)
}

// Settled reports whether nothing moves a job on by itself any more, or only after so long that
// nobody should wait for it: files that could not be fetched for a while.
func Settled(j Job) bool {
	parked := j.State == Unknown && j.NextPollAt.IsZero()
	return (!j.State.Active() || parked) && (!filesPending(j.Files) || isLaterNote(j.Note))
}

// PutOff reports whether a job has ended but its files could not be fetched for a while: they are
// retried for a day, too long to wait for.
func PutOff(j Job) bool {
	return !j.State.Active() && filesPending(j.Files) && isLaterNote(j.Note)
}

// until waits for a condition of several jobs, and returns them as they are then. Jobs missing
// from the history do not count.
func (e *Engine) until(ctx context.Context, ids []string, met func(Job) bool) ([]Job, error) {
	out := make([]Job, len(ids))
	have := make([]bool, len(ids))
	for {
		changed := e.board.watch()
		open := 0
		for i, id := range ids {
			if have[i] && met(out[i]) && !e.unsaved.has(id) {
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
			if !met(out[i]) || e.unsaved.has(id) {
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
