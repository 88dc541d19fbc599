package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"darkroom/jobs"
)

// Insert implements jobs.Store.
func (s *SQLite) Insert(ctx context.Context, changes []jobs.Change) error {
	return s.tx(ctx, func(t *tx) error {
		rev, err := t.nextRev()
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

func (t *tx) nextRev() (rev int64, err error) {
	err = t.row(`UPDATE counters SET value = value + 1 WHERE name = 'rev' RETURNING value`).Scan(&rev)
	return rev, err
}

func (t *tx) insert(c *jobs.Change, rev int64) error {
	j := &c.Job
	v, err := jobValues(j)
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO jobs (id, rev, profile, grp, modality, model, format, query_format, state,
		task_id, raw_status, progress, title, note, draft, error, assets, created_at, submitted_at,
		accepted_at, ended_at, updated_at, create_ms, polls, remark, paused, late)
		VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
		coalesce(?1 < (SELECT max(id) FROM jobs), 0))`,
		j.ID, rev, j.Profile, j.Group, string(j.Draft.Modality), j.Draft.Model, j.Format, j.QueryFormat, string(j.State),
		j.TaskID, j.RawStatus, j.Progress, j.Title, j.Note, v.draft, v.taskErr, v.assets, millis(j.CreatedAt),
		millis(j.SubmittedAt), millis(j.AcceptedAt), millis(j.EndedAt), millis(j.UpdatedAt),
		j.CreateTook.Milliseconds(), j.Polls, j.Remark, j.Paused)
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
	if err := t.search(j, false); err != nil {
		return err
	}
	return t.attach(c, nil)
}

type values struct{ draft, taskErr, assets string }

func jobValues(j *jobs.Job) (v values, err error) {
	if v.draft, err = encodeJSON(j.Draft, false); err != nil {
		return v, err
	}
	if v.taskErr, err = encodeJSON(j.Error, j.Error == nil); err != nil {
		return v, err
	}
	v.assets, err = encodeJSON(j.Assets, len(j.Assets) == 0)
	return v, err
}

// Commit implements jobs.Store.
func (s *SQLite) Commit(ctx context.Context, c jobs.Change) (rev int64, err error) {
	err = s.tx(ctx, func(t *tx) error {
		old, err := t.get(c.Job.ID)
		if err != nil {
			return err
		}
		if old.Token != c.Token {
			return jobs.ErrLeaseLost
		}
		c.Job.KeepOwn(&old.Job)
		c.Job.Draft = old.Job.Draft
		rev, err = t.write(&old, &c, old.Token)
		return err
	})
	return rev, err
}

// Amend implements jobs.Store.
func (s *SQLite) Amend(ctx context.Context, id string, fn func(jobs.Work) (jobs.Change, error)) (w jobs.Work, err error) {
	err = s.tx(ctx, func(t *tx) error {
		old, err := t.get(id)
		if err != nil {
			return err
		}
		arg := old
		arg.Job.Files = slices.Clone(old.Job.Files)
		c, err := fn(arg)
		if err != nil {
			return err
		}
		token := old.Token
		if c.Take {
			token++
		}
		if _, err := t.write(&old, &c, token); err != nil {
			return err
		}
		w, err = t.get(id)
		return err
	})
	return w, err
}

// write replaces a job's row and work, and adds what the change brings. It succeeds in
// whole or the transaction has to be given up.
func (t *tx) write(old *jobs.Work, c *jobs.Change, token int64) (int64, error) {
	j := &c.Job
	v, err := jobValues(j)
	if err != nil {
		return 0, err
	}
	rev, err := t.nextRev()
	if err != nil {
		return 0, err
	}
	_, err = t.exec(`UPDATE jobs SET rev = ?, query_format = ?, state = ?, task_id = ?, raw_status = ?, progress = ?,
		title = ?, note = ?, draft = ?, error = ?, assets = ?, submitted_at = ?, accepted_at = ?, ended_at = ?,
		updated_at = ?, create_ms = ?, polls = ?, remark = ?, paused = ? WHERE id = ?`,
		rev, j.QueryFormat, string(j.State), j.TaskID, j.RawStatus, j.Progress,
		j.Title, j.Note, v.draft, v.taskErr, v.assets, millis(j.SubmittedAt), millis(j.AcceptedAt), millis(j.EndedAt),
		millis(j.UpdatedAt), j.CreateTook.Milliseconds(), j.Polls, j.Remark, j.Paused, j.ID)
	if err != nil {
		return 0, err
	}
	_, err = t.exec(`UPDATE job_polls SET next_poll_at = ?, attempts = ?, backoff = ?, lease_token = ? WHERE job_id = ?`,
		millis(c.Due), c.Attempts, c.Backoff.Milliseconds(), token, j.ID)
	if err != nil {
		return 0, err
	}
	switch {
	case c.Due.IsZero():
		_, err = t.exec(`UPDATE job_polls SET lease_owner = '', lease_until = 0 WHERE job_id = ?`, j.ID)
	case c.Take:
		_, err = t.exec(`UPDATE job_polls SET lease_owner = ?, lease_until = ? WHERE job_id = ?`,
			c.Owner, millis(c.Until), j.ID)
	}
	if err != nil {
		return 0, err
	}
	if searchText(&old.Job) != searchText(j) {
		if err := t.search(j, true); err != nil {
			return 0, err
		}
	}
	return rev, t.attach(c, old)
}

// attach writes the ids, tags, files, bodies, events and exchanges of a change; old is nil
// for a new job.
func (t *tx) attach(c *jobs.Change, old *jobs.Work) error {
	if err := t.attachIDs(&c.Job, old); err != nil {
		return err
	}
	if err := t.attachTags(&c.Job, old); err != nil {
		return err
	}
	if err := t.attachFiles(&c.Job, old); err != nil {
		return err
	}
	if err := t.attachPayloads(c); err != nil {
		return err
	}
	for _, e := range c.Events {
		_, err := t.exec(`INSERT INTO job_events (job_id, seq, at, kind, from_state, to_state, raw_status,
			http_status, request_id, message, payload)
			SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM job_events WHERE job_id = ?1`,
			c.Job.ID, millis(e.At), string(e.Kind), string(e.From), string(e.To), e.RawStatus,
			e.HTTPStatus, e.RequestID, e.Message, e.PayloadSHA)
		if err != nil {
			return err
		}
	}
	return t.attachExchanges(c)
}

func (t *tx) attachIDs(j *jobs.Job, old *jobs.Work) error {
	ids := append([]string{j.TaskID}, j.AltIDs...)
	if old != nil {
		if slices.Equal(ids, append([]string{old.Job.TaskID}, old.Job.AltIDs...)) {
			return nil
		}
		if _, err := t.exec(`DELETE FROM job_ids WHERE job_id = ?`, j.ID); err != nil {
			return err
		}
	}
	for i, id := range ids {
		if id == "" {
			continue
		}
		if _, err := t.exec(`INSERT INTO job_ids (job_id, pos, ext_id) VALUES (?, ?, ?)`, j.ID, i, id); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) attachFiles(j *jobs.Job, old *jobs.Work) error {
	if old != nil {
		if slices.Equal(old.Job.Files, j.Files) {
			return nil
		}
		if _, err := t.exec(`DELETE FROM job_results WHERE job_id = ?`, j.ID); err != nil {
			return err
		}
	}
	for _, f := range j.Files {
		_, err := t.exec(`INSERT INTO job_results (job_id, idx, kind, state, path, bytes, total, sha256, media_type, error)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			j.ID, f.Index, string(f.Kind), string(f.State), f.Path, f.Bytes, f.Total, f.SHA256, f.MediaType, f.Error)
		if err != nil {
			return err
		}
	}
	return nil
}

// search writes the row of the search index.
func (t *tx) search(j *jobs.Job, replace bool) error {
	var n int64
	if err := t.row(`SELECT n FROM jobs WHERE id = ?`, j.ID).Scan(&n); err != nil {
		return err
	}
	if replace {
		if _, err := t.exec(`DELETE FROM jobs_fts WHERE rowid = ?`, n); err != nil {
			return err
		}
	}
	x := searchText(j)
	_, err := t.exec(`INSERT INTO jobs_fts (rowid, prompt, ids, title, error, note, tags, remark)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, n, x[0], x[1], x[2], x[3], x[4], x[5], x[6])
	return err
}

// get reads a job inside of a transaction.
func (t *tx) get(id string) (jobs.Work, error) {
	w, err := scanWork(t.row(`SELECT `+jobColumns+fromJobs+`WHERE j.id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return w, jobs.ErrNotFound
	}
	if err != nil {
		return w, err
	}
	one := []jobs.Work{w}
	err = t.complete(one)
	return one[0], err
}

// jsonList is a list of strings as an argument for json_each.
func jsonList(s []string) (string, error) {
	if s == nil {
		s = []string{}
	}
	b, err := json.Marshal(s)
	return string(b), err
}
