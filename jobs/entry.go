package jobs

import (
	"context"
	"time"
)

// entry is the loop's own record of one job with work. Only the loop touches it; workers
// get a copy of the work and answer with an outcome. The job is shared with the board.
type entry struct {
	job      *held
	rev      int64
	own      int64 // the rev at which a person's own was taken over
	token    int64
	due      time.Time
	backoff  time.Duration
	attempts int32

	kind   kind
	busy   bool
	ready  bool               // it waits in the list of its kind
	asked  bool               // a Doer wants it to be looked at now, after what is in flight
	tick   int64              // the bucket that it lies in; -1 for none
	cancel context.CancelFunc // of the work in flight; nil for creates
	memo
}

// memo is what workers on one job tell one another.
type memo struct {
	missing time.Time // when a query first said "not found"; zero for not
	wrote   int64     // when the job was written last, in nanoseconds; 0 for not by this process
	gone    bool      // the gateway has no fresh address of its files
	unsaved bool      // its progress is newer than what was written
}

func newEntry(w *Work, job *held) *entry {
	en := &entry{tick: -1}
	en.set(w, job)
	return en
}

// set takes over a work; job is the work's, as it is held.
func (en *entry) set(w *Work, job *held) {
	if w.Rev > en.rev {
		en.own = w.Rev
	}
	en.rev, en.token, en.due, en.backoff = w.Rev, w.Token, w.Due, w.Backoff
	en.attempts = int32(min(w.Attempts, 1<<31-1)) //nolint:gosec // bounded
	en.job, en.kind = job, heldKind(job)
}

// say takes over what a person decided, unless something newer is known.
func (en *entry) say(from *Job, rev int64) {
	if rev <= en.own {
		return
	}
	if en.own = rev; !en.job.sameOwn(from) {
		en.job = en.job.withOwn(from)
	}
}

// work is the entry as a worker takes it.
func (en *entry) work() Work {
	return Work{
		Job: en.job.working(), Rev: en.rev, Due: en.due, Attempts: int(en.attempts), Backoff: en.backoff, Token: en.token,
	}
}

// outcome is what a worker found out and, unless lost, has written to the history.
type outcome struct {
	kind  kind
	id    string
	token int64 // the lease that it worked under
	work  Work
	job   *held // the work's job as it was published; nil when it was not
	memo
	lost  bool // the lease was lost: the store knows better
	freed bool // it made room before it ended
}
