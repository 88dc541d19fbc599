package store

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"darkroom/jobs"
	"darkroom/jobs/store/columns"
)

// Insert implements jobs.Store.
func (s *SQLite) Insert(ctx context.Context, changes []jobs.Change) error {
	return s.tx(ctx, func(t *tx) error {
		rev, err := t.nextRevs(1)
		if err != nil {
			return err
		}
		for i := range changes {
			if err := t.insert(&changes[i], rev); err != nil {
				return err
			}
		}
		return nil
	})
}

// nextRevs takes n numbers from the change counter, and returns the last.
func (t *tx) nextRevs(n int) (rev int64, err error) {
	err = t.row(`UPDATE counters SET value = value + ? WHERE name = 'rev' RETURNING value`, n).Scan(&rev)
	return rev, err
}

// What is written of a job's row.
var (
	insertSQL = sync.OnceValue(func() string {
		return `INSERT INTO jobs (` + table().Whole.Names() + `, rev, late) VALUES (` + table().Whole.Marks(mark) + `, ?,
		coalesce(?1 < (SELECT max(id) FROM jobs), 0)) RETURNING n`
	})
	changeSQL = sync.OnceValue(func() string {
		return `UPDATE jobs SET ` + table().Changing.Set(assign) + `, rev = ? WHERE n = ?`
	})
	runningSQL = sync.OnceValue(func() string {
		return `UPDATE jobs SET ` + table().Running.Set(assign) + `, rev = ? WHERE n = ?`
	})
)

func mark(i int) string { return "?" + strconv.Itoa(i+1) }

func assign(name string, _ int) string { return name + ` = ?` }

func (t *tx) insert(c *jobs.Change, rev int64) error {
	j := &c.Job
	texts, err := table().Encode(j, "")
	if err != nil {
		return err
	}
	at := row{Work: jobs.Work{Job: jobs.Job{ID: j.ID}}}
	if err := t.row(insertSQL(), append(table().Whole.Args(nil, j, texts, 0), rev)...).Scan(&at.n); err != nil {
		return err
	}
	owner, until := "", time.Time{}
	if c.Take {
		owner, until = c.Owner, c.Until
	}
	_, err = t.exec(`INSERT INTO job_polls (job_id, next_poll_at, attempts, backoff, lease_owner, lease_token, lease_until)
		VALUES (?, ?, ?, ?, ?, 1, ?)`,
		j.ID, millis(c.Due), c.Attempts, c.Backoff.Milliseconds(), owner, millis(until))
	if err != nil {
		return err
	}
	if err := t.attach(c, &at); err != nil {
		return err
	}
	for _, p := range j.Draft.Parents {
		if _, err := t.exec(`INSERT INTO job_parents (parent, job_id) VALUES (?, ?) ON CONFLICT DO NOTHING`, p.Job, j.ID); err != nil {
			return err
		}
	}
	return t.index(at.n, j, false)
}

// Amend implements jobs.Store.
func (s *SQLite) Amend(ctx context.Context, id string, fn func(jobs.Work) (jobs.Change, error)) (w jobs.Work, err error) {
	err = s.tx(ctx, func(t *tx) error {
		old, err := t.getRow(id)
		if err != nil {
			return err
		}
		arg, err := old.work()
		if err != nil {
			return err
		}
		arg.Job.Files = slices.Clone(old.Job.Files)
		c, err := fn(arg)
		if err != nil {
			return err
		}
		token := old.Token
		if c.Take {
			token++
		}
		rev, err := t.nextRevs(1)
		if err != nil {
			return err
		}
		if err := t.write(&old, &c, "", token, rev); err != nil {
			return err
		}
		w, err = t.get(id)
		return err
	})
	return w, err
}

// write replaces a job's row and work, and adds what the change brings; draft is the row's where
// the change brings none, else "". After an error the transaction has to be given up. Columns and
// tables that would not change are left alone: each has its pages and indexes.
func (t *tx) write(old *row, c *jobs.Change, draft string, token, rev int64) error {
	texts, err := table().Encode(&c.Job, draft)
	if err != nil {
		return err
	}
	if err := t.writeJob(old, &c.Job, texts, rev); err != nil {
		return err
	}
	if err := t.writeWork(c, token); err != nil {
		return err
	}
	anew, err := old.searchesElse(c, texts)
	if err != nil {
		return err
	}
	if err := t.attach(c, old); err != nil || !anew {
		return err
	}
	return t.index(old.n, &c.Job, true)
}

// writeJob writes the row of a job: all of it, or the columns that change while a task runs, of
// which only rev is indexed.
func (t *tx) writeJob(old *row, j *jobs.Job, texts columns.Texts, rev int64) error {
	query, part := changeSQL(), table().Changing
	if table().Settled.Same(&old.Job, old.texts, j, texts) {
		query, part = runningSQL(), table().Running
	}
	_, err := t.exec(query, append(part.Args(nil, j, texts, 0), rev, old.n)...)
	return err
}

// writeWork writes what is to be done next for a job, and who may do it.
func (t *tx) writeWork(c *jobs.Change, token int64) error {
	id := c.Job.ID
	_, err := t.exec(`UPDATE job_polls SET next_poll_at = ?, attempts = ?, backoff = ?, lease_token = ? WHERE job_id = ?`,
		millis(c.Due), c.Attempts, c.Backoff.Milliseconds(), token, id)
	if err != nil {
		return err
	}
	switch {
	case c.Due.IsZero():
		_, err = t.exec(`UPDATE job_polls SET lease_owner = '', lease_until = 0 WHERE job_id = ?`, id)
	case c.Take:
		_, err = t.exec(`UPDATE job_polls SET lease_owner = ?, lease_until = ? WHERE job_id = ?`,
			c.Owner, millis(c.Until), id)
	}
	return err
}

// jsonList is a list of strings as an argument for json_each.
func jsonList(s []string) (string, error) {
	if s == nil {
		s = []string{}
	}
	b, err := json.Marshal(s)
	return string(b), err
}
