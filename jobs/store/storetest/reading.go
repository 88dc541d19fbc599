package storetest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func testPaging(t *testing.T, s jobs.Store) {
	list := insert(t, s, 23)
	var got []string
	q := jobs.Query{Limit: 5}
	for pages := 0; ; pages++ {
		require.Less(t, pages, 6)
		p, err := s.List(t.Context(), q)
		require.NoError(t, err)
		require.LessOrEqual(t, len(p.Jobs), 5)
		for _, j := range p.Jobs {
			got = append(got, j.ID)
		}
		if p.Next == "" {
			break
		}
		if pages == 1 { // newer jobs do not shift the pages
			insert(t, s, 2)
		}
		q.Before = p.Next
	}
	require.Len(t, got, 23)
	for i := range got {
		assert.Equal(t, list[22-i].ID, got[i])
	}
	p, err := s.List(t.Context(), jobs.Query{Limit: 25})
	require.NoError(t, err)
	assert.Empty(t, p.Next, "a page that takes the last one has no next")
}

func testFilters(t *testing.T, s jobs.Store) {
	a, b, c := rich(), NewJob("b"), NewJob("c")
	b.Draft.Model, b.Draft.Modality, b.State = "famL", client.Image, jobs.Failed
	c.Profile = "q"
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(a), Plan(b), Plan(c)}))
	for name, tc := range map[string]struct {
		q    jobs.Query
		want []string
	}{
		"all":          {jobs.Query{}, []string{c.ID, b.ID, a.ID}},
		"state":        {jobs.Query{States: []jobs.State{jobs.Failed, jobs.Completed}}, []string{b.ID, a.ID}},
		"model":        {jobs.Query{Model: "famL"}, []string{b.ID}},
		"begins":       {jobs.Query{Model: "faML*"}, []string{b.ID}},
		"ends":         {jobs.Query{Model: "*a3"}, []string{c.ID, a.ID}},
		"within":       {jobs.Query{Model: "f*m*"}, []string{c.ID, b.ID, a.ID}},
		"no wildcard":  {jobs.Query{Model: "fam_*"}, []string{}},
		"no pattern":   {jobs.Query{Model: "fam"}, []string{}},
		"two of them":  {jobs.Query{Model: "fam*", States: []jobs.State{jobs.Failed}}, []string{b.ID}},
		"text + model": {jobs.Query{Model: "*a3", Text: "red kite"}, []string{a.ID}},
		"modality":     {jobs.Query{Modality: client.Video}, []string{c.ID, a.ID}},
		"profile":      {jobs.Query{Profile: "q"}, []string{c.ID}},
		"group":        {jobs.Query{Group: "g"}, []string{a.ID}},
		"run":          {jobs.Query{Run: a.Run}, []string{a.ID}},
		"no such run":  {jobs.Query{Run: a.ID}, []string{}},
		"run + state":  {jobs.Query{Run: a.Run, States: []jobs.State{jobs.Failed}}, []string{}},
		"run + text":   {jobs.Query{Run: a.Run, Text: "red kite"}, []string{a.ID}},
		"task id":      {jobs.Query{TaskID: "task-1"}, []string{a.ID}},
		"alt id":       {jobs.Query{TaskID: "alt-2"}, []string{a.ID}},
		"job id":       {jobs.Query{TaskID: b.ID}, []string{b.ID}},
		"both":         {jobs.Query{Profile: "p", Modality: client.Video}, []string{a.ID}},
		"nothing":      {jobs.Query{TaskID: "task"}, []string{}},
		"text + state": {jobs.Query{Text: "red kite", States: []jobs.State{jobs.Completed}}, []string{a.ID}},
	} {
		p, err := s.List(t.Context(), tc.q)
		require.NoError(t, err, name)
		got := []string{}
		for _, j := range p.Jobs {
			got = append(got, j.ID)
		}
		assert.Equal(t, tc.want, got, name)
	}
	p, err := s.List(t.Context(), jobs.Query{TaskID: "alt-1"})
	require.NoError(t, err)
	require.Len(t, p.Jobs, 1)
	assert.Equal(t, []string{"alt-1", "alt-2"}, p.Jobs[0].AltIDs)
	assert.Len(t, p.Jobs[0].Files, 2)
}

