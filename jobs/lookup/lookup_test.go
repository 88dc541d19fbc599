package lookup

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
)

// gateway knows some ids, each on one route, and remembers what it was asked.
type gateway struct {
	mu    sync.Mutex
	knows map[string]string // id -> format
	fails map[string]int    // format -> HTTP status
	asked []string
}

func (g *gateway) Guess(string) []string {
	return []string{"videos", "content", "ent", "tasks", "music"}
}

func (g *gateway) Lookup(_ context.Context, id string, formats ...string) []client.RouteResult {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, id+":"+strings.Join(formats, ","))
	var out []client.RouteResult
	for _, f := range formats {
		r := client.RouteResult{Format: f, Meta: client.Meta{HTTPStatus: 200}}
		if g.knows[id] == f {
			r.Task = &client.Task{Status: client.StatusRunning}
		} else {
			r.Meta.HTTPStatus = cmp.Or(g.fails[f], 404)
			r.Err = &client.APIError{HTTPStatus: r.Meta.HTTPStatus}
		}
		out = append(out, r)
	}
	return out
}

// history holds some jobs.
type history []jobs.Job

func (h history) Get(_ context.Context, id string) (jobs.Job, error) {
	for _, j := range h {
		if j.ID == id {
			return j, nil
		}
	}
	return jobs.Job{}, jobs.ErrNotFound
}

func (h history) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	var p jobs.Page
	for _, j := range h {
		text := strings.Trim(q.Text, `"`)
		if q.TaskID != "" && (j.TaskID == q.TaskID || slices.Contains(j.AltIDs, q.TaskID)) || text != "" && strings.Contains(j.ID+" "+j.Note, text) {
			p.Jobs = append(p.Jobs, j)
		}
	}
	return p, nil
}

func (h history) Detail(ctx context.Context, id string) (jobs.Detail, error) {
	j, err := h.Get(ctx, id)
	d := jobs.Detail{Job: j}
	if words := strings.Fields(j.Note); len(words) > 0 {
		d.Events = []jobs.Event{{RequestID: words[0]}}
	}
	return d, err
}

func id(v string) inspect.Subject { return inspect.Subject{Kind: inspect.KindID, Value: v} }

func TestLikelyRoutesFirst(t *testing.T) {
	g := &gateway{knows: map[string]string{"a": "content", "b": "tasks"}}
	d := &Desk{Gateway: g}
	r := d.One(t.Context(), id("a"))
	assert.Equal(t, []string{"a:videos,content"}, g.asked)
	assert.Equal(t, "content", r.Findings.Routes[r.Findings.Best()].Format)
	assert.Len(t, r.Findings.Routes, 5, "what was not asked is in the matrix, too")
	assert.Equal(t, "another route knows it", r.Findings.Routes[4].Skipped)
	assert.Zero(t, r.Findings.Busy())

	g.asked = nil
	r = d.One(t.Context(), id("b"))
	assert.Equal(t, []string{"b:videos,content", "b:ent,tasks,music"}, g.asked, "the rest only where none knows it")
	assert.Equal(t, 3, r.Findings.Best())

	g.asked = nil
	d.Only = []string{"ent"}
	r = d.One(t.Context(), id("b"))
	assert.Equal(t, []string{"b:ent"}, g.asked)
	assert.Equal(t, -1, r.Findings.Best())
	assert.Equal(t, "ent", r.Findings.Only)
}

func TestAStateThatNobodyListedIsNotEnough(t *testing.T) {
	odd := client.RouteResult{Task: &client.Task{Status: client.StatusUnknown}}
	assert.Empty(t, Enough([]client.RouteResult{odd}))
	assert.NotEmpty(t, Enough([]client.RouteResult{odd, {Task: &client.Task{Status: client.StatusQueued}}}))
}

func TestARefusedKeyEndsIt(t *testing.T) {
	for status, why := range map[int]string{401: "the key was refused", 429: "the gateway takes no more requests"} {
		g := &gateway{fails: map[string]int{"videos": status, "content": status}}
		r := (&Desk{Gateway: g}).One(t.Context(), id("a"))
		assert.Len(t, g.asked, 1)
		assert.Equal(t, why, r.Findings.Routes[2].Skipped)
	}
}

