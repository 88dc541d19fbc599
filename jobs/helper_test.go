package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// gateway is a scripted one: it counts what reaches it.
type gateway struct {
	create func(d client.Draft, n int) (client.Task, error) // n is 1 for the first create
	query  func(id string, n int) (client.Task, error)      // n is 1 for the task's first query

	mu       sync.Mutex
	creates  []client.Draft
	queries  map[string][]time.Time
	inFlight int
	most     int
	cutOff   int // creates whose context ended
	hold     time.Duration
	pollTime time.Duration
}

func (g *gateway) Create(ctx context.Context, d client.Draft, format string) (client.Task, error) {
	g.mu.Lock()
	g.creates = append(g.creates, d)
	n := len(g.creates)
	g.mu.Unlock()
	if g.hold > 0 {
		select {
		case <-time.After(g.hold):
		case <-ctx.Done():
			g.mu.Lock()
			g.cutOff++
			g.mu.Unlock()
			return client.Task{}, &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: ctx.Err()}
		}
	}
	if g.create != nil {
		return g.create(d, n)
	}
	return task(fmt.Sprintf("t%d", n), client.StatusQueued, "queued"), nil
}

func (g *gateway) Query(ctx context.Context, _, id string) (client.Task, error) {
	g.mu.Lock()
	if g.queries == nil {
		g.queries = map[string][]time.Time{}
	}
	g.queries[id] = append(g.queries[id], time.Now())
	n := len(g.queries[id])
	query := g.query
	g.inFlight++
	g.most = max(g.most, g.inFlight)
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		g.inFlight--
		g.mu.Unlock()
	}()
	if g.pollTime > 0 {
		select {
		case <-time.After(g.pollTime):
		case <-ctx.Done():
			return client.Task{}, ctx.Err()
		}
	}
	if query != nil {
		return query(id, n)
	}
	return task(id, client.StatusRunning, "running"), nil
}

func (g *gateway) sent() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.creates)
}

func (g *gateway) drafts() []client.Draft {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.creates)
}

func (g *gateway) total() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for _, at := range g.queries {
		n += len(at)
	}
	return n
}

func (g *gateway) polls(id string) []time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]time.Time(nil), g.queries[id]...)
}

func task(id string, s client.Status, raw string) client.Task {
	return client.Task{
		ID: id, Format: "videos", Status: s, RawStatus: raw, Progress: -1,
		Raw: fmt.Appendf(nil, `{"id":%q,"status":%q}`, id, raw), Meta: client.Meta{HTTPStatus: 200, RequestID: "req-" + id},
	}
}

func done(id string) client.Task {
	t := task(id, client.StatusCompleted, "completed")
	t.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://h/" + id + ".mp4"}}
	return t
}

// saver pretends to save.
type saver struct {
	save saveFunc

	mu    sync.Mutex
	calls []jobs.FileRequest
}

func (s *saver) Save(ctx context.Context, r jobs.FileRequest, progress func(done, total int64)) (jobs.File, error) {
	s.mu.Lock()
	s.calls = append(s.calls, r)
	save := s.save
	s.mu.Unlock()
	if save != nil {
		return save(ctx, r, progress)
	}
	return jobs.File{Path: "/d/" + r.Job.ID, Bytes: 3, Total: 3, SHA256: "x"}, nil
}

type saveFunc = func(ctx context.Context, r jobs.FileRequest, progress func(done, total int64)) (jobs.File, error)

// script changes what the saver does while an engine uses it.
func (s *saver) script(f saveFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.save = f
}

// script changes what queries answer while an engine uses the gateway.
func (g *gateway) script(f func(id string, n int) (client.Task, error)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.query = f
}

func (s *saver) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls)
}

// rig is an engine on a store in memory, in virtual time.
type rig struct {
	t     *testing.T
	e     *jobs.Engine
	store *storetest.Mem
	gate  *gateway
	save  *saver
	stop  context.CancelFunc
	ended chan struct{}
}

// run runs a test in a bubble of virtual time, with an engine that has begun.
func run(t *testing.T, set func(*rig, *jobs.Options), body func(*rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, set)
		r.start()
		body(r)
		r.end()
	})
}

func newRig(t *testing.T, set func(*rig, *jobs.Options)) *rig {
	r := &rig{t: t, store: storetest.NewMem(), gate: &gateway{}, save: &saver{}}
	o := jobs.Options{
		Store: r.store, Gateway: r.gate, Saver: r.save, Profile: "p", Owner: "me", AutoDownload: true,
		Rand: func() float64 { return 0.5 }, FormatFor: func(client.Draft) string { return "videos" },
	}
	if set != nil {
		set(r, &o)
	}
	r.e = jobs.NewEngine(o)
	return r
}

func (r *rig) start() {
	ctx, cancel := context.WithCancel(ctx0)
	r.stop, r.ended = cancel, make(chan struct{})
	go func() {
		defer close(r.ended)
		assert.NoError(r.t, r.e.Run(ctx))
	}()
	synctest.Wait()
}

func (r *rig) end() {
	r.stop()
	<-r.ended
}

// pass lets virtual time go by, and everything that is due be done.
func (r *rig) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func (r *rig) submit() string {
	r.t.Helper()
	ids, err := r.e.Submit(ctx0, []jobs.Submission{sub("a kite")})
	require.NoError(r.t, err)
	synctest.Wait()
	return ids[0]
}

func sub(prompt string) jobs.Submission {
	return jobs.Submission{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: prompt}}
}

func (r *rig) job(id string) jobs.Job {
	r.t.Helper()
	j, err := r.e.Get(ctx0, id)
	require.NoError(r.t, err)
	return j
}

// kept is the job as the history has it.
func (r *rig) kept(id string) jobs.Work {
	r.t.Helper()
	w, err := r.store.Get(ctx0, id)
	require.NoError(r.t, err)
	return w
}

func (r *rig) kinds(id string) []jobs.EventKind {
	r.t.Helper()
	d, err := r.e.Detail(ctx0, id)
	require.NoError(r.t, err)
	kinds := make([]jobs.EventKind, len(d.Events))
	for i, e := range d.Events {
		kinds[i] = e.Kind
	}
	return kinds
}

var errBroken = errors.New("broken")

func apiError(status int) *client.APIError {
	return &client.APIError{HTTPStatus: status, Message: "m", Method: "GET", Path: "/x"}
}

// ctx0 is for calls from inside of a bubble, where the outer test's context is no use.
var ctx0 = context.Background()
