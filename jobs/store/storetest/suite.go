package storetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

var errDuplicate = errors.New("a job of this id is there already")

// Base is the time at which the suite's jobs begin.
var Base = time.UnixMilli(1_700_000_000_000)

// NewJob makes a job as the engine plans it.
func NewJob(prompt string) jobs.Job {
	return jobs.Job{
		ID: uuid.Must(uuid.NewV7()).String(), Profile: "p", Format: "videos", State: jobs.Planned, Progress: -1,
		Draft: client.Draft{
			Modality: client.Video, Model: "famA3", Prompt: prompt,
			Values: client.Values{"seed": json.Number("9007199254740993")},
		},
		CreatedAt: Base, UpdatedAt: Base,
	}
}

// Plan is the change that journals a job, with work due at once and no lease.
func Plan(j jobs.Job) jobs.Change {
	return jobs.Change{Job: j, Due: Base, Events: []jobs.Event{{At: Base, Kind: jobs.EventPlanned, To: jobs.Planned}}}
}

// Run runs the suite; open makes an empty store for each part.
func Run(t *testing.T, open func(t *testing.T) jobs.Store) {
	t.Helper()
	for name, part := range map[string]func(*testing.T, jobs.Store){
		"round trip":          testRoundTrip,
		"insert is atomic":    testInsertAtomic,
		"claim":               testClaim,
		"claim after expiry":  testExpiry,
		"claim limits":        testClaimLimits,
		"beat keeps leases":   testBeat,
		"release":             testRelease,
		"lease lost":          testLeaseLost,
		"amend":               testAmend,
		"amend failure":       testAmendFailure,
		"end gives back":      testEndGivesBack,
		"paging":              testPaging,
		"filters":             testFilters,
		"text":                testText,
		"events only grow":    testEvents,
		"payloads":            testPayloads,
		"since":               testSince,
		"marks":               testMarks,
		"not found":           testNotFound,
		"claims never double": testClaimsRace,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			part(t, s)
		})
	}
}

func insert(t *testing.T, s jobs.Store, n int) []jobs.Job {
	t.Helper()
	list := make([]jobs.Job, n)
	changes := make([]jobs.Change, n)
	for i := range n {
		list[i] = NewJob(fmt.Sprintf("prompt %d", i))
		changes[i] = Plan(list[i])
	}
	require.NoError(t, s.Insert(t.Context(), changes))
	return list
}

func claim(t *testing.T, s jobs.Store, owner string, now time.Time) []jobs.Work {
	t.Helper()
	w, err := s.Claim(t.Context(), jobs.Claim{Owner: owner, Profile: "p", Now: now, Until: now.Add(10 * time.Second)})
	require.NoError(t, err)
	return w
}

