package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// ids lists what a query finds, newest first.
func ids(t *testing.T, s jobs.Store, q jobs.Query) []string {
	t.Helper()
	p, err := s.List(t.Context(), q)
	require.NoError(t, err)
	out := []string{}
	for _, j := range p.Jobs {
		out = append(out, j.ID)
	}
	return out
}

// change amends a job without touching its lease.
func change(t *testing.T, s jobs.Store, id string, fn func(*jobs.Change)) {
	t.Helper()
	_, err := s.Amend(t.Context(), id, func(w jobs.Work) (jobs.Change, error) {
		c := jobs.Change{Job: w.Job, Due: w.Due}
		fn(&c)
		return c, nil
	})
	require.NoError(t, err)
}

func testTags(t *testing.T, s jobs.Store) {
	list := insert(t, s, 4)
	a, b := list[1].ID, list[2].ID
	change(t, s, a, func(c *jobs.Change) {
		c.Job.Tags, c.Job.Remark = []string{"best", "样片"}, "给客户的 SECOND look"
	})
	change(t, s, b, func(c *jobs.Change) { c.Job.Tags, c.Job.Paused = []string{"best"}, true })
	w, err := s.Get(t.Context(), a)
	require.NoError(t, err)
	assert.Equal(t, []string{"best", "样片"}, w.Job.Tags)
	assert.Equal(t, "给客户的 SECOND look", w.Job.Remark)
	assert.False(t, w.Job.Paused)
	assert.Equal(t, []string{b, a}, ids(t, s, jobs.Query{Tag: "best"}))
	assert.Equal(t, []string{a}, ids(t, s, jobs.Query{Tag: "best", Before: b}))
	assert.Equal(t, []string{b}, ids(t, s, jobs.Query{Tag: "best", Limit: 1}))
	assert.Empty(t, ids(t, s, jobs.Query{Tag: "bes"}), "tags are exact")
	assert.Equal(t, []string{a}, ids(t, s, jobs.Query{Tag: "样片", Profile: "p", States: []jobs.State{jobs.Planned}}))
	assert.Empty(t, ids(t, s, jobs.Query{Tag: "best", Profile: "q"}))
	for _, text := range []string{"样片", "片", "客户", "的", "cond LO", "给客户的", "ok"} {
		assert.Equal(t, []string{a}, ids(t, s, jobs.Query{Text: text}), "%q", text)
	}
	assert.Equal(t, []string{b, a}, ids(t, s, jobs.Query{Text: "bes"}))
	p, err := s.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	assert.Equal(t, []string{"best"}, p.Jobs[1].Tags, "a list has the tags")
	assert.True(t, p.Jobs[1].Paused)

	change(t, s, a, func(c *jobs.Change) { c.Job.Tags, c.Job.Remark = []string{"new"}, "" })
	change(t, s, b, func(c *jobs.Change) { c.Job.Tags, c.Job.Paused = nil, false })
	assert.Empty(t, ids(t, s, jobs.Query{Tag: "best"}))
	assert.Empty(t, ids(t, s, jobs.Query{Text: "样片"}))
	assert.Empty(t, ids(t, s, jobs.Query{Text: "second"}))
	assert.Equal(t, []string{a}, ids(t, s, jobs.Query{Tag: "new"}))

	change(t, s, a, func(c *jobs.Change) { c.Job.Tags = []string{"new", jobs.Star} })
	change(t, s, list[3].ID, func(c *jobs.Change) { c.Job.Tags = []string{jobs.Star} })
	assert.Equal(t, []string{list[3].ID, a}, ids(t, s, jobs.Query{Starred: true}))
	assert.Equal(t, []string{a}, ids(t, s, jobs.Query{Starred: true, Tag: "new"}))
	assert.Equal(t, []string{a}, ids(t, s, jobs.Query{Starred: true, Before: list[3].ID}))
	assert.Equal(t, []string{a}, ids(t, s, jobs.Query{Starred: true, Text: "new", States: []jobs.State{jobs.Planned}}))
	assert.Equal(t, []string{list[3].ID, a}, ids(t, s, jobs.Query{Starred: true, Tag: jobs.Star}))
	w, err = s.Get(t.Context(), b)
	require.NoError(t, err)
	assert.Empty(t, w.Job.Tags)
	assert.False(t, w.Job.Paused)
}

