package store

import (
	"database/sql"
	"errors"
	"slices"

	"darkroom/jobs"
)

// row is a job as a write finds it: the texts as they are kept, so that those that stay are
// neither read nor written anew, and what there is of it in other tables.
type row struct {
	jobs.Work // without draft, error and assets
	values
	n         int64  // the key of its rows in the search index and among the answers
	exchanges int64  // the greatest seq of its ring
	answer    string // the SHA-256 of its answer in job_answers; "" for none
	shared    string // that of its answer in job_payloads
}

const rowSQL = `SELECT ` + jobColumns + `, j.n,
	coalesce((SELECT max(seq) FROM job_exchanges WHERE job_id = j.id), 0),
	coalesce((SELECT sha256 FROM job_answers WHERE n = j.n), ''),
	coalesce((SELECT sha256 FROM job_payloads WHERE job_id = j.id AND kind = 'answer'), ''),
	EXISTS (SELECT 1 FROM job_ids WHERE job_id = j.id AND pos > 0) OR EXISTS (SELECT 1 FROM job_tags WHERE job_id = j.id)
	OR EXISTS (SELECT 1 FROM job_results WHERE job_id = j.id)` + fromJobs + `WHERE j.id = ?`

// getRow reads a job that is to be written.
func (t *tx) getRow(id string) (r row, err error) {
	more := false
	r.Work, r.values, err = scanRow(t.row(rowSQL, id),
		&r.n, &r.exchanges, &r.answer, &r.shared, &more)
	if errors.Is(err, sql.ErrNoRows) {
		return r, jobs.ErrNotFound
	}
	if err != nil || !more {
		return r, err
	}
	one := []jobs.Work{r.Work}
	err = t.complete(one)
	r.Work = one[0]
	return r, err
}

// work is the whole work.
func (r *row) work() (jobs.Work, error) {
	w := r.Work
	return w, r.decode(&w.Job)
}

// searchesElse reports whether the search is to find other texts of a job after a change. The
// change gets the row's draft then, where that is its own.
func (r *row) searchesElse(c *jobs.Change, v *values, draft string) (bool, error) {
	if !tells(c.Events) && r.sameText(&c.Job, v) {
		return false, nil
	}
	was, err := r.work()
	if err != nil {
		return false, err
	}
	if draft == r.draft {
		c.Job.Draft = was.Job.Draft
	}
	return tells(c.Events) || c.Job.SearchTexts() != was.Job.SearchTexts(), nil
}

// sameText reports whether nothing of a job changes that the search looks at.
func (r *row) sameText(j *jobs.Job, v *values) bool {
	o := &r.Job
	return r.draft == v.draft && r.taskErr == v.taskErr && o.Title == j.Title && o.Note == j.Note && o.Remark == j.Remark &&
		o.TaskID == j.TaskID && slices.Equal(o.AltIDs, j.AltIDs) && slices.Equal(o.Tags, j.Tags)
}

// get reads a job inside of a transaction.
func (t *tx) get(id string) (jobs.Work, error) {
	r, err := t.getRow(id)
	if err != nil {
		return r.Work, err
	}
	return r.work()
}
