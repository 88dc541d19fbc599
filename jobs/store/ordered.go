package store

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/jobs"
	"darkroom/jobs/store/where"
)

// dialect is how this database words what a query asks for.
var dialect = where.Dialect{
	Like:    `LIKE`,
	Code:    `iif(j.error = '', '', coalesce(json_extract(j.error, '$.code'), ''))`,
	Each:    `+`,
	Unsaved: `j.id IN (SELECT job_id FROM job_results WHERE state = 'failed')`,
	Prompt:  `lower(substr(coalesce(json_extract(j.draft, '$.prompt'), ''), 1, 100))`,
}

// listOrdered is List in an order other than the usual one.
func (s *SQLite) listOrdered(t *tx, q jobs.Query, o where.Order, limit int) (jobs.Page, error) {
	var page jobs.Page
	works, keys, err := t.ordered(q, o, limit+1)
	if err == nil && len(works) > limit {
		works = works[:limit]
		page.Next = o.Cursor(works[limit-1].Job.ID, keys[limit-1])
	}
	if err == nil {
		page.Jobs, err = t.jobsOf(works)
	}
	if err != nil {
		return jobs.Page{}, explain(s.path, err)
	}
	return page, nil
}

// ordered reads the first jobs of an order, with their keys: the order is found by ids and keys
// alone, and only the jobs of the page are read.
func (t *tx) ordered(q jobs.Query, o where.Order, limit int) (works []jobs.Work, keys []string, err error) {
	before := q.Before
	q.Before = ""
	l := listing(q)
	if l.from == fromJobs {
		l.from = ` FROM jobs j `
	}
	if err := t.byFew(l, q, usualMany()); err != nil {
		return nil, nil, err
	}
	found, err := t.lookFor(q.Text, usualMany())
	if err != nil {
		return nil, nil, err
	}
	l.addAll(found.also)
	if found.lead.cond != "" {
		l.add(found.lead.cond, found.lead.args...)
	}
	if before != "" {
		c := o.After(before)
		l.add(c.Cond, c.Args...)
	}
	key := `''`
	if o.Key != "" {
		key = o.Key
	}
	at := map[string]int{}
	var ids []string
	err = t.each(l.orderedBy(`j.id, `+key+` AS k`, o.By(`k`)), append(l.args, limit), func(r scanner) error {
		var id, k string
		err := r.Scan(&id, &k)
		at[id] = len(ids)
		ids, keys = append(ids, id), append(keys, k)
		return err
	})
	if err != nil || len(ids) == 0 {
		return nil, nil, err
	}
	these, err := jsonList(ids)
	if err != nil {
		return nil, nil, err
	}
	l = listing(jobs.Query{Rejected: jobs.RejectedToo}) // chosen already
	l.add(theseIDs, these)
	works, err = t.works(l, limit)
	slices.SortFunc(works, func(a, b jobs.Work) int { return cmp.Compare(at[a.Job.ID], at[b.Job.ID]) })
	for i := range works { // some may have been removed meanwhile
		keys[i] = keys[at[works[i].Job.ID]]
	}
	return works, keys, err
}

// orderedBy is the query of a list in an order.
func (l *list) orderedBy(columns, order string) string {
	query := `SELECT ` + columns + l.from
	if len(l.where) > 0 {
		query += `WHERE ` + strings.Join(l.where, ` AND `)
	}
	return query + ` ORDER BY ` + order + ` LIMIT ?`
}