// rich is a job with everything set.
func rich() jobs.Job {
	j := NewJob("a red kite, 红色的风筝 \x00 \x1b[31m")
	j.Group, j.State, j.TaskID, j.AltIDs, j.QueryFormat = "g", jobs.Completed, "task-1", []string{"alt-1", "alt-2"}, "responses"
	j.RawStatus, j.Progress, j.Title, j.Note = "SUCCEEDED", 42.5, "title", "note"
	j.Error = &client.TaskError{Code: "c", Message: "m", Type: "t", Param: "p"}
	j.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://h/v.mp4", Content: true, MediaType: "video/mp4"}}
	j.Files = []jobs.File{
		{Index: 0, Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/x/y.mp4", Bytes: 5, Total: 5, SHA256: "ab", MediaType: "video/mp4"},
		{Index: 2, Kind: client.AssetCover, State: jobs.FileFailed, Total: -1, Error: "gone"},
	}
	j.Draft.Extra = map[string]json.RawMessage{"x": json.RawMessage(`{"a":1}`)}
	j.Draft.Values["flag"] = true
	j.Draft.Values["empty"] = ""
	j.SubmittedAt, j.AcceptedAt = Base.Add(time.Second), Base.Add(2*time.Second)
	j.EndedAt, j.UpdatedAt = Base.Add(3*time.Second), Base.Add(4*time.Second)
	j.CreateTook, j.Polls = 1234*time.Millisecond, 7
	return j
}

func testRoundTrip(t *testing.T, s jobs.Store) {
	j := rich()
	c := Plan(j)
	c.Attempts, c.Backoff = 3, 1500*time.Millisecond
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	w, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	want, err := json.Marshal(normal(j))
	require.NoError(t, err)
	got, err := json.Marshal(normal(w.Job))
	require.NoError(t, err)
	assert.JSONEq(t, string(want), string(got))
	assert.Equal(t, 3, w.Attempts)
	assert.Equal(t, 1500*time.Millisecond, w.Backoff)
	assert.True(t, w.Due.Equal(Base), w.Due)
	assert.Empty(t, w.Owner)
	n, _ := w.Job.Draft.Values.Text("seed")
	assert.Equal(t, "9007199254740993", n, "integers above 2^53 survive")
}

func normal(j jobs.Job) jobs.Job {
	for _, t := range []*time.Time{&j.CreatedAt, &j.SubmittedAt, &j.AcceptedAt, &j.EndedAt, &j.UpdatedAt} {
		*t = t.UTC()
	}
	return j
}

func testInsertAtomic(t *testing.T, s jobs.Store) {
	a, b := NewJob("a"), NewJob("b")
	err := s.Insert(t.Context(), []jobs.Change{Plan(a), Plan(b), Plan(a)})
	require.Error(t, err)
	_, err = s.Get(t.Context(), b.ID)
	assert.ErrorIs(t, err, jobs.ErrNotFound)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(a), Plan(b)}))
}

func testClaim(t *testing.T, s jobs.Store) {
	list := insert(t, s, 3)
	first := claim(t, s, "A", Base)
	require.Len(t, first, 3)
	for i, w := range first {
		assert.Equal(t, list[i].ID, w.Job.ID)
		assert.Equal(t, "A", w.Owner)
		assert.Equal(t, list[i].Draft.Prompt, w.Job.Draft.Prompt)
	}
	assert.Empty(t, claim(t, s, "B", Base), "held by another")
	assert.Empty(t, claim(t, s, "A", Base), "held already")
	owners, err := s.Owners(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"A"}, owners)
}

func testExpiry(t *testing.T, s jobs.Store) {
	insert(t, s, 1)
	a := claim(t, s, "A", Base)
	require.Len(t, a, 1)
	assert.Empty(t, claim(t, s, "B", Base.Add(9999*time.Millisecond)))
	b := claim(t, s, "B", Base.Add(10*time.Second))
	require.Len(t, b, 1)
	assert.Greater(t, b[0].Token, a[0].Token)
	_, err := s.Commit(t.Context(), commit(a[0], jobs.Queued))
	assert.ErrorIs(t, err, jobs.ErrLeaseLost)
	_, err = s.Commit(t.Context(), commit(b[0], jobs.Queued))
	assert.NoError(t, err)
}

func commit(w jobs.Work, to jobs.State) jobs.Change {
	c := jobs.Change{Job: w.Job, Due: Base.Add(time.Minute), Token: w.Token}
	c.Events = []jobs.Event{{At: Base, Kind: jobs.EventState, From: c.Job.State, To: to}}
	c.Job.State = to
	return c
}

func testClaimLimits(t *testing.T, s jobs.Store) {
	list := insert(t, s, 4)
	other := NewJob("elsewhere")
	other.Profile = "q"
	done := NewJob("no work")
	quiet := Plan(done)
	quiet.Due = time.Time{}
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(other), quiet}))
	get := func(c jobs.Claim) []string {
		c.Owner, c.Now, c.Until = "A", Base, Base.Add(time.Second)
		ws, err := s.Claim(t.Context(), c)
		require.NoError(t, err)
		ids := make([]string, len(ws))
		for i, w := range ws {
			ids[i] = w.Job.ID
		}
		return ids
	}
	assert.Equal(t, []string{list[1].ID}, get(jobs.Claim{Profile: "p", IDs: []string{list[1].ID, other.ID, done.ID}}))
	assert.Empty(t, get(jobs.Claim{Profile: "p", IDs: []string{}}))
	assert.Len(t, get(jobs.Claim{Profile: "p", Limit: 1}), 1)
	assert.Len(t, get(jobs.Claim{Profile: "p"}), 2)
	assert.Len(t, get(jobs.Claim{Profile: "p", Own: true, Except: []string{list[0].ID}}), 3)
	assert.Equal(t, []string{other.ID}, get(jobs.Claim{Profile: "q"}))
}