func TestOwnHistoryFirst(t *testing.T) {
	long := strings.Repeat("0", 24)
	h := history{
		{ID: long + "1a2b3c4d", Profile: "work", TaskID: "t-1", QueryFormat: "tasks", Draft: client.Draft{Model: "famC-1.0"}, Note: "r-77 is not r-78"},
		{ID: long + "99993c4d", Profile: "home", TaskID: "t-2", Format: "ent", AltIDs: []string{"alt-2"}},
		{ID: "planned", Profile: "work"},
		{ID: long + "77773c4d", Profile: "work"}, {ID: "1" + long + "77773c4d", Profile: "work"},
	}
	g := &gateway{knows: map[string]string{"t-1": "tasks", "t-2": "ent", "alt-2": "ent"}}
	d := &Desk{Gateway: g, History: h, Profile: "work", Routes: func(string) []string { return []string{"tasks", "videos"} }}
	for name, x := range map[string]struct {
		s     inspect.Subject
		asked []string
		job   int
		err   error
	}{
		"a job's id":            {id(h[0].ID), []string{"t-1:tasks"}, 0, nil},
		"its last digits":       {id("1a2b3c4d"), []string{"t-1:tasks"}, 0, nil},
		"its task":              {id("t-1"), []string{"t-1:tasks"}, 0, nil},
		"its request":           {inspect.Subject{Kind: inspect.KindRequest, Value: "r-77"}, []string{"t-1:tasks"}, 0, nil},
		"its result":            {inspect.Subject{Kind: inspect.KindResult, Value: "https://cdn.example/x/video_no12/0.mp4"}, []string{"video_no12:videos,content", "video_no12:ent,tasks,music"}, -1, nil},
		"a foreign profile":     {id("99993c4d"), nil, 1, ErrProfile},
		"its task all the same": {id("t-2"), []string{"t-2:ent"}, 1, nil},
		"another id of it":      {id("alt-2"), []string{"alt-2:ent"}, 1, nil},
		"two that end so":       {id("77773c4d"), nil, -1, ErrSeveral},
		"nothing sent yet":      {id("planned"), nil, 2, ErrNoTask},
		"words of its note":     {inspect.Subject{Kind: inspect.KindRequest, Value: "r-78"}, nil, -1, ErrRequest},
		"nobody's request":      {inspect.Subject{Kind: inspect.KindRequest, Value: "r-1"}, nil, -1, ErrRequest},
		"nobody's result":       {inspect.Subject{Kind: inspect.KindResult, Value: "https://cdn.example/a.mp4"}, nil, -1, ErrResult},
	} {
		g.asked = nil
		r := d.One(t.Context(), x.s)
		assert.Equal(t, x.asked, g.asked, name)
		require.ErrorIs(t, r.Err, x.err, name)
		if x.job < 0 {
			assert.Nil(t, r.Findings.Job, name)
		} else if assert.NotNil(t, r.Findings.Job, name) {
			assert.Equal(t, h[x.job].ID, r.Findings.Job.ID, name)
		}
	}
}

func TestManyLearnTheirRoute(t *testing.T) {
	g := &gateway{knows: map[string]string{}}
	var all []inspect.Subject
	for i := range 40 {
		s := id("music-" + string(rune('a'+i%26)) + strings.Repeat("x", i))
		all, g.knows[s.Value] = append(all, s), "music"
	}
	got := map[int]bool{}
	(&Desk{Gateway: g, Slots: 1}).Each(t.Context(), all, func(i int, r Result) {
		assert.Equal(t, all[i], r.Subject)
		assert.GreaterOrEqual(t, r.Findings.Best(), 0)
		got[i] = true
	})
	assert.Len(t, got, 40)
	requests := 0
	for _, a := range g.asked {
		requests += strings.Count(a, ",") + 1
	}
	assert.Equal(t, 5+39, requests, "all five routes for the first one, one for each of the others")
}

// slow answers when it is told to.
type slow struct {
	gateway
	held    string
	proceed chan struct{}
}

func (s *slow) Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult {
	if id == s.held {
		select {
		case <-s.proceed:
		case <-ctx.Done():
		}
	}
	return s.gateway.Lookup(ctx, id, formats...)
}

