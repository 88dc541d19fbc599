package store

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestQueryPlans: what runs often or on a whole history uses an index, never a scan of a
// table that grows.
func TestQueryPlans(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	list := func(q jobs.Query) (string, int) {
		l := listing(q)
		if q.Text != "" {
			f, err := s.reader(t.Context()).lookFor(q.Text, usualMany())
			require.NoError(t, err)
			l.add(f.lead.cond, f.lead.args...)
			l.addAll(f.also)
		}
		return l.query(), len(l.args) + 1
	}
	these := listing(jobs.Query{Profile: "p", States: []jobs.State{jobs.Failed}})
	these.add(theseIDs, "[]")
	queries := map[string]int{
		claimable:     7,
		these.query(): len(these.args) + 1,
		`SELECT 1 FROM job_events WHERE payload = ?1 AND payload <> ''`:              1,
		`SELECT 1 FROM job_payloads WHERE sha256 = ?1`:                               1,
		`SELECT DISTINCT lease_owner FROM job_polls WHERE lease_owner <> ''`:         0,
		`SELECT ` + table().List + fromJobs + `WHERE j.rev > ? ORDER BY j.rev, j.id`: 1,
		pastSQL:    4,
		rowSQL():   1,
		inStateSQL: 4,
		byIDSQL:    1, byRequestSQL: 2,
		`SELECT id, state FROM jobs WHERE profile = ? AND state IN ('planned', 'running')`: 1,
	}
	for _, c := range dialect.Few(&jobs.Query{Since: storetest.Base, Until: storetest.Base, EndedSince: storetest.Base, TookOver: 1, TookUnder: 1}, millis) {
		l := listing(jobs.Query{})
		l.add(`j.n IN (SELECT j.n FROM jobs j WHERE `+c.Cond+`)`, c.Args...)
		queries[`SELECT count(*) FROM (SELECT 1 FROM jobs j WHERE `+c.Cond+` LIMIT ?)`] = len(c.Args) + 1
		queries[l.query()] = len(l.args) + 1
	}
	for _, q := range []jobs.Query{
		{Codes: []string{"429"}}, {Codes: []string{"429", "a*"}, Before: "x"}, {Since: storetest.Base}, {TookOver: 1}, {Not: jobs.Not{Tags: []string{"t"}, Codes: []string{"c"}}},
		{}, {Profile: "p"}, {Model: "m"}, {Group: "g"}, {Run: "r"}, {Run: "r", Before: "x"}, {TaskID: "t"}, {Text: "three"}, {Text: "风筝"}, {Text: "three four 风筝"}, {Before: "x"},
		{Parent: "p"}, {Parent: "p", Before: "x"},
		{Tag: "t"}, {Tag: "t", Starred: true}, {Tag: "t", Before: "x", States: []jobs.State{jobs.Failed}},
	} {
		query, n := list(q)
		queries[query] = n
	}
	for query, n := range queries {
		args := make([]any, n)
		for i := range args {
			args[i] = "1"
		}
		var plan []string
		rows, err := s.readDB.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
		require.NoError(t, err, query)
		for rows.Next() {
			var id, parent, x int
			var detail string
			require.NoError(t, rows.Scan(&id, &parent, &x, &detail))
			plan = append(plan, detail)
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
		for _, step := range plan {
			bare := strings.HasPrefix(step, "SCAN ") && !strings.HasPrefix(step, "SCAN (subquery") && !strings.Contains(step, "USING") && !strings.Contains(step, "VIRTUAL TABLE")
			assert.False(t, bare, "%s\n%s", query, strings.Join(plan, "\n"))
			byID := !strings.Contains(query, theseIDs) || !strings.HasPrefix(step, "SEARCH j ") || strings.Contains(step, "id=?")
			assert.True(t, byID, "%s\n%s", query, strings.Join(plan, "\n"))
			if strings.Contains(query, "LIMIT") && !found(query) {
				assert.NotContains(t, step, "TEMP B-TREE FOR ORDER BY", "%s\n%s", query, strings.Join(plan, "\n"))
			}
		}
	}
}

// found reports whether a query sorts what an index of ids or texts found.
func found(query string) bool {
	return strings.Contains(query, "ext_id = ?") || strings.Contains(query, "jobs_fts") || strings.Contains(query, "jobs_terms") ||
		strings.Contains(query, theseIDs) || strings.Contains(query, `j.n IN (`) || strings.Contains(query, `job_events e`)
}
