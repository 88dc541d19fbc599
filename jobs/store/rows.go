package store

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/columns"
	"database/sql"
	"errors"
)

// table is the row of a job. It and the statements made of it are made when they are first needed: not
// every command opens a history.
var table = sync.OnceValue(func() *columns.Table {
	return columns.New(columns.Dialect{
		Work: [...]string{"j.rev", "p.next_poll_at", "p.attempts", "p.backoff", "p.lease_owner", "p.lease_token"},
	})
})

// The places of those texts of a row that are looked at by themselves.
var (
	draftText     = sync.OnceValue(func() int { return table().Text("draft") })
	taskErrorText = sync.OnceValue(func() int { return table().Text("error") })
)

const fromJobs = ` FROM jobs j JOIN job_polls p ON p.job_id = j.id `

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// scanWork reads a row of the table's columns, without ids, tags and files.
func scanWork(r scanner) (jobs.Work, error) {
	w, texts, err := table().Scan(r, 0)
	if err != nil {
		return w, err
	}
	return w, table().Decode(texts, &w.Job)
}

// complete adds the ids, tags and files of jobs that were read.
func (t *tx) complete(works []jobs.Work) error {
	if len(works) == 0 {
		return nil
	}
	at := make(map[string]*jobs.Job, len(works))
	ids := make([]string, len(works))
	for i := range works {
		ids[i] = works[i].Job.ID
		at[ids[i]] = &works[i].Job
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	args := []any{string(list)}
	err = t.each(`SELECT job_id, ext_id FROM job_ids
		WHERE job_id IN (SELECT value FROM json_each(?)) AND pos > 0 ORDER BY job_id, pos`, args,
		func(r scanner) error {
			var id, ext string
			if err := r.Scan(&id, &ext); err != nil {
				return err
			}
			at[id].AltIDs = append(at[id].AltIDs, ext)
			return nil
		})
	if err != nil {
		return err
	}
	err = t.each(`SELECT job_id, tag FROM job_tags
		WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY job_id, tag`, args,
		func(r scanner) error {
			var id, tag string
			if err := r.Scan(&id, &tag); err != nil {
				return err
			}
			at[id].Tags = append(at[id].Tags, tag)
			return nil
		})
	if err != nil {
		return err
	}
	return t.each(`SELECT job_id, idx, kind, state, path, bytes, total, sha256, media_type, error, proof FROM job_results
		WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY job_id, idx`, args,
		func(r scanner) error {
			var id, kind, state string
			var f jobs.File
			err := r.Scan(&id, &f.Index, &kind, &state, &f.Path, &f.Bytes, &f.Total, &f.SHA256, &f.MediaType, &f.Error, &f.Proof)
			if err != nil {
				return err
			}
			f.Kind, f.State = client.AssetKind(kind), jobs.FileState(state)
			at[id].Files = append(at[id].Files, f)
			return nil
		})
}

// searchPad ends every text of the search index, see migration 2.
const searchPad = "\n\n"

// told selects the events whose messages are searched, see [jobs.Event.Told].
const told = `(e.kind IN ('ambiguous', 'refused') OR e.to_state = 'lost')`

// toldOf reads the messages of those events of a job.
func (t *tx) toldOf(id string) (text string, err error) {
	err = t.row(`SELECT coalesce(group_concat(message, char(10)), '') FROM (SELECT DISTINCT message FROM job_events e
		WHERE e.job_id = ? AND `+told+`)`, id).Scan(&text)
	return text, err
}

// tells reports whether events bring something to be searched.
func tells(events []jobs.Event) bool {
	return slices.ContainsFunc(events, func(e jobs.Event) bool { return e.Told() != "" })
}

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

var rowSQL = sync.OnceValue(func() string {
	return `SELECT ` + table().Select + `, j.n,
	coalesce((SELECT max(seq) FROM job_exchanges WHERE job_id = j.id), 0),
	coalesce((SELECT sha256 FROM job_answers WHERE n = j.n), ''),
	coalesce((SELECT sha256 FROM job_payloads WHERE job_id = j.id AND kind = 'answer'), ''),
	EXISTS (SELECT 1 FROM job_ids WHERE job_id = j.id AND pos > 0) OR EXISTS (SELECT 1 FROM job_tags WHERE job_id = j.id)
	OR EXISTS (SELECT 1 FROM job_results WHERE job_id = j.id)` + fromJobs + `WHERE j.id = ?`
})

// getRow reads a job that is to be written.
func (t *tx) getRow(id string) (r row, err error) {
	more := false
	r.Work, r.texts, err = table().Scan(t.row(rowSQL(), id), 0,
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
	return w, table().Decode(r.texts, &w.Job)
}

// searchesElse reports whether a change alters the texts by which a job is found. A change that
// keeps the row's draft then gets the whole of it.
func (r *row) searchesElse(c *jobs.Change, texts columns.Texts) (bool, error) {
	if !tells(c.Events) && r.sameText(&c.Job, texts) {
		return false, nil
	}
	was, err := r.work()
	if err != nil {
		return false, err
	}
	if texts[draftText()] == r.texts[draftText()] {
		c.Job.Draft = was.Job.Draft
	}
	return tells(c.Events) || c.Job.SearchTexts() != was.Job.SearchTexts(), nil
}

// sameText reports whether nothing of a job changes that the search looks at.
func (r *row) sameText(j *jobs.Job, texts columns.Texts) bool {
	o := &r.Job
	return r.texts[draftText()] == texts[draftText()] && r.texts[taskErrorText()] == texts[taskErrorText()] &&
		o.Title == j.Title && o.Note == j.Note && o.Remark == j.Remark &&
		o.TaskID == j.TaskID && slices.Equal(o.AltIDs, j.AltIDs) && slices.Equal(o.Tags, j.Tags)
}

// get reads a job within a transaction.
func (t *tx) get(id string) (jobs.Work, error) {
	r, err := t.getRow(id)
	if err != nil {
		return r.Work, err
	}
	return r.work()
}