func testText(t *testing.T, s jobs.Store) {
	a, b := NewJob("Ein roter Drachen, 红色的风筝"), NewJob(`100%_"quoted" AND NOT x*`)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(a), Plan(b)}))
	w := claim(t, s, "A", Base)
	for _, x := range w {
		if x.Job.ID == a.ID {
			c := commit(x, jobs.Failed)
			c.Job.TaskID, c.Job.Title = "task-XYZ-77", "Lied"
			c.Job.Error = &client.TaskError{Message: "content policy"}
			_, err := s.Commit(t.Context(), c)
			require.NoError(t, err)
		}
	}
	for text, want := range map[string]string{
		"roter": a.ID, "DRACHEN": a.ID, "色的风": a.ID, "风筝": a.ID, "筝": a.ID, "xyz-7": a.ID, "policy": a.ID, "Lied": a.ID,
		"Li": a.ID, `"quoted"`: b.ID, "%_": b.ID, "AND NOT": b.ID, "x*": b.ID, "nowhere": "", "%%": "", "red\x00kite": "",
	} {
		p, err := s.List(t.Context(), jobs.Query{Text: text})
		require.NoError(t, err, "%q", text)
		switch {
		case want == "":
			assert.Empty(t, p.Jobs, "%q", text)
		case assert.Len(t, p.Jobs, 1, "%q", text):
			assert.Equal(t, want, p.Jobs[0].ID, "%q", text)
		}
	}
}

// testEvents drives one job through random changes: what was appended is never lost,
// changed or moved, whatever fails in between.
func testEvents(t *testing.T, s jobs.Store) {
	j := insert(t, s, 1)[0]
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test wants the same numbers again
	want := []jobs.Event{{At: Base, Kind: jobs.EventPlanned, To: jobs.Planned}}
	states := []jobs.State{jobs.Queued, jobs.Running, jobs.Unknown, jobs.Completed, jobs.Failed}
	for i := range 60 {
		w, err := s.Get(t.Context(), j.ID)
		require.NoError(t, err)
		c := commit(w, states[rnd.IntN(len(states))])
		c.Events[0].Message = fmt.Sprint("event ", i)
		for range rnd.IntN(3) {
			c.Events = append(c.Events, jobs.Event{At: Base.Add(time.Duration(i)), Kind: jobs.EventFile, HTTPStatus: i,
				RequestID: "r", RawStatus: "s"})
			c.Events[len(c.Events)-1].At = Base.Add(time.Duration(i) * time.Second)
		}
		if rnd.IntN(3) == 0 {
			c.Token-- // lost: nothing of it may appear
		}
		if _, err := s.Commit(t.Context(), c); err == nil {
			want = append(want, c.Events...)
		} else {
			require.ErrorIs(t, err, jobs.ErrLeaseLost)
		}
	}
	d, err := s.Detail(t.Context(), j.ID)
	require.NoError(t, err)
	require.Len(t, d.Events, len(want))
	for i := range want {
		assert.True(t, want[i].At.Equal(d.Events[i].At), i)
		want[i].At, d.Events[i].At = time.Time{}, time.Time{}
	}
	assert.Equal(t, want, d.Events)
}

func testPayloads(t *testing.T, s jobs.Store) {
	list := insert(t, s, 2)
	works := claim(t, s, "A", Base)
	big := bytes.Repeat([]byte(`{"a":"b"},`), 1000)
	put := func(w jobs.Work, forget []jobs.PayloadKind, ps ...jobs.Payload) {
		c := commit(w, jobs.Queued)
		c.Payloads, c.Forget = ps, forget
		_, err := s.Commit(t.Context(), c)
		require.NoError(t, err)
	}
	for _, w := range works {
		put(w, nil, jobs.Payload{Kind: jobs.PayloadAnswer, Body: big}, jobs.Payload{Kind: jobs.PayloadRequest, Body: []byte("{}")},
			jobs.Payload{Kind: jobs.PayloadInline + ":0", Body: []byte{0, 255, 1}})
	}
	put(works[0], []jobs.PayloadKind{jobs.PayloadInline + ":0"}, jobs.Payload{Kind: jobs.PayloadAnswer, Body: []byte("new")})
	d, err := s.Detail(t.Context(), list[0].ID)
	require.NoError(t, err)
	assert.Equal(t, "new", string(d.Answer))
	assert.Equal(t, "{}", string(d.Request))
	d, err = s.Detail(t.Context(), list[1].ID)
	require.NoError(t, err)
	assert.Equal(t, big, d.Answer, "a body that two jobs share stays for the other")
	b, err := s.Payload(t.Context(), list[1].ID, jobs.PayloadInline+":0")
	require.NoError(t, err)
	assert.Equal(t, []byte{0, 255, 1}, b)
	_, err = s.Payload(t.Context(), list[0].ID, jobs.PayloadInline+":0")
	assert.ErrorIs(t, err, jobs.ErrNotFound)
}

