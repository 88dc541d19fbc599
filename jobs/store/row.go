package store

import (
	"database/sql"
	"errors"
	"slices"

	"darkroom/jobs"
	"darkroom/jobs/store/columns"
)

// row is a job as a write finds it: the texts as they are kept, so that those that stay are
// neither read nor written anew, and what there is of it in other tables.
type row struct {
	jobs.Work // without draft, error and assets
	texts     columns.Texts
	n         int64  // the key of its rows in the search index and among the answers
	exchanges int64  // the greatest seq of its ring
	answer    string // the SHA-256 of its answer in job_answers; "" for none
	shared    string // that of its answer in job_payloads
}

var rowSQL = `SELECT ` + table.Select + `, j.n,
	coalesce((SELECT max(seq) FROM job_exchanges WHERE job_id = j.id), 0),
	coalesce((SELECT sha256 FROM job_answers WHERE n = j.n), ''),
	coalesce((SELECT sha256 FROM job_payloads WHERE job_id = j.id AND kind = 'answer'), ''),
	EXISTS (SELECT 1 FROM job_ids WHERE job_id = j.id AND pos > 0) OR EXISTS (SELECT 1 FROM job_tags WHERE job_id = j.id)
	OR EXISTS (SELECT 1 FROM job_results WHERE job_id = j.id)` + fromJobs + `WHERE j.id = ?`

// getRow reads a job that is to be written.
func (t *tx) getRow(id string) (r row, err error) {
	more := false
	r.Work, r.texts, err = table.Scan(t.row(rowSQL, id), 0,
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
	return w, table.Decode(r.texts, &w.Job)
}

// searchesElse reports whether the search is to find other texts of a job after a change. The
// change gets the row's draft then, where that is its own.
func (r *row) searchesElse(c *jobs.Change, texts columns.Texts) (bool, error) {
	if !tells(c.Events) && r.sameText(&c.Job, texts) {
		return false, nil
	}
	was, err := r.work()
	if err != nil {
		return false, err
	}
	if texts[draftText] == r.texts[draftText] {
		c.Job.Draft = was.Job.Draft
	}
	return tells(c.Events) || c.Job.SearchTexts() != was.Job.SearchTexts(), nil
}

// sameText reports whether nothing of a job changes that the search looks at.
func (r *row) sameText(j *jobs.Job, texts columns.Texts) bool {
	o := &r.Job
	return r.texts[draftText] == texts[draftText] && r.texts[taskErrorText] == texts[taskErrorText] &&
		o.Title == j.Title && o.Note == j.Note && o.Remark == j.Remark &&
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
