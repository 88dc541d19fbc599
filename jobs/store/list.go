package store

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"darkroom/jobs"
	"darkroom/jobs/store/where"
)

// pageSize is the number of jobs of a page when the query names none.
const pageSize = 50

// roomAhead is how many jobs are made room for before they are read: a page that grows row by row takes
// three times as much memory.
const roomAhead = 256

// maxPage bounds a page.
const maxPage = 10000

// List implements jobs.Store, by keyset: a page costs the same wherever it lies.
func (s *SQLite) List(ctx context.Context, q jobs.Query) (jobs.Page, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = pageSize
	}
	limit = min(limit, maxPage)
	q = starTag(q)
	t := s.reader(ctx)
	if o := dialect.OrderOf(q.Sort); !o.Plain() {
		return s.listOrdered(t, q, o, limit)
	}
	works, err := t.list(q, limit+1, usualMany())
	if err != nil {
		return jobs.Page{}, explain(s.path, err)
	}
	var page jobs.Page
	if len(works) > limit {
		works = works[:limit]
		page.Next = works[limit-1].Job.ID
	}
	if page.Jobs, err = t.jobsOf(works); err != nil {
		return jobs.Page{}, explain(s.path, err)
	}
	return page, nil
}

// jobsOf are the jobs of what was read, with their ids, tags and files.
func (t *tx) jobsOf(works []jobs.Work) ([]jobs.Job, error) {
	out := make([]jobs.Job, len(works))
	err := t.complete(works)
	for i := range works {
		out[i] = works[i].Job
	}
	return out, err
}

// starTag makes the star the tag whose index is walked, where the query asks for no other.
func starTag(q jobs.Query) jobs.Query {
	if q.Starred && (q.Tag == "" || q.Tag == jobs.Star) {
		q.Tag, q.Starred = jobs.Star, false
	}
	return q
}

// list reads the newest jobs of a query. A text that many jobs have is walked through from
// the newest on; one that few have, is found as a whole, as are states that few jobs are in.
func (t *tx) list(q jobs.Query, limit int, m many) ([]jobs.Work, error) {
	if q.AnyModel() {
		models, err := t.models(q.Model)
		switch {
		case err != nil || len(models) == 0:
			return nil, err
		case len(models) == 1: // by its index
			q.Model = models[0]
		}
	}
	l := listing(q)
	if err := t.byFew(l, q, m); err != nil {
		return nil, err
	}
	few, err := t.byStates(l, q, limit, m)
	if err != nil {
		return nil, err
	}
	found, err := t.lookFor(q.Text, m)
	if err != nil {
		return nil, err
	}
	l.addAll(found.also)
	switch {
	case found.lead.cond == "":
	case few && found.walk:
		l.addAll(found.one)
	case found.walk && q.Tag == "":
		return t.walk(q, found, limit, m)
	default:
		l.add(found.lead.cond, found.lead.args...)
		return t.sorted(l, limit)
	}
	return t.works(l, limit)
}

