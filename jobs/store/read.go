package store

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"darkroom/jobs"
)

// pageSize is the number of jobs of a page when the query names none.
const pageSize = 50

// maxPage bounds a page.
const maxPage = 10000

// Get implements jobs.Store.
func (s *SQLite) Get(ctx context.Context, id string) (jobs.Work, error) {
	w, err := s.reader(ctx).get(id)
	return w, explain(s.path, err)
}

// List implements jobs.Store, by keyset: a page costs the same wherever it lies.
func (s *SQLite) List(ctx context.Context, q jobs.Query) (jobs.Page, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = pageSize
	}
	limit = min(limit, maxPage)
	where, args := conditions(q)
	query := `SELECT ` + jobColumns + fromJobs
	if len(where) > 0 {
		query += `WHERE ` + strings.Join(where, ` AND `)
	}
	query += ` ORDER BY j.id DESC LIMIT ?`
	t := s.reader(ctx)
	var works []jobs.Work
	err := t.each(query, append(args, limit+1), func(r scanner) error {
		w, err := scanWork(r)
		works = append(works, w)
		return err
	})
	if err != nil {
		return jobs.Page{}, explain(s.path, err)
	}
	page := jobs.Page{Jobs: []jobs.Job{}}
	if len(works) > limit {
		works = works[:limit]
		page.Next = works[limit-1].Job.ID
	}
	if err := t.complete(works); err != nil {
		return jobs.Page{}, explain(s.path, err)
	}
	for _, w := range works {
		page.Jobs = append(page.Jobs, w.Job)
	}
	return page, nil
}

// conditions makes the WHERE of a query. Its shapes are few, so that the statements stay
// prepared.
func conditions(q jobs.Query) (where []string, args []any) {
	add := func(cond string, a ...any) {
		where = append(where, cond)
		args = append(args, a...)
	}
	if q.Profile != "" {
		add(`j.profile = ?`, q.Profile)
	}
	if n := len(q.States); n > 0 {
		marks := make([]string, n)
		for i, st := range q.States {
			marks[i] = "?"
			args = append(args, string(st))
		}
		where = append(where, `j.state IN (`+strings.Join(marks, `, `)+`)`)
	}
	if q.Model != "" {
		add(`j.model = ?`, q.Model)
	}
	if q.Modality != "" {
		add(`j.modality = ?`, string(q.Modality))
	}
	if q.Group != "" {
		add(`j.grp = ? AND j.grp <> ''`, q.Group)
	}
	if q.TaskID != "" {
		add(`(j.id = ? OR j.id IN (SELECT job_id FROM job_ids WHERE ext_id = ?))`, q.TaskID, q.TaskID)
	}
	if q.Text != "" {
		cond, a := textCondition(q.Text)
		add(cond, a...)
	}
	if q.Before != "" {
		add(`j.id < ?`, q.Before)
	}
	return where, args
}

// textCondition asks the trigram index, which needs three characters; shorter texts, as
// two Chinese characters, are looked for row by row.
func textCondition(text string) (string, []any) {
	if utf8.RuneCountInString(text) >= 3 && !strings.ContainsRune(text, 0) {
		phrase := `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		return `j.n IN (SELECT rowid FROM jobs_fts(?))`, []any{phrase}
	}
	like := `%` + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + `%`
	columns := []string{`json_extract(j.draft, '$.prompt')`, `j.id`, `j.title`, `j.error`, `j.note`}
	cond := make([]string, len(columns))
	args := make([]any, len(columns)+1)
	for i, c := range columns {
		cond[i] = c + ` LIKE ? ESCAPE '\'`
		args[i] = like
	}
	args[len(columns)] = like
	return `(` + strings.Join(cond, ` OR `) + ` OR EXISTS (SELECT 1 FROM job_ids i
		WHERE i.job_id = j.id AND i.ext_id LIKE ? ESCAPE '\'))`, args
}

// Detail implements jobs.Store.
func (s *SQLite) Detail(ctx context.Context, id string) (jobs.Detail, error) {
	t := s.reader(ctx)
	w, err := t.get(id)
	if err != nil {
		return jobs.Detail{}, explain(s.path, err)
	}
	d := jobs.Detail{Job: w.Job}
	err = t.each(`SELECT at, kind, from_state, to_state, raw_status, http_status, request_id, message, payload
		FROM job_events WHERE job_id = ? ORDER BY seq`, []any{id}, func(r scanner) error {
		var e jobs.Event
		var at int64
		var kind, from, to string
		err := r.Scan(&at, &kind, &from, &to, &e.RawStatus, &e.HTTPStatus, &e.RequestID, &e.Message, &e.PayloadSHA)
		e.At, e.Kind, e.From, e.To = fromMillis(at), jobs.EventKind(kind), jobs.State(from), jobs.State(to)
		d.Events = append(d.Events, e)
		return err
	})
	if err != nil {
		return d, explain(s.path, err)
	}
	for _, p := range []struct {
		kind jobs.PayloadKind
		into *[]byte
	}{{jobs.PayloadRequest, &d.Request}, {jobs.PayloadAnswer, &d.Answer}} {
		body, err := t.payload(id, p.kind)
		if err != nil && !errors.Is(err, jobs.ErrNotFound) {
			return d, explain(s.path, err)
		}
		*p.into = body
	}
	return d, nil
}

// Marks implements jobs.Store.
func (s *SQLite) Marks(ctx context.Context, profile string) ([]jobs.Mark, int64, error) {
	t := s.reader(ctx)
	// The counter first: what changes between the two reads is seen again by Since.
	var rev int64
	if err := t.row(`SELECT value FROM counters WHERE name = 'rev'`).Scan(&rev); err != nil {
		return nil, 0, explain(s.path, err)
	}
	var marks []jobs.Mark
	err := t.each(`SELECT id, state FROM jobs WHERE profile = ?
		AND state IN ('planned', 'submitting', 'ambiguous', 'queued', 'running', 'unknown')`, []any{profile},
		func(r scanner) error {
			var m jobs.Mark
			var state string
			err := r.Scan(&m.ID, &state)
			m.State = jobs.State(state)
			marks = append(marks, m)
			return err
		})
	return marks, rev, explain(s.path, err)
}

// Since implements jobs.Store.
func (s *SQLite) Since(ctx context.Context, rev int64) ([]jobs.Work, int64, error) {
	t := s.reader(ctx)
	newest := rev
	var works []jobs.Work
	err := t.each(`SELECT `+jobColumns+fromJobs+`WHERE j.rev > ? ORDER BY j.rev, j.id`, []any{rev},
		func(r scanner) error {
			w, err := scanWork(r)
			works = append(works, w)
			newest = max(newest, w.Rev)
			return err
		})
	if err != nil {
		return nil, rev, explain(s.path, err)
	}
	return works, newest, explain(s.path, t.complete(works))
}