// exchange is the nth of a job.
func exchange(n int) jobs.Exchange {
	return jobs.Exchange{
		At: Base.Add(time.Duration(n) * time.Second), Kind: "poll", Format: "videos", Path: "GET /v1/videos/x",
		HTTPStatus: 200 + n, Latency: time.Duration(n) * time.Millisecond, RequestID: fmt.Sprint("r", n),
		RawStatus: "SUCCEEDED", Error: "none",
	}
}

func testExchanges(t *testing.T, s jobs.Store) {
	list := insert(t, s, 2)
	n := 0
	for _, many := range []int{1, 3, jobs.MaxExchanges - 1, 2, jobs.MaxExchanges + 7} {
		change(t, s, list[0].ID, func(c *jobs.Change) {
			for range many {
				c.Exchanges = append(c.Exchanges, exchange(n))
				n++
			}
		})
		d, err := s.Detail(t.Context(), list[0].ID)
		require.NoError(t, err)
		require.Len(t, d.Exchanges, min(n, jobs.MaxExchanges))
		for i, x := range d.Exchanges {
			want := exchange(n - len(d.Exchanges) + i)
			assert.True(t, want.At.Equal(x.At))
			x.At = want.At
			assert.Equal(t, want, x)
		}
	}
	d, err := s.Detail(t.Context(), list[1].ID)
	require.NoError(t, err)
	assert.Empty(t, d.Exchanges)
}

func testPast(t *testing.T, s jobs.Store) {
	add := func(seconds int, fn func(*jobs.Job)) {
		j := NewJob("x")
		j.State, j.Draft.Mode = jobs.Completed, "t2v"
		j.AcceptedAt = Base.Add(time.Duration(seconds) * time.Minute)
		j.EndedAt = j.AcceptedAt.Add(time.Duration(seconds) * time.Second)
		if fn != nil {
			fn(&j)
		}
		c := Plan(j)
		c.Due = time.Time{}
		require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	}
	for _, n := range []int{3, 1, 4, 2} {
		add(n, nil)
	}
	add(9, func(j *jobs.Job) { j.State = jobs.Failed })
	add(10, func(j *jobs.Job) { j.Profile = "q" })
	add(11, func(j *jobs.Job) { j.Draft.Model = "other" })
	add(12, func(j *jobs.Job) { j.AcceptedAt = time.Time{} })
	add(13, func(j *jobs.Job) { j.EndedAt = j.AcceptedAt.Add(-time.Second) })
	add(14, func(j *jobs.Job) { j.Draft.Mode = "" })
	for _, tc := range []struct {
		q    jobs.PastQuery
		want []time.Duration
	}{
		{jobs.PastQuery{Profile: "p", Model: "famA3", Mode: "t2v"}, []time.Duration{4 * time.Second, 3 * time.Second, 2 * time.Second, time.Second}},
		{jobs.PastQuery{Profile: "p", Model: "famA3", Mode: "t2v", Limit: 2}, []time.Duration{4 * time.Second, 3 * time.Second}},
		{jobs.PastQuery{Profile: "p", Model: "famA3"}, []time.Duration{14 * time.Second}},
		{jobs.PastQuery{Profile: "q", Model: "famA3", Mode: "t2v"}, []time.Duration{10 * time.Second}},
		{jobs.PastQuery{Profile: "p", Model: "none"}, nil},
	} {
		got, err := s.Past(t.Context(), tc.q)
		require.NoError(t, err)
		assert.Equal(t, tc.want, append([]time.Duration(nil), got...), "%+v", tc.q)
	}
}

