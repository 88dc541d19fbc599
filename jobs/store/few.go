package store

import (
	"slices"
	"strings"

	"darkroom/jobs"
	"darkroom/jobs/store/where"
)

// inStateSQL reads the index jobs_state alone, and for each job the small one of those rejected.
const (
	inStateSQL  = `SELECT id FROM jobs j WHERE profile = ? AND state = ? AND id < ?` + notRejected + ` ORDER BY id DESC LIMIT ?`
	notRejected = ` AND NOT EXISTS (SELECT 1 FROM jobs r INDEXED BY jobs_rejected WHERE r.id = j.id AND r.rejected_at > 0)`
)

// lastID is greater than every id.
const lastID = "~"

// inStates returns the ids of the newest jobs of a query's profile and states, at most limit,
// newest first. Each state is looked up by itself: all at once would be a walk through the
// whole history when these states are rare.
func (t *tx) inStates(q jobs.Query, limit int) (ids []string, err error) {
	profiles := []string{q.Profile}
	if q.Profile == "" {
		if profiles, err = t.profiles(); err != nil {
			return nil, err
		}
	}
	before := q.Before
	if before == "" {
		before = lastID
	}
	query := inStateSQL
	if q.Keeps() != jobs.RejectedOut {
		query = strings.Replace(query, notRejected, ``, 1)
	}
	for _, profile := range profiles {
		for _, state := range q.States {
			err := t.each(query,
				[]any{profile, string(state), before, limit}, func(r scanner) error {
					var id string
					err := r.Scan(&id)
					ids = append(ids, id)
					return err
				})
			if err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	ids = slices.Compact(ids) // a state may be named twice
	return ids[:min(len(ids), limit)], nil
}

// profiles lists those that have jobs, each by one step in the index.
func (t *tx) profiles() (list []string, err error) {
	err = t.each(`WITH RECURSIVE p (x) AS (SELECT min(profile) FROM jobs
		UNION ALL SELECT (SELECT min(profile) FROM jobs WHERE profile > x) FROM p WHERE x IS NOT NULL)
		SELECT x FROM p WHERE x IS NOT NULL`, nil, func(r scanner) error {
		var p string
		err := r.Scan(&p)
		list = append(list, p)
		return err
	})
	return list, err
}

// models lists the first two models that have jobs and match a pattern, see jobs.Query.HasModel;
// each takes one step in the index.
func (t *tx) models(pattern string) (list []string, err error) {
	err = t.each(`WITH RECURSIVE m (x) AS (SELECT min(model) FROM jobs
		UNION ALL SELECT (SELECT min(model) FROM jobs WHERE model > x) FROM m WHERE x IS NOT NULL)
		SELECT x FROM m WHERE x LIKE ? ESCAPE '\' LIMIT 2`, []any{where.Pattern(pattern)}, func(r scanner) error {
		var m string
		err := r.Scan(&m)
		list = append(list, m)
		return err
	})
	return list, err
}

// byStates limits a list to jobs that were looked up by their states, where these are enough
// for the page or are all that there are.
func (t *tx) byStates(l *list, q jobs.Query, limit int, m many) (few bool, err error) {
	if len(q.States) == 0 {
		return false, nil
	}
	plain := q.Plain()
	if !plain {
		limit = m.hits
	}
	ids, err := t.inStates(q, limit)
	if err != nil || !plain && len(ids) == limit {
		return false, err
	}
	ofThese, err := jsonList(ids)
	l.add(theseIDs, ofThese)
	return true, err
}

// byFew limits a list to the jobs that have a time, where these are few enough to be looked up first.
// The texts that are walked through do without.
func (t *tx) byFew(l *list, q jobs.Query, m many) error {
	for _, c := range dialect.Few(&q, millis) {
		var n int
		if err := t.row(`SELECT count(*) FROM (SELECT 1 FROM jobs j WHERE `+c.Cond+` LIMIT ?)`, append(c.Args, m.late)...).Scan(&n); err != nil {
			return err
		}
		if n < m.late {
			l.add(`j.n IN (SELECT j.n FROM jobs j WHERE `+c.Cond+`)`, c.Args...)
		}
	}
	return nil
}

// wholeID is the length in bytes from which a word may be the whole id of a job, a task or a
// request. The search index is slowest at ids of jobs and tasks, since their trigrams are in every
// job's ids; it does not hold those of requests.
const wholeID = 16

// mostOfRequest bounds the jobs that one request id finds: a gateway may give the same to all.
const mostOfRequest = 1000

const (
	byIDSQL      = `SELECT id FROM jobs WHERE id = ?1 UNION SELECT job_id FROM job_ids WHERE ext_id = ?1`
	byRequestSQL = `SELECT DISTINCT job_id FROM job_events WHERE request_id = ? AND request_id <> '' ORDER BY job_id DESC LIMIT ?`
)

// byID returns the jobs that have a word as an id of theirs, or else as that of a request that
// one of their events names.
func (t *tx) byID(word string) (ids []string, err error) {
	if len(word) < wholeID || strings.ContainsAny(word, " \t\n") {
		return nil, nil
	}
	read := func(r scanner) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	}
	if err := t.each(byIDSQL, []any{word}, read); err != nil || len(ids) > 0 {
		return ids, err
	}
	err = t.each(byRequestSQL, []any{word, mostOfRequest}, read)
	return ids, err
}
