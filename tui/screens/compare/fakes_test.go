package compare

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/jobs"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// engine takes submissions down, and tells changes as the engine does.
type engine struct {
	jobs.Reader
	jobs.Doer
	mu      sync.Mutex
	got     [][]jobs.Submission
	err     error
	changed []jobs.Job
	// early are told before Submit returns, as a quick engine does.
	early func(id string, s jobs.Submission) jobs.Job
}

func (e *engine) Submit(_ context.Context, s []jobs.Submission) ([]string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return nil, e.err
	}
	e.got = append(e.got, s)
	ids := make([]string, len(s))
	for i := range ids {
		ids[i] = fmt.Sprintf("019515a0-0000-7000-8000-%04d%08d", len(e.got), i)
		if e.early != nil {
			e.changed = append(e.changed, e.early(ids[i], s[i]))
		}
	}
	return ids, nil
}

func (e *engine) Changes(seq uint64) ([]jobs.Job, uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := uint64(len(e.changed))
	return e.changed[min(seq, n):], n
}

func (e *engine) tell(j ...jobs.Job) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.changed = append(e.changed, j...)
}

// gateway has lists of models, and creates through every format that the catalog names.
type gateway struct {
	catalog *catalog.Catalog
	mu      sync.Mutex
	listed  []client.RemoteModel
	err     error
	asked   int
}

func (g *gateway) FormatsFor(d client.Draft) []string {
	m, _ := g.catalog.ModelFor(d.Modality, d.Model)
	return m.Formats
}

func (g *gateway) Models(context.Context) (client.ModelList, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++
	return client.ModelList{Models: g.listed}, g.err
}

// bench is a screen with all that is around it.
type bench struct {
	*tuitest.Driver
	m *Model
	e *engine
}

func newModel(t testing.TB) (*Model, *engine) {
	t.Helper()
	c := catalogtest.Catalog(t)
	e := &engine{}
	return New(Deps{Catalog: c, Gateway: &gateway{catalog: c}, Jobs: e, Keys: keys.New(screen.Rows(Commands()), []keys.Action{{ID: screen.ToCompare, Keys: []string{"alt+c"}}}), Styles: tuitest.Styles(t), Previews: preview.New(preview.Options{Workers: 1}),
		Now: func() time.Time { return now }}), e
}

func start(t testing.TB, w, h int) *bench {
	t.Helper()
	m, e := newModel(t)
	return &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, e: e}
}

// choose puts models in.
func (b *bench) choose(ids ...string) {
	for _, id := range ids {
		b.m.plan.Chosen[id] = true
	}
	b.m.layout()
}

// aJob is the job of the cell i in some state, begun 20 s ago.
func (b *bench) aJob(i int, s jobs.State, raw string) jobs.Job {
	c := b.m.run.Trials[i]
	j := jobs.Job{ID: c.JobID, Draft: c.Draft, State: s, RawStatus: raw, Progress: -1, TaskID: fmt.Sprintf("task-%d", i),
		SubmittedAt: now.Add(-20 * time.Second), AcceptedAt: now.Add(-19800 * time.Millisecond), CreateTook: 200 * time.Millisecond, UpdatedAt: now.Add(-17 * time.Second)}
	if !s.Active() {
		j.EndedAt = now.Add(-time.Duration(i+1) * time.Second)
	}
	return j
}

func picture(t testing.TB) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 64, 36))
	for y := range 36 {
		for x := range 64 {
			img.Set(x, y, color.RGBA{uint8(x * 4), uint8(y * 7), 90, 255})
		}
	}
	path := filepath.Join(t.TempDir(), "kite.png")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, png.Encode(f, img))
	require.NoError(t, f.Close())
	return path
}

func aDraft() client.Draft {
	return client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a red kite over a salt flat at dawn",
		Values: client.Values{"duration": "6", "resolution": "480P", "aspect_ratio": "16:9"}}
}