func TestASlowOneHoldsUpNoOther(t *testing.T) {
	g := &slow{gateway: gateway{knows: map[string]string{"a": "videos", "b": "videos", "c": "videos"}}, held: "a", proceed: make(chan struct{})}
	var order []string
	(&Desk{Gateway: g, Slots: 2}).Each(t.Context(), []inspect.Subject{id("a"), id("b"), id("c")}, func(_ int, r Result) {
		if order = append(order, r.Subject.Value); len(order) == 2 {
			close(g.proceed)
		}
	})
	assert.Equal(t, []string{"b", "c", "a"}, order)
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	g := &slow{held: "b", proceed: make(chan struct{}), gateway: gateway{knows: map[string]string{"a": "videos"}}}
	n := 0
	(&Desk{Gateway: g, Slots: 1}).Each(ctx, []inspect.Subject{id("a"), id("b"), id("c")}, func(int, Result) {
		n++
		cancel(errors.New("stop"))
	})
	assert.Equal(t, 1, n, "what came before stays; nothing half done is handed over")
}

// halfway is a gateway of which the first route answers, and the second does not until ctx ends.
type halfway struct {
	first map[string]client.RouteResult // by id
	came  chan string
}

func (h *halfway) Guess(string) []string { return []string{"videos", "content"} }

func (h *halfway) Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult {
	h.came <- id
	<-ctx.Done()
	first := h.first[id]
	first.Format = formats[0]
	return []client.RouteResult{first, {Format: formats[1], Err: context.Cause(ctx)}}
}

func TestARefusalIsHandedOverWhenItEnds(t *testing.T) {
	task := func(s client.Status) client.RouteResult { return client.RouteResult{Task: &client.Task{Status: s}} }
	refusal := func(status int) client.RouteResult {
		return client.RouteResult{Err: &client.APIError{HTTPStatus: status}}
	}
	g := &halfway{came: make(chan string), first: map[string]client.RouteResult{
		"limited": refusal(429), "refused": refusal(401), "running": task(client.StatusRunning),
		"odd": task(client.StatusUnknown), "missing": refusal(404), "broken": refusal(500),
	}}
	var all []inspect.Subject
	for name := range g.first {
		all = append(all, id(name))
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for range all {
			<-g.came
		}
		cancel()
	}()
	got := map[string]client.Verdict{}
	d := &Desk{Gateway: g, Check: func(context.Context, string) inspect.ResultCheck { panic("nobody waits for it") }}
	d.Each(ctx, all, func(_ int, r Result) { got[r.Subject.Value] = r.telling() })
	assert.Equal(t, map[string]client.Verdict{"limited": client.VerdictLimited, "refused": client.VerdictRefused}, got,
		"what is half done is not handed over")
}

func TestWords(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	g := &gateway{knows: map[string]string{"a": "videos"}}
	d := &Desk{Gateway: g}
	running, missing := d.One(t.Context(), id("a")), d.One(t.Context(), id("b"))
	g.fails = map[string]int{"videos": 500, "content": 500, "ent": 500, "tasks": 500, "music": 500}
	broken := d.One(t.Context(), id("b"))
	request := (&Desk{Gateway: g, History: history{}}).One(t.Context(), inspect.Subject{Kind: inspect.KindRequest, Value: "r"})
	failed := Result{Findings: inspect.Findings{Routes: []inspect.Route{{Format: "ent"}}}}
	failed.Findings.Answer(0, client.RouteResult{Task: &client.Task{Status: client.StatusFailed, Error: &client.TaskError{Code: "CreditInsufficient"}}})
	var totals Totals
	for name, x := range map[string]struct {
		r              *Result
		state, meaning string
	}{
		"running":        {&running, "running", ""},
		"nobody knows":   {&missing, NotFound, "no route knows it"},
		"a broken one":   {&broken, NotKnown, "the gateway failed; keep the request id"},
		"no such":        {&request, NotFound, "no job of the history has a request with this id"},
		"failed by code": {&failed, "failed", "CreditInsufficient: the account has no credit left; add credit"},
	} {
		assert.Equal(t, x.state, x.r.State(), name)
		assert.Contains(t, x.r.Meaning(c), x.meaning, name)
		totals.Add(x.r)
	}
	assert.Equal(t, "1 failed, 1 running, 2 not found, 1 not known", totals.Words())
	assert.Equal(t, "CreditInsufficient 1", totals.CodeWords())
	assert.Empty(t, running.Meaning(c))
}