func testBeat(t *testing.T, s jobs.Store) {
	insert(t, s, 2)
	require.Len(t, claim(t, s, "A", Base), 2)
	require.NoError(t, s.Beat(t.Context(), "A", Base.Add(30*time.Second)))
	assert.Empty(t, claim(t, s, "B", Base.Add(29*time.Second)), "the owner lives")
	assert.Len(t, claim(t, s, "B", Base.Add(30*time.Second)), 2)
}

func testRelease(t *testing.T, s jobs.Store) {
	insert(t, s, 2)
	a := claim(t, s, "A", Base)
	require.NoError(t, s.Beat(t.Context(), "A", Base.Add(time.Hour)))
	require.NoError(t, s.Release(t.Context(), "A"))
	require.Len(t, claim(t, s, "B", Base), 2)
	_, err := s.Commit(t.Context(), commit(a[0], jobs.Queued))
	assert.ErrorIs(t, err, jobs.ErrLeaseLost)
}

func testLeaseLost(t *testing.T, s jobs.Store) {
	j := insert(t, s, 1)[0]
	a := claim(t, s, "A", Base)[0]
	_, err := s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		c := commit(w, jobs.Dropped)
		c.Take, c.Due = true, time.Time{}
		return c, nil
	})
	require.NoError(t, err)
	c := commit(a, jobs.Completed)
	c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte("late")}}
	_, err = s.Commit(t.Context(), c)
	require.ErrorIs(t, err, jobs.ErrLeaseLost)
	d, err := s.Detail(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Dropped, d.Job.State)
	assert.Len(t, d.Events, 2, "what came late is written nowhere")
	assert.Nil(t, d.Answer)
}

func testAmend(t *testing.T, s jobs.Store) {
	j := insert(t, s, 1)[0]
	a := claim(t, s, "A", Base)[0]
	w, err := s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		c := commit(w, jobs.Queued)
		return c, nil
	})
	require.NoError(t, err)
	assert.Equal(t, "A", w.Owner, "without Take the lease stays")
	assert.Equal(t, a.Token, w.Token)
	assert.Equal(t, jobs.Queued, w.Job.State)
	w, err = s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		c := commit(w, jobs.Running)
		c.Take, c.Owner, c.Until = true, "B", Base.Add(time.Second)
		return c, nil
	})
	require.NoError(t, err)
	assert.Equal(t, "B", w.Owner)
	assert.Greater(t, w.Token, a.Token)
}

func testAmendFailure(t *testing.T, s jobs.Store) {
	j := insert(t, s, 1)[0]
	boom := errors.New("no")
	_, err := s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		return commit(w, jobs.Dropped), boom
	})
	require.ErrorIs(t, err, boom)
	w, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Planned, w.Job.State)
}

func testEndGivesBack(t *testing.T, s jobs.Store) {
	j := insert(t, s, 1)[0]
	a := claim(t, s, "A", Base)[0]
	c := commit(a, jobs.Completed)
	c.Due = time.Time{}
	rev, err := s.Commit(t.Context(), c)
	require.NoError(t, err)
	w, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, rev, w.Rev)
	assert.Empty(t, w.Owner)
	assert.True(t, w.Due.IsZero())
	assert.Empty(t, claim(t, s, "B", Base.Add(time.Hour)), "there is nothing to do")
}

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
		"modality":     {jobs.Query{Modality: client.Video}, []string{c.ID, a.ID}},
		"profile":      {jobs.Query{Profile: "q"}, []string{c.ID}},
		"group":        {jobs.Query{Group: "g"}, []string{a.ID}},
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
