package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"darkroom/jobs"
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

// nextRevs takes so many numbers from the change counter, and returns the last.
func (t *tx) nextRevs(n int) (rev int64, err error) {
	err = t.row(`UPDATE counters SET value = value + ? WHERE name = 'rev' RETURNING value`, n).Scan(&rev)
	return rev, err
}

func (t *tx) insert(c *jobs.Change, rev int64) error {
	j := &c.Job
	draft, err := encodeJSON(j.Draft, false)
	if err != nil {
		return err
	}
	v, err := jobValues(j, draft)
	if err != nil {
		return err
	}
	at := row{Work: jobs.Work{Job: jobs.Job{ID: j.ID}}}
	err = t.row(`INSERT INTO jobs (id, rev, profile, grp, modality, model, format, query_format, state,
		task_id, raw_status, progress, title, note, draft, error, assets, created_at, submitted_at,
		accepted_at, ended_at, updated_at, create_ms, polls, remark, paused,
		installation, proof, warnings, late)
		VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
		coalesce(?1 < (SELECT max(id) FROM jobs), 0)) RETURNING n`,
		j.ID, rev, j.Profile, j.Group, string(j.Draft.Modality), j.Draft.Model, j.Format, j.QueryFormat, string(j.State),
		j.TaskID, j.RawStatus, j.Progress, j.Title, j.Note, v.draft, v.taskErr, v.assets, millis(j.CreatedAt),
		millis(j.SubmittedAt), millis(j.AcceptedAt), millis(j.EndedAt), millis(j.UpdatedAt),
		j.CreateTook.Milliseconds(), j.Polls, j.Remark, j.Paused, j.Installation, j.Proof, v.warnings).Scan(&at.n)
	if err != nil {
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
		draft, err := encodeJSON(c.Job.Draft, false)
		if err != nil {
			return err
		}
		if err := t.write(&old, &c, draft, token, rev); err != nil {
			return err
		}
		w, err = t.get(id)
		return err
	})
	return w, err
}

// write replaces a job's row and work, and adds what the change brings; draft is the JSON of
// the draft, and the change's own where that is another than the row's. It succeeds in
// whole or the transaction has to be given up. Columns and tables that would stay as they are
// are left alone: each has its pages and indexes.
func (t *tx) write(old *row, c *jobs.Change, draft string, token, rev int64) error {
	v, err := jobValues(&c.Job, draft)
	if err != nil {
		return err
	}
	if err := t.writeJob(old, &c.Job, &v, rev); err != nil {
		return err
	}
	if err := t.writeWork(c, token); err != nil {
		return err
	}
	anew, err := old.searchesElse(c, &v, draft)
	if err != nil {
		return err
	}
	if err := t.attach(c, old); err != nil || !anew {
		return err
	}
	return t.index(old.n, &c.Job, true)
}

// writeJob writes the row of a job: all of it, or the columns that change while a task runs,
// of which the indexes know rev only.
func (t *tx) writeJob(old *row, j *jobs.Job, v *values, rev int64) error {
	o := &old.Job
	same := o.State == j.State && o.TaskID == j.TaskID && old.draft == v.draft && old.taskErr == v.taskErr &&
		millis(o.SubmittedAt) == millis(j.SubmittedAt) && millis(o.AcceptedAt) == millis(j.AcceptedAt) &&
		millis(o.EndedAt) == millis(j.EndedAt) && o.CreateTook.Milliseconds() == j.CreateTook.Milliseconds() &&
		o.Remark == j.Remark && o.Paused == j.Paused && o.Installation == j.Installation && o.Proof == j.Proof &&
		old.warnings == v.warnings
	if same {
		_, err := t.exec(`UPDATE jobs SET rev = ?, query_format = ?, raw_status = ?, progress = ?, title = ?, note = ?,
			assets = ?, updated_at = ?, polls = ? WHERE n = ?`,
			rev, j.QueryFormat, j.RawStatus, j.Progress, j.Title, j.Note, v.assets, millis(j.UpdatedAt), j.Polls, old.n)
		return err
	}
	_, err := t.exec(`UPDATE jobs SET rev = ?, query_format = ?, state = ?, task_id = ?, raw_status = ?, progress = ?,
		title = ?, note = ?, draft = ?, error = ?, assets = ?, submitted_at = ?, accepted_at = ?, ended_at = ?,
		updated_at = ?, create_ms = ?, polls = ?, remark = ?, paused = ?,
		installation = ?, proof = ?, warnings = ? WHERE n = ?`,
		rev, j.QueryFormat, string(j.State), j.TaskID, j.RawStatus, j.Progress,
		j.Title, j.Note, v.draft, v.taskErr, v.assets, millis(j.SubmittedAt), millis(j.AcceptedAt), millis(j.EndedAt),
		millis(j.UpdatedAt), j.CreateTook.Milliseconds(), j.Polls, j.Remark, j.Paused,
		j.Installation, j.Proof, v.warnings, old.n)
	return err
}

// writeWork writes what is to be done of a job next, and who may do it.
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