func testPauses(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	all := func(profile string) []jobs.Pause {
		p, err := s.Pauses(ctx, profile)
		require.NoError(t, err)
		for i := range p {
			p[i].At = p[i].At.UTC()
		}
		return p
	}
	assert.Empty(t, all(""))
	at := Base.UTC()
	whole, host, other := jobs.Pause{Profile: "p", At: at}, jobs.Pause{Profile: "p", Host: "h:8", At: at}, jobs.Pause{Profile: "q", At: at}
	for _, p := range []jobs.Pause{host, other, whole, {Profile: "p", At: at.Add(time.Hour)}} {
		require.NoError(t, s.SetPause(ctx, p, true))
	}
	assert.Equal(t, []jobs.Pause{whole, host}, all("p"), "a pause that is there keeps its time")
	assert.Len(t, all(""), 3)
	require.NoError(t, s.SetPause(ctx, jobs.Pause{Profile: "p"}, false))
	require.NoError(t, s.SetPause(ctx, jobs.Pause{Profile: "p"}, false), "ended already")
	assert.Equal(t, []jobs.Pause{host}, all("p"), "that of the host is another one")
}

// ended makes an ended job.
func ended(state jobs.State, at time.Time, tags ...string) jobs.Job {
	j := NewJob("x")
	j.State, j.EndedAt, j.UpdatedAt, j.Tags = state, at, at, tags
	return j
}

func testPrune(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	old, late := Base.Add(-100*time.Hour), Base.Add(100*time.Hour)
	kept := map[string]jobs.Job{
		"late": ended(jobs.Completed, late), "running": ended(jobs.Running, old), "ambiguous": ended(jobs.Ambiguous, old),
		"tagged": ended(jobs.Completed, old, "a", "keep"), "profile": ended(jobs.Completed, old),
		"work": ended(jobs.Completed, old), "paused": ended(jobs.Queued, old), "state": ended(jobs.Dropped, old),
	}
	j := kept["profile"]
	j.Profile = "q"
	kept["profile"] = j
	j = kept["paused"]
	j.Paused = true
	kept["paused"] = j
	var changes []jobs.Change
	for name, j := range kept {
		c := Plan(j)
		if name != "work" {
			c.Due = time.Time{}
		}
		changes = append(changes, c)
	}
	noEnd := ended(jobs.Refused, old)
	noEnd.EndedAt = time.Time{}
	for _, j := range []jobs.Job{ended(jobs.Completed, old), ended(jobs.Failed, old, "a"), noEnd, ended(jobs.Lost, old)} {
		c := Plan(j)
		c.Due = time.Time{}
		changes = append(changes, c)
	}
	require.NoError(t, s.Insert(ctx, changes))
	q := jobs.Prune{
		Profile: "p", Before: Base, Keep: []string{"keep", "other"},
		States: []jobs.State{jobs.Completed, jobs.Failed, jobs.Refused, jobs.Lost, jobs.Running, jobs.Ambiguous},
	}
	prune := func(q jobs.Prune) int {
		p, err := s.Prune(ctx, q)
		require.NoError(t, err)
		return p.Jobs
	}
	q.Dry = true
	assert.Equal(t, 4, prune(q))
	assert.Len(t, ids(t, s, jobs.Query{}), len(changes), "only counted")
	q.KeepTagged = true
	assert.Equal(t, 3, prune(q))
	q.Dry, q.KeepTagged = false, false
	assert.Equal(t, 4, prune(q))
	assert.Equal(t, 0, prune(q))
	left := ids(t, s, jobs.Query{})
	assert.Len(t, left, len(kept))
	for name, j := range kept {
		assert.Contains(t, left, j.ID, name)
	}
	assert.Empty(t, ids(t, s, jobs.Query{Text: noEnd.ID}), "nothing is found of what is gone")
	assert.Equal(t, 0, prune(jobs.Prune{States: []jobs.State{jobs.Running}}))
}

