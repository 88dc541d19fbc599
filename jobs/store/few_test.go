package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestListByStates: states that few jobs are in, and states of many, list the same jobs in the
// same order, of one profile or of all, and with other filters.
func TestListByStates(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	all := searchChanges()
	states := []jobs.State{jobs.Completed, jobs.Completed, jobs.Completed, jobs.Failed, jobs.Refused}
	for i := range all {
		all[i].Job.State = states[i%len(states)]
		all[i].Job.Profile = []string{"p", "q", "p", "r"}[i%4]
	}
	require.NoError(t, s.Insert(t.Context(), all))
	for _, q := range []jobs.Query{
		{States: []jobs.State{jobs.Failed}},
		{States: []jobs.State{jobs.Failed, jobs.Refused, jobs.Failed}},
		{States: []jobs.State{jobs.Completed, jobs.Failed}, Profile: "p"},
		{States: []jobs.State{jobs.Completed}, Profile: "q", Text: "common"},
		{States: []jobs.State{jobs.Failed}, Text: "common"},
		{States: []jobs.State{jobs.Refused}, Tag: "x"},
		{States: []jobs.State{jobs.Lost}},
		{States: []jobs.State{jobs.Failed}, Profile: "none"},
	} {
		want := []string{}
		for i := len(all) - 1; i >= 0; i-- {
			j := all[i].Job
			ok := (q.Profile == "" || q.Profile == j.Profile) && strings.Contains(j.Draft.Prompt, q.Text) &&
				(q.Tag == "" || len(j.Tags) > 0) && strings.Contains(fmt.Sprint(q.States), string(j.State))
			if ok {
				want = append(want, j.ID)
			}
		}
		for _, m := range []many{usualMany(), {hits: 3, late: 3, terms: 3}} {
			assert.Equal(t, want, pages(t, s, q, m), "%+v, %+v", q, m)
		}
	}
}

// pages lists a query page by page.
func pages(t *testing.T, s *SQLite, q jobs.Query, m many) []string {
	t.Helper()
	got := []string{}
	const limit = 7
	for {
		works, err := s.reader(t.Context()).list(q, limit, m)
		require.NoError(t, err)
		for _, w := range works {
			got = append(got, w.Job.ID)
		}
		if len(works) < limit {
			return got
		}
		q.Before = got[len(got)-1]
	}
}

// TestWholeIDs: a whole id finds its job, and a part of it does too.
func TestWholeIDs(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	var list []jobs.Change
	for i := range 5 {
		c := storetest.Plan(storetest.NewJob("x"))
		c.Job.TaskID, c.Job.AltIDs = fmt.Sprintf("task-0123456789-%d", i), []string{fmt.Sprintf("other-0123456789-%d", i)}
		list = append(list, c)
	}
	list[4].Job.AltIDs = []string{"other-0123456789-0"} // as job 0 has
	require.NoError(t, s.Insert(t.Context(), list))
	for text, want := range map[string][]string{
		list[2].Job.ID:                  {list[2].Job.ID},
		strings.ToUpper(list[2].Job.ID): {list[2].Job.ID},
		list[2].Job.ID[4:]:              {list[2].Job.ID},
		"task-0123456789-1":             {list[1].Job.ID},
		"ask-0123456789-1":              {list[1].Job.ID},
		"other-0123456789-0":            {list[4].Job.ID, list[0].Job.ID},
		"task-0123456789-9":             {},
	} {
		assert.Equal(t, want, pages(t, s, jobs.Query{Text: text}, usualMany()), text)
	}
	assert.Empty(t, pages(t, s, jobs.Query{Text: list[2].Job.ID, Profile: "q"}, usualMany()))
}
