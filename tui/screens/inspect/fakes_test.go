package inspect

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/times"
	"darkroom/tui/tuitest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // goldens show local times
	os.Exit(m.Run())
}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// codec has a name, a label and a query path, and nothing else.
type codec struct {
	client.Format
	name, label, path string
}

func (f codec) Name() string  { return f.name }
func (f codec) Label() string { return f.label }
func (f codec) Query(id string) client.Request {
	if f.path == "" {
		return client.Request{}
	}
	return client.Request{Method: "GET", Path: f.path + id}
}

// gateway answers from a map; a route without an answer says 404.
type gateway struct {
	mu      sync.Mutex
	answers map[string]client.RouteResult // by format
	knows   map[string]string             // by id: the format that answers, nil for all
	asked   []string                      // "format id"
	ctxs    []context.Context
	hold    chan struct{} // when set, answers wait for it or for the end of the context
	until   time.Time     // until when look-ups are held back after a 429
}

func (g *gateway) Hold() (time.Time, bool) { return g.until, false }

func (g *gateway) Formats() []client.Format {
	return []client.Format{
		codec{name: "videos", label: "common (/v1/videos)", path: "/v1/videos/"},
		codec{name: "images", label: "images (/v1/images/generations)"},
		codec{name: "music", label: "music (/famN)", path: "/famN/fetch/"},
		codec{name: "responses", label: "response object", path: "/v1/responses/"},
		codec{name: "content", label: "content array", path: "/api/v3/contents/generations/tasks/"},
	}
}

func (g *gateway) QueryPath(format, id string) string {
	for _, f := range g.Formats() {
		if q := f.Query(id); f.Name() == format && q.Path != "" {
			return q.Method + " " + q.Path
		}
	}
	return ""
}

func (g *gateway) Guess(string) []string { return []string{"videos", "content", "responses", "music"} }

func (g *gateway) Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult {
	g.mu.Lock()
	hold := g.hold
	g.ctxs = append(g.ctxs, ctx)
	g.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	var out []client.RouteResult
	for i, f := range formats {
		g.asked = append(g.asked, f+" "+id)
		r, ok := g.answers[f]
		if g.knows != nil && g.knows[id] != f {
			ok = false
		}
		if !ok {
			r = refusal(404, "not_found", "task not found")
			r.Meta.Latency = time.Duration(7+i) * time.Millisecond
		}
		r.Format = f
		for _, x := range g.Formats() {
			if x.Name() == f {
				r.Label, r.Path = x.Label(), "GET "+x.Query(id).Path
			}
		}
		out = append(out, r)
	}
	return out
}

// Head knows only what is called v/vid_1.mp4.
func (g *gateway) Head(_ context.Context, address string) (client.Head, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, "HEAD "+address)
	if strings.HasSuffix(address, "/v/vid_1.mp4") {
		return client.Head{StatusCode: 200, MediaType: "video/mp4", Bytes: 3_200_000}, nil
	}
	return client.Head{StatusCode: 403, Bytes: -1}, nil
}

func (g *gateway) firstCtx() context.Context {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.ctxs) == 0 {
		return nil
	}
	return g.ctxs[0]
}

func refusal(status int, code, message string) client.RouteResult {
	body := fmt.Sprintf(`{"error":{"code":%q,"message":%q}}`, code, message)
	return client.RouteResult{
		Meta: client.Meta{HTTPStatus: status, RequestID: "req-" + fmt.Sprint(status), Latency: 12 * time.Millisecond},
		Err: &client.APIError{HTTPStatus: status, Code: code, Message: message, RequestID: "req-" + fmt.Sprint(status),
			Method: "GET", Path: "/v1/videos/x", Body: []byte(body)},
		Raw: []byte(body),
	}
}

func answer(status client.Status, raw, body string) client.RouteResult {
	return client.RouteResult{
		Meta: client.Meta{HTTPStatus: 200, RequestID: "req-7f3a", Latency: 41 * time.Millisecond},
		Task: &client.Task{ID: "vid_1", Status: status, RawStatus: raw, Progress: -1, Model: "famI-omni",
			CreatedAt: now.Add(-90 * time.Second), UpdatedAt: now.Add(-20 * time.Second), Raw: []byte(body)},
	}
}

// history is jobs.Reader over a list.
type history struct {
	mu      sync.Mutex
	jobs    []jobs.Job
	answer  []byte
	text    string
	err     error
	changed []jobs.Job
	queries []jobs.Query

	events    []jobs.Event
	exchanges []jobs.Exchange
}

func (h *history) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.queries = append(h.queries, q)
	if h.err != nil {
		return jobs.Page{}, h.err
	}
	var p jobs.Page
	for _, j := range h.jobs {
		if q.TaskID != "" && (j.ID == q.TaskID || j.TaskID == q.TaskID) || q.Text != "" && strings.Contains(j.ID+j.Remark, strings.Trim(q.Text, `"`)) {
			p.Jobs = append(p.Jobs, j)
		}
	}
	return p, nil
}

func (h *history) Get(_ context.Context, id string) (jobs.Job, error) {
	d, err := h.Detail(context.Background(), id)
	return d.Job, err
}

func (h *history) Detail(_ context.Context, id string) (jobs.Detail, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, j := range h.jobs {
		if j.ID == id {
			d := jobs.Detail{Job: j, Answer: h.answer, Text: h.text, Events: h.events, Exchanges: h.exchanges}
			if j.Remark != "" {
				d.Events = append(d.Events, jobs.Event{RequestID: j.Remark})
			}
			return d, nil
		}
	}
	return jobs.Detail{}, jobs.ErrNotFound
}

func (h *history) Changes(seq uint64) ([]jobs.Job, uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed[min(int(seq), len(h.changed)):], uint64(len(h.changed))
}

func (h *history) Counts() jobs.Counts { return jobs.Counts{} }

func aJob() jobs.Job {
	return jobs.Job{
		ID: "019515a0-0000-7000-8000-00000000a11c", TaskID: "vid_1", Format: "videos", QueryFormat: "videos",
		State: jobs.Completed, RawStatus: "completed", Progress: 100,
		Draft:       client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a red kite over a salt flat at dawn"},
		SubmittedAt: now.Add(-92 * time.Second), CreatedAt: now.Add(-92 * time.Second),
	}
}

// embedded says what errors mean; nothing is shown of its models.
func embedded(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	return c
}

// bench is a screen with all that is around it.
type bench struct {
	*tuitest.Driver
	m  *Model
	gw *gateway
	h  *history
}

func newModel(t testing.TB) (*Model, *gateway, *history) {
	t.Helper()
	g, h := &gateway{answers: map[string]client.RouteResult{}}, &history{}
	return New(Deps{Gateway: g, Catalog: embedded(t), Jobs: h, Keys: keys.New(screen.Rows(Commands())), Styles: tuitest.Styles(t), Times: times.New(human.Local, nil),
		Previews: preview.New(preview.Options{Workers: 1}), Now: func() time.Time { return now }}), g, h
}

func start(t testing.TB, w, h int) *bench {
	t.Helper()
	m, g, hist := newModel(t)
	return &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, gw: g, h: hist}
}

func (b *bench) ask(id string) {
	b.Key("ctrl+g", "ctrl+u")
	b.Type(id)
	b.Key("enter")
}