func testPruneNewest(t *testing.T, s jobs.Store) {
	var changes []jobs.Change
	for i := range 230 {
		c := Plan(ended(jobs.Completed, Base.Add(-time.Duration(i)*time.Second)))
		c.Due = time.Time{}
		changes = append(changes, c)
	}
	require.NoError(t, s.Insert(t.Context(), changes))
	for _, step := range []struct{ newest, dry, gone int }{{1000, 0, 0}, {230, 0, 0}, {225, 5, 5}, {5, 220, 220}} {
		p, err := s.Prune(t.Context(), jobs.Prune{Newest: step.newest, Dry: true})
		require.NoError(t, err)
		assert.Equal(t, step.dry, p.Jobs)
		p, err = s.Prune(t.Context(), jobs.Prune{Newest: step.newest})
		require.NoError(t, err)
		assert.Equal(t, step.gone, p.Jobs)
	}
	left := ids(t, s, jobs.Query{})
	require.Len(t, left, 5)
	assert.Equal(t, changes[229].Job.ID, left[0], "the newest by their ids")
}

// testPruneBodies: bodies are shared, between jobs and with events.
func testPruneBodies(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	shared, own, seen := []byte("shared by both"), []byte("own"), []byte("named by an event of the other")
	gone, stays := ended(jobs.Failed, Base), ended(jobs.Completed, Base)
	a, b := Plan(gone), Plan(stays)
	a.Due, b.Due = time.Time{}, time.Time{}
	a.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: shared}, {Kind: jobs.PayloadAnswer, Body: own}, {Kind: jobs.PayloadInline + ":0", Body: seen}}
	b.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: shared}, {Kind: jobs.PayloadAnswer, Body: seen}}
	b.Events = append(b.Events, jobs.Event{At: Base, Kind: jobs.EventState, PayloadSHA: jobs.PayloadSHA(seen)})
	require.NoError(t, s.Insert(ctx, []jobs.Change{a, b}))
	change(t, s, stays.ID, func(c *jobs.Change) { c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte("newer")}} })
	for _, dry := range []bool{true, false} {
		p, err := s.Prune(ctx, jobs.Prune{States: []jobs.State{jobs.Failed}, Dry: dry})
		require.NoError(t, err)
		assert.Equal(t, jobs.Pruned{Jobs: 1, Bytes: int64(len(own))}, p, "dry: %v", dry)
	}
	_, err := s.Detail(ctx, gone.ID)
	require.ErrorIs(t, err, jobs.ErrNotFound)
	d, err := s.Detail(ctx, stays.ID)
	require.NoError(t, err)
	assert.Equal(t, shared, d.Request)
	r, err := s.Records(ctx, "", 10)
	require.NoError(t, err)
	require.Len(t, r, 1)
	assert.Equal(t, seen, r[0].Bodies[jobs.PayloadSHA(seen)], "what an event names stays")
}

// full is a job with everything that a record holds.
func full() jobs.Change {
	j := rich()
	j.State, j.EndedAt = jobs.Running, time.Time{}
	j.Error = &client.TaskError{Message: "m"}
	j.Tags, j.Remark, j.Paused = []string{"a", "b"}, "remark", true
	c := Plan(j)
	old, answer := []byte(`{"status":"queued"}`), []byte(`{"status":"running"}`)
	c.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: []byte("{}")}, {Kind: jobs.PayloadAnswer, Body: old},
		{Kind: jobs.PayloadInline + ":0", Body: []byte{0, 255}}}
	c.Payloads = append(c.Payloads, jobs.Payload{Kind: jobs.PayloadAnswer, Body: answer})
	c.Events = append(c.Events, jobs.Event{At: Base, Kind: jobs.EventState, From: jobs.Planned, To: jobs.Queued, PayloadSHA: jobs.PayloadSHA(answer)})
	c.Exchanges = []jobs.Exchange{exchange(1), exchange(2)}
	c.Due = Base.Add(time.Minute)
	return c
}
