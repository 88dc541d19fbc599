package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestSearchOfMany: a text that many jobs have is walked through, and finds the same in
// the same order as one that few have, whatever order the jobs were written in.
func TestSearchOfMany(t *testing.T) {
	t.Parallel()
	few := many{hits: 40, late: 40, terms: 60}
	for name, tc := range map[string]struct{ swaps, reach, late int }{
		"as other processes would": {10, 2, few.hits - 1},
		"as imports would":         {30, searchJobs, searchJobs},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes := searchChanges()
			rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same jobs again
			for range tc.swaps {
				a := rnd.IntN(searchJobs)
				b := (a + 1 + rnd.IntN(tc.reach)) % searchJobs
				if tc.reach > 2 || b > a {
					changes[a], changes[b] = changes[b], changes[a]
				}
			}
			s := openTest(t)
			require.NoError(t, s.Insert(t.Context(), changes))
			var late int
			require.NoError(t, s.reader(t.Context()).row(`SELECT count(*) FROM jobs WHERE late = 1`).Scan(&late))
			require.Positive(t, late)
			require.LessOrEqual(t, late, tc.late)
			require.Equal(t, tc.late == searchJobs, late >= few.hits, late)
			checkSearch(t, s, changes, few)
			checkSearch(t, s, changes, many{hits: few.hits, late: few.late, terms: 1 << 20})
		})
	}
}

const searchJobs = 120

// searchChanges are jobs in the order of their ids, most of which have a text in common.
func searchChanges() []jobs.Change {
	changes := make([]jobs.Change, searchJobs)
	for i := range changes {
		j := storetest.NewJob("common 共同 text")
		j.ID = fmt.Sprintf("%s-7000-8000-%012x", idAt(storetest.Base.Add(time.Duration(i) * time.Second))[:13], i)
		if i%5 == 0 {
			j.State = jobs.Failed
		}
		if i%7 == 0 {
			j.Tags = []string{"x"}
		}
		if i%11 == 0 {
			j.Draft.Prompt = "another"
		}
		if i%10 == 1 {
			j.Draft.Prompt += " rare 稀"
		}
		changes[i] = storetest.Plan(j)
	}
	return changes
}

// checkSearch compares searches with what the jobs say.
func checkSearch(t *testing.T, s *SQLite, changes []jobs.Change, few many) {
	t.Helper()
	slices.SortFunc(changes, func(a, b jobs.Change) int { return strings.Compare(b.Job.ID, a.Job.ID) })
	for _, text := range []string{"common", "om"} {
		f, err := s.reader(t.Context()).lookFor(text, few)
		require.NoError(t, err)
		require.True(t, f.walk || strings.Contains(f.lead.cond, "LIKE"), "these are many")
	}
	for _, q := range []jobs.Query{
		{Text: "common"}, {Text: "COMMON", States: []jobs.State{jobs.Failed}}, {Text: "common", Tag: "x"},
		{Text: "共同"}, {Text: `"共同 t"`}, {Text: "om"}, {Text: "m", Tag: "x"}, {Text: "nowhere"},
		{Text: "text common"}, {Text: "text 同"}, {Text: "ex om"}, {Text: "no text"}, {Text: "同 ex om common"},
		{Text: "common txet"}, {Text: "text rare"}, {Text: "稀 common"}, {Text: "稀 om", States: []jobs.State{jobs.Failed}},
		{Text: "text common om", Tag: "x"}, {Text: "rare 稀 te"}, {Text: "ommo 同", States: []jobs.State{jobs.Failed}},
	} {
		want := []string{}
		for _, c := range changes {
			j := c.Job
			if jobs.HasWords(jobs.SearchWords(q.Text), j.Draft.Prompt) && (q.Tag == "" || slices.Contains(j.Tags, q.Tag)) &&
				(q.States == nil || slices.Contains(q.States, j.State)) {
				want = append(want, j.ID)
			}
		}
		got := []string{}
		const limit = 17
		for {
			works, err := s.reader(t.Context()).list(q, limit, few)
			require.NoError(t, err)
			for _, w := range works {
				got = append(got, w.Job.ID)
			}
			if len(works) < limit {
				break
			}
			q.Before = got[len(got)-1]
		}
		assert.Equal(t, want, got, "%+v", q)
	}
}
