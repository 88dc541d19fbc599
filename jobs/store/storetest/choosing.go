package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// aged is a job made after Base by after, which took took; 0 for one that has not ended.
func aged(prompt string, after, took time.Duration) jobs.Job {
	j := NewJob(prompt)
	j.CreatedAt = Base.Add(after)
	j.UpdatedAt = j.CreatedAt
	if took > 0 {
		j.State, j.SubmittedAt, j.AcceptedAt = jobs.Completed, j.CreatedAt, j.CreatedAt
		j.EndedAt = j.CreatedAt.Add(took)
		j.UpdatedAt = j.EndedAt
	}
	return j
}

func testTimesAndCodes(t *testing.T, s jobs.Store) {
	a, b, c, d := aged("a", 0, 0), aged("b", time.Hour, time.Minute), aged("c", 2*time.Hour, 10*time.Minute), aged("d", 3*time.Hour, 0)
	b.State, b.Error = jobs.Failed, &client.TaskError{Code: "Rate_Limited", Message: `it said "code":"E-9" \u0000` + "\x00"}
	c.State, c.Error = jobs.Refused, &client.TaskError{Message: "429 of them"}
	a.State, d.State, d.Paused = jobs.Running, jobs.Running, true
	of := Plan(c)
	of.Events = append(of.Events, jobs.Event{At: Base, Kind: jobs.EventRefused, To: jobs.Refused, HTTPStatus: 429})
	fine := Plan(a)
	fine.Events = append(fine.Events, jobs.Event{At: Base, Kind: jobs.EventAccepted, To: jobs.Running, HTTPStatus: 201})
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{fine, Plan(b), of, Plan(d)}))
	name := map[string]string{a.ID: "a", b.ID: "b", c.ID: "c", d.ID: "d"}
	at := func(h float64) time.Time { return Base.Add(time.Duration(h * float64(time.Hour))) }
	for text, tc := range map[string]struct {
		q    jobs.Query
		want string
	}{
		"since":         {jobs.Query{Since: at(1)}, "dcb"},
		"until":         {jobs.Query{Until: at(1)}, "a"},
		"between":       {jobs.Query{Since: at(0.5), Until: at(2.5)}, "cb"},
		"ended since":   {jobs.Query{EndedSince: at(1.1)}, "c"},
		"ended until":   {jobs.Query{EndedUntil: at(1.1)}, "b"},
		"ended between": {jobs.Query{EndedSince: at(1), EndedUntil: at(4)}, "cb"},
		"took over":     {jobs.Query{TookOver: time.Minute}, "c"},
		"took under":    {jobs.Query{TookUnder: 10 * time.Minute}, "b"},
		"took between":  {jobs.Query{TookOver: time.Second, TookUnder: time.Hour}, "cb"},
		"code":          {jobs.Query{Codes: []string{"rate_limited"}}, "b"},
		"code begins":   {jobs.Query{Codes: []string{"RATE*"}}, "b"},
		"in a message":  {jobs.Query{Codes: []string{"E-9"}}, ""},
		"no wildcard":   {jobs.Query{Codes: []string{"rate%"}}, ""},
		"status":        {jobs.Query{Codes: []string{"429"}}, "c"},
		"status begins": {jobs.Query{Codes: []string{"4*"}}, "c"},
		"no failure":    {jobs.Query{Codes: []string{"201"}}, ""},
		"either":        {jobs.Query{Codes: []string{"429", "rate_limited"}}, "cb"},
		"code + state":  {jobs.Query{Codes: []string{"4*", "r*"}, States: []jobs.State{jobs.Failed}}, "b"},
		"code + text":   {jobs.Query{Codes: []string{"4*", "r*"}, Text: "of them"}, "c"},
		"still":         {jobs.Query{Still: at(2)}, "a"},
		"still, later":  {jobs.Query{Still: at(-1)}, ""},
		"not a code":    {jobs.Query{Not: jobs.Not{Codes: []string{"rate*"}}}, "dca"},
		"not a status":  {jobs.Query{Not: jobs.Not{Codes: []string{"429"}}}, "dba"},
		"not these":     {jobs.Query{Not: jobs.Not{Codes: []string{"4*", "rate_limited"}}}, "da"},
		"not a success": {jobs.Query{Not: jobs.Not{Codes: []string{"201"}}}, "dcba"},
		"one, not both": {jobs.Query{Codes: []string{"4*", "rate*"}, Not: jobs.Not{Codes: []string{"429"}}}, "b"},
	} {
		got := ""
		for _, id := range ids(t, s, tc.q) {
			got += name[id]
		}
		assert.Equal(t, tc.want, got, text)
	}
}

