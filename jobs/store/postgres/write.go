package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
)

// Insert implements jobs.Store.
func (s *Store) Insert(ctx context.Context, changes []jobs.Change) error {
	return s.write(ctx, func(t *tx) error {
		t.tells = true
		t.keep(bodiesOf(changes...))
		for i := range changes {
			if err := t.insert(&changes[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// What is written of a job's row.
var (
	insertSQL = sync.OnceValue(func() string {
		return `INSERT INTO jobs (` + table().Whole.Names() + `) VALUES (` + table().Whole.Marks(mark) + `)`
	})
	changeSQL = sync.OnceValue(func() string {
		return `UPDATE jobs SET ` + table().Changing.Set(assign) + ` WHERE id = ` + mark(len(table().Changing))
	})
)

func mark(i int) string { return fmt.Sprintf("$%d", i+1) }

// assign does not rewrite a draft that stays the same: it may be large.
func assign(name string, i int) string {
	if name == "draft" {
		return fmt.Sprintf("draft = CASE WHEN draft = %[1]s THEN draft ELSE %[1]s END", mark(i))
	}
	return name + " = " + mark(i)
}

// insert queues a new job.
func (t *tx) insert(c *jobs.Change) error {
	j := &c.Job
	kept, err := table().Encode(j, "")
	if err != nil {
		return err
	}
	ms := t.s.skew.millis
	t.exec(insertSQL(), table().Whole.Args(nil, j, kept, t.s.skew.get())...)
	owner, until := "", time.Time{}
	if c.Take && !c.Due.IsZero() {
		owner, until = c.Owner, c.Until
	}
	t.exec(`INSERT INTO work (job_id, profile, rev, due, attempts, backoff, lease_owner, lease_token, lease_until,
		events, exchanges) VALUES ($1, $2, nextval('rev'), $3, $4, $5, $6, 1, $7, $8, $9)`,
		text(j.ID), text(j.Profile), ms(c.Due), c.Attempts, c.Backoff.Milliseconds(), text(owner), ms(until),
		len(c.Events), len(c.Exchanges))
	t.exec(`INSERT INTO job_search (job_id, words) VALUES ($1, $2)`, text(j.ID), words(j)+strings.Join(told(c.Events), ""))
	for _, p := range j.Draft.Parents {
		t.exec(`INSERT INTO job_parents (parent, job_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, text(p.Job), text(j.ID))
	}
	return t.attach(c, nil)
}

// Commit implements jobs.Store.
func (s *Store) Commit(ctx context.Context, c jobs.Change) (rev int64, err error) {
	err = s.write(ctx, func(t *tx) error {
		rev, t.id, t.rev = 0, c.Job.ID, &rev
		old, err := t.lock(c.Job.ID)
		if err != nil {
			return err
		}
		if old.Token != c.Token {
			return jobs.ErrLeaseLost
		}
		c := c // fn may be run again
		c.Job.KeepOwn(&old.Job)
		c.Job.Draft = old.Job.Draft
		return t.change(&old, &c, old.Token, &rev)
	})
	return rev, pass(err)
}

// Amend implements jobs.Store. fn may be called more than once, with the job as it is then.
func (s *Store) Amend(ctx context.Context, id string, fn func(jobs.Work) (jobs.Change, error)) (w jobs.Work, err error) {
	var own error // of fn: returned as it is
	err = s.write(ctx, func(t *tx) error {
		old, err := t.lock(id)
		if err != nil {
			return err
		}
		arg := old.Work
		arg.Job.Files = slices.Clone(old.Job.Files)
		var c jobs.Change
		if c, own = fn(arg); own != nil {
			return own
		}
		token := old.Token
		if c.Take {
			token++
		}
		var rev int64
		if err := t.change(&old, &c, token, &rev); err != nil {
			return err
		}
		t.row(func(r pgx.Row) error {
			w, err = s.scanWork(r)
			return err
		}, `SELECT `+table().Select+fromJobs+`WHERE j.id = $1`, text(id))
		return t.flush() // what was committed is no error
	})
	if own != nil {
		return jobs.Work{}, own
	}
	return w, pass(err)
}

// pass returns errors of package jobs as they are.
func pass(err error) error {
	for _, known := range []error{jobs.ErrNotFound, jobs.ErrLeaseLost} {
		if errors.Is(err, known) {
			return known
		}
	}
	return err
}

// lock reads a job that is to be changed; nobody else changes it until the transaction ends.
func (t *tx) lock(id string) (old stored, err error) {
	t.row(func(r pgx.Row) (err error) {
		old.Work, err = t.s.scanWork(r, &old.events, &old.exchanges)
		return err
	}, `SELECT `+table().Select+`, w.events, w.exchanges`+fromJobs+`WHERE j.id = $1 FOR UPDATE OF w`, text(id))
	t.exchanges(func(_ string, slot int, x jobs.Exchange) {
		old.ring, old.slots = append(old.ring, x), append(old.slots, slot)
	}, []string{text(id)})
	err = t.flush()
	if errors.Is(err, pgx.ErrNoRows) {
		err = jobs.ErrNotFound
	}
	return old, err
}

// change queues what replaces a job's row and work, and adds what the change brings.
func (t *tx) change(old *stored, c *jobs.Change, token int64, rev *int64) error {
	j := &c.Job
	kept, err := table().Encode(j, "")
	if err != nil {
		return err
	}
	ms := t.s.skew.millis
	t.exec(changeSQL(), append(table().Changing.Args(nil, j, kept, t.s.skew.get()), text(j.ID))...)
	t.row(func(r pgx.Row) error { return r.Scan(rev) },
		`UPDATE work SET rev = nextval('rev'), due = $2::bigint, attempts = $3, backoff = $4, lease_token = $5,
		lease_owner = CASE WHEN $2::bigint = 0 THEN '' WHEN $6::bool THEN $7::text ELSE lease_owner END,
		lease_until = CASE WHEN $2::bigint = 0 THEN 0 WHEN $6::bool THEN $8::bigint ELSE lease_until END,
		events = events + $9, exchanges = exchanges + $10 WHERE job_id = $1 RETURNING rev`,
		text(j.ID), ms(c.Due), c.Attempts, c.Backoff.Milliseconds(), token,
		c.Take, text(c.Owner), ms(c.Until), len(c.Events), len(c.Exchanges))
	if more := told(c.Events); len(more) > 0 || words(j) != words(&old.Job) {
		t.retell(j, more)
	}
	t.tells = len(c.Events) > 0 || c.Take || visible(&old.Job, j)
	t.keep(bodiesOf(*c))
	return t.attach(c, old)
}

// visible reports whether a person sees that a job changed.
func visible(a, b *jobs.Job) bool {
	return a.State != b.State || a.RawStatus != b.RawStatus || int(a.Progress) != int(b.Progress) || a.Title != b.Title ||
		a.Note != b.Note || a.Remark != b.Remark || a.Paused != b.Paused || len(a.Assets) != len(b.Assets) ||
		!slices.Equal(a.Tags, b.Tags) || !slices.Equal(a.Files, b.Files)
}