func testSince(t *testing.T, s jobs.Store) {
	all, rev, err := s.Since(t.Context(), 0)
	require.NoError(t, err)
	assert.Empty(t, all)
	list := insert(t, s, 3)
	all, rev2, err := s.Since(t.Context(), rev)
	require.NoError(t, err)
	require.Len(t, all, 3)
	assert.Greater(t, rev2, rev)
	w := claim(t, s, "A", Base)
	_, err = s.Commit(t.Context(), commit(w[1], jobs.Running))
	require.NoError(t, err)
	some, rev3, err := s.Since(t.Context(), rev2)
	require.NoError(t, err)
	require.Len(t, some, 1)
	assert.Equal(t, list[1].ID, some[0].Job.ID)
	none, _, err := s.Since(t.Context(), rev3)
	require.NoError(t, err)
	assert.Empty(t, none)
	_, err = s.Look(t.Context())
	require.NoError(t, err)
}

func testMarks(t *testing.T, s jobs.Store) {
	a, b, c := NewJob("a"), NewJob("b"), NewJob("c")
	a.State, b.State, c.State = jobs.Ambiguous, jobs.Completed, jobs.Running
	d := NewJob("d")
	d.Profile = "q"
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(a), Plan(b), Plan(c), Plan(d)}))
	marks, rev, err := s.Marks(t.Context(), "p")
	require.NoError(t, err)
	assert.ElementsMatch(t, []jobs.Mark{{ID: a.ID, State: jobs.Ambiguous}, {ID: c.ID, State: jobs.Running}}, marks)
	assert.Positive(t, rev)
}

func testNotFound(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	_, err := s.Get(ctx, "x")
	require.ErrorIs(t, err, jobs.ErrNotFound)
	_, err = s.Detail(ctx, "x")
	require.ErrorIs(t, err, jobs.ErrNotFound)
	_, err = s.Payload(ctx, "x", jobs.PayloadAnswer)
	require.ErrorIs(t, err, jobs.ErrNotFound)
	_, err = s.Commit(ctx, jobs.Change{Job: NewJob("x")})
	require.ErrorIs(t, err, jobs.ErrNotFound)
	_, err = s.Amend(ctx, "x", func(jobs.Work) (jobs.Change, error) { return jobs.Change{}, nil })
	require.ErrorIs(t, err, jobs.ErrNotFound)
}

// testClaimsRace lets several owners claim and finish at the same time.
func testClaimsRace(t *testing.T, s jobs.Store) {
	const n, owners = 60, 4
	insert(t, s, n)
	var mu sync.Mutex
	got := map[string]int{}
	var wg sync.WaitGroup
	for o := range owners {
		wg.Go(func() {
			for {
				ws, err := s.Claim(context.Background(), jobs.Claim{
					Owner: fmt.Sprint(o), Profile: "p", Now: Base, Until: Base.Add(time.Hour), Limit: 3,
				})
				if !assert.NoError(t, err) || len(ws) == 0 {
					return
				}
				for _, w := range ws {
					c := commit(w, jobs.Completed)
					c.Due = time.Time{}
					_, err := s.Commit(context.Background(), c)
					assert.NoError(t, err)
					mu.Lock()
					got[w.Job.ID]++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	assert.Len(t, got, n)
	for id, times := range got {
		assert.Equal(t, 1, times, id)
	}
}