func testLeftOut(t *testing.T, s jobs.Store) {
	a, b, c := rich(), NewJob("b"), NewJob("c")
	a.Tags = []string{"kept", "ours"}
	b.Draft.Model, b.Draft.Modality, b.State = "famL", client.Image, jobs.Failed
	c.Profile, c.Tags, c.Observed = "q", []string{"kept"}, true
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(a), Plan(b), Plan(c)}))
	for text, tc := range map[string]struct {
		q    jobs.Query
		want []string
	}{
		"states":        {jobs.Query{Not: jobs.Not{States: []jobs.State{jobs.Failed, jobs.Completed}}}, []string{c.ID}},
		"tag":           {jobs.Query{Not: jobs.Not{Tags: []string{"ours"}}}, []string{c.ID, b.ID}},
		"tags":          {jobs.Query{Not: jobs.Not{Tags: []string{"ours", "kept"}}}, []string{b.ID}},
		"one of tags":   {jobs.Query{Tag: "kept", Not: jobs.Not{Tags: []string{"ours"}}}, []string{c.ID}},
		"model":         {jobs.Query{Not: jobs.Not{Models: []string{"famL"}}}, []string{c.ID, a.ID}},
		"models":        {jobs.Query{Not: jobs.Not{Models: []string{"FAMa*"}}}, []string{b.ID}},
		"no wildcard":   {jobs.Query{Not: jobs.Not{Models: []string{"fam_*"}}}, []string{c.ID, b.ID, a.ID}},
		"kind":          {jobs.Query{Not: jobs.Not{Modalities: []client.Modality{client.Video}}}, []string{b.ID}},
		"profile":       {jobs.Query{Not: jobs.Not{Profiles: []string{"p"}}}, []string{c.ID}},
		"group":         {jobs.Query{Not: jobs.Not{Groups: []string{"g"}}}, []string{c.ID, b.ID}},
		"observed":      {jobs.Query{Not: jobs.Not{Observed: true}}, []string{b.ID, a.ID}},
		"observed ones": {jobs.Query{Observed: true}, []string{c.ID}},
		"with a state":  {jobs.Query{States: []jobs.State{jobs.Completed, jobs.Planned}, Not: jobs.Not{Profiles: []string{"q"}}}, []string{a.ID}},
		"with a text":   {jobs.Query{Text: "red kite", Not: jobs.Not{Tags: []string{"best"}}}, []string{a.ID}},
	} {
		assert.Equal(t, tc.want, ids(t, s, tc.q), text)
	}
}

// testUnsaved: a completed job with a file that could not be saved, and no other, also with a state,
// in another order and page by page.
func testUnsaved(t *testing.T, s jobs.Store) {
	var changes []jobs.Change
	var all []jobs.Job
	for i, state := range []jobs.State{jobs.Completed, jobs.Completed, jobs.Completed, jobs.Failed, jobs.Completed} {
		j := NewJob("famA")
		j.State = state
		j.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileSaved, Total: -1}, {Index: 1, Kind: client.AssetCover, State: jobs.FileFailed, Total: -1, Error: "404"}}
		if i == 1 {
			j.Files = j.Files[:1]
		}
		if i == 2 {
			j.Files = nil
			j.Draft.Prompt = `"state":"failed"`
		}
		all, changes = append(all, j), append(changes, Plan(j))
	}
	require.NoError(t, s.Insert(t.Context(), changes))
	want := []string{all[4].ID, all[0].ID}
	q := jobs.Query{Unsaved: true}
	assert.Equal(t, want, ids(t, s, q))
	q.States = []jobs.State{jobs.Completed, jobs.Failed}
	assert.Equal(t, want, ids(t, s, q))
	q.Sort, q.Limit = jobs.Sort{Down: true}, 1
	assert.Equal(t, want[1:], ids(t, s, q))
	q.Before = want[1]
	assert.Equal(t, want[:1], ids(t, s, q))
}

// testOrders walks through every order, up, down and from the end, in pages of each size: all jobs come, each once
// and in the order that the reference has.
func testOrders(t *testing.T, s jobs.Store) {
	like, ctx := NewMem(), t.Context()
	var changes []jobs.Change
	for i, model := range []string{"famB", "famA", "famB", "fama", "famC", "famA", "famB"} {
		j := aged([]string{"zebra", "Apple", "mist", "apple pie", "", "mist", "10 kites"}[i], time.Duration(i)*time.Minute,
			[]time.Duration{0, time.Hour, time.Minute, time.Minute, 0, time.Second, 2 * time.Hour}[i])
		j.Draft.Model, j.Draft.Modality, j.Profile = model, client.Modalities()[i%3], []string{"q", "p"}[i%2]
		j.Progress = []float64{50, -1, 12.5, 100, 0, -1, 12.5}[i]
		j.Tags = [][]string{{"kept"}, nil}[i%2]
		changes = append(changes, Plan(j))
	}
	require.NoError(t, s.Insert(ctx, changes))
	require.NoError(t, like.Insert(ctx, changes))
	for _, by := range jobs.SortsBy() {
		for way := range 4 {
			for _, q := range []jobs.Query{{}, {Tag: "kept"}, {Text: "mist"}, {Model: "fam*", States: []jobs.State{jobs.Completed, jobs.Planned}}, {Profile: "p"}} {
				q.Sort = jobs.Sort{By: by, Down: way&1 > 0}
				forth := ids(t, like, q)
				q.Sort.Back = way&2 > 0
				want := ids(t, like, q)
				require.NotEmpty(t, want)
				if q.Sort.Back {
					slices.Reverse(forth)
				}
				assert.Equal(t, forth, want, "%+v", q.Sort)
				assert.Equal(t, want, ids(t, s, q), "%+v", q.Sort)
				for size := range 3 {
					q := q
					q.Limit = size + 1
					var got []string
					for len(got) <= len(want) {
						p, err := s.List(ctx, q)
						require.NoError(t, err)
						for _, j := range p.Jobs {
							got = append(got, j.ID)
						}
						if q.Before = p.Next; q.Before == "" {
							break
						}
					}
					assert.Equal(t, want, got, "%+v in pages of %d", q.Sort, q.Limit)
				}
				q.Before = want[0]
				assert.Equal(t, want[1:], append([]string{}, ids(t, s, q)...), "%+v behind a job's id", q.Sort)
			}
		}
	}
}