// sorted reads the newest of jobs that are found in no order: these are sorted by their ids
// alone, and only those of the page are read.
func (t *tx) sorted(l *list, limit int) ([]jobs.Work, error) {
	var ids []string
	err := t.each(l.queryOf(`j.id`), append(l.args, limit), func(r scanner) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	these, err := jsonList(ids)
	if err != nil {
		return nil, err
	}
	l = listing(jobs.Query{Rejected: jobs.RejectedToo}) // chosen already
	l.add(theseIDs, these)
	return t.works(l, limit)
}

// walk goes through what was found from its newest row on, which is the order of ids for all
// but those that were written late; these are looked at one by one.
func (t *tx) walk(q jobs.Query, found textSearch, limit int, m many) ([]jobs.Work, error) {
	walk := t.walkIndex
	if found.phrase == "" {
		walk = t.walkTerms
	}
	works, err := walk(q, found, limit)
	if err != nil {
		return nil, err
	}
	var n int
	err = t.row(`SELECT count(*) FROM (SELECT 1 FROM jobs INDEXED BY jobs_late WHERE late = 1 LIMIT ?)`, m.late).Scan(&n)
	if err != nil || n == 0 {
		return works, err
	}
	l := listing(q)
	l.from = ` FROM jobs j INDEXED BY jobs_late CROSS JOIN job_polls p ON p.job_id = j.id `
	l.add(`j.late = 1`)
	if n < m.late {
		l.addAll(found.one)
	} else {
		l.add(found.lead.cond, found.lead.args...)
	}
	l.addAll(found.also)
	late, err := t.works(l, limit)
	if err != nil {
		return nil, err
	}
	works = append(works, late...)
	slices.SortFunc(works, func(a, b jobs.Work) int { return strings.Compare(b.Job.ID, a.Job.ID) })
	return works[:min(len(works), limit)], nil
}

// walkIndex has the search index go from row to row.
func (t *tx) walkIndex(q jobs.Query, found textSearch, limit int) ([]jobs.Work, error) {
	l := listing(q)
	l.from = ` FROM jobs_fts(?) f CROSS JOIN jobs j ON j.n = f.rowid CROSS JOIN job_polls p ON p.job_id = j.id `
	l.order = `f.rowid`
	l.args = append([]any{found.phrase}, l.args...)
	l.add(`j.late = 0`)
	l.addAll(found.also)
	if q.Before != "" {
		l.add(`f.rowid <= (`+rowBefore+`)`, q.Before)
	}
	return t.works(l, limit)
}

// rowBefore is the newest row in order that lies before an id; 0 for none.
const rowBefore = `SELECT coalesce(max(n), 0) FROM (SELECT n FROM jobs WHERE late = 0 AND id < ? ORDER BY id DESC LIMIT 1)`

// walkTerms takes the rows of a short text, which come in the order of what follows it, in
// portions that grow: of a few newest ones most are on the page, unless a filter is narrow.
func (t *tx) walkTerms(q jobs.Query, found textSearch, limit int) (works []jobs.Work, err error) {
	below := int64(math.MaxInt64)
	if q.Before != "" {
		if err := t.row(rowBefore, q.Before).Scan(&below); err != nil {
			return nil, err
		}
		below++
	}
	for portion := 2 * limit; len(works) < limit; portion *= 8 {
		var rows []int64
		err := t.each(`SELECT DISTINCT doc FROM jobs_terms WHERE term >= ? AND term < ? AND doc < ? ORDER BY doc DESC LIMIT ?`,
			append(found.lead.args[:2:2], below, portion), func(r scanner) error {
				err := r.Scan(&below)
				rows = append(rows, below)
				return err
			})
		if err != nil || len(rows) == 0 {
			return works, err
		}
		list, err := json.Marshal(rows)
		if err != nil {
			return nil, err
		}
		l := listing(q)
		l.order = `j.n`
		l.add(`j.late = 0 AND j.n IN (SELECT value FROM json_each(?))`, string(list))
		l.addAll(found.also)
		more, err := t.works(l, limit-len(works))
		works = append(works, more...)
		if err != nil || len(rows) < portion {
			return works, err
		}
	}
	return works, nil
}

func (t *tx) works(l *list, limit int) (works []jobs.Work, err error) {
	works = make([]jobs.Work, 0, min(limit, roomAhead))
	err = t.each(l.query(), append(l.args, limit), func(r scanner) error {
		w, err := scanWork(r)
		works = append(works, w)
		return err
	})
	return works, err
}

// list is a query for jobs in the making. Its shapes are few, so that the statements stay
// prepared.
type list struct {
	from, order string
	where       []string
	args        []any
}

func (l *list) add(cond string, args ...any) {
	l.where = append(l.where, cond)
	l.args = append(l.args, args...)
}

func (l *list) addAll(clauses []clause) {
	for _, c := range clauses {
		l.add(c.cond, c.args...)
	}
}

func (l *list) query() string { return l.queryOf(table().List) }

func (l *list) queryOf(columns string) string {
	return l.orderedBy(columns, l.order+` DESC`)
}

// theseIDs limits a list to the ids of a list as JSON.
const theseIDs = `j.id IN (SELECT value FROM json_each(?))`

// listing walks the jobs by their ids, or those of one tag by the tag's index. The text is
// left to the caller.
func listing(q jobs.Query) *list {
	l := &list{from: fromJobs, order: `j.id`}
	if q.Tag != "" {
		l.from = ` FROM job_tags g CROSS JOIN jobs j ON j.id = g.job_id CROSS JOIN job_polls p ON p.job_id = j.id `
		l.order = `g.job_id`
		l.add(`g.tag = ?`, q.Tag)
	}
	if q.Starred {
		l.add(`EXISTS (SELECT 1 FROM job_tags s WHERE s.job_id = j.id AND s.tag = ?)`, jobs.Star)
	}
	if q.Profile != "" {
		l.add(`j.profile = ?`, q.Profile)
	}
	if n := len(q.States); n > 0 {
		marks := make([]string, n)
		args := make([]any, n)
		for i, st := range q.States {
			marks[i], args[i] = "?", string(st)
		}
		l.add(`j.state IN (`+strings.Join(marks, `, `)+`)`, args...)
	}
	switch {
	case q.AnyModel(): // of several models, without their index, which would have to be sorted
		l.add(`+j.model LIKE ? ESCAPE '\'`, where.Pattern(q.Model))
	case q.Model != "":
		l.add(`j.model = ?`, q.Model)
	}
	if q.Modality != "" {
		l.add(`j.modality = ?`, string(q.Modality))
	}
	if q.Group != "" {
		l.add(`j.grp = ? AND j.grp <> ''`, q.Group)
	}
	if q.Run != "" {
		l.add(`j.run = ? AND j.run <> ''`, q.Run)
	}
	if q.TaskID != "" {
		l.add(`(j.id = ? OR j.id IN (SELECT job_id FROM job_ids WHERE ext_id = ?))`, q.TaskID, q.TaskID)
	}
	if q.Parent != "" {
		l.add(`j.id IN (SELECT job_id FROM job_parents WHERE parent = ?)`, q.Parent)
	}
	for _, c := range dialect.Of(&q, millis) {
		l.add(c.Cond, c.Args...)
	}
	if q.Before != "" {
		l.add(l.order+` < ?`, q.Before)
	}
	return l
}
