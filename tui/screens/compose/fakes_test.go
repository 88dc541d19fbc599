package compose

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/formats"
	"darkroom/client/intake"
	"darkroom/client/kept"
	"darkroom/jobs"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// Scopes of the questions about what was pasted, and tags of what is in the editor.
const (
	askRequest = "compose-request"
	askAttach  = "compose-attach"
	askDropped = "compose-dropped"
	tagRequest = "#request"
	tagItem    = "#item"
)

// gateway makes requests in a shape of its own, without any I/O.
type gateway struct {
	catalog *catalog.Catalog
	names   []string
	listed  []client.RemoteModel
	listErr error
}

func (g gateway) Formats() []client.Format { return formats.All() }

func (g gateway) Models(context.Context) (client.ModelList, error) {
	return client.ModelList{Models: g.listed}, g.listErr
}

func (g gateway) ReadRequest(text string, h intake.Hint) (intake.Result, error) {
	return intake.Reader{Catalog: g.catalog, Formats: formats.All()}.Read(text, h)
}

func (g gateway) Preview(d client.Draft, format string) (client.Preview, error) {
	if d.Model == "" {
		return client.Preview{}, errors.New("model: nothing is chosen")
	}
	body := map[string]any{"model": d.Model, "prompt": d.Prompt, "mode": d.Mode}
	for k, v := range d.Values {
		body[k] = v
	}
	b, err := json.MarshalIndent(body, "", "  ")
	path, ok := map[string]string{"content": "/api/v3/contents/generations/tasks", "images": "/v1/images/generations",
		"music": "/famN/submit/music", "chat": "/v1/chat/completions", "ent": "/ent/v2/img2video"}[format]
	label := format
	if !ok {
		path, label = "/v1/videos", "common"
	}
	p := client.Preview{Format: format, Label: label + " (" + path + ")", Method: "POST", Path: path, Body: b, Bytes: len(b)}
	if _, ok := d.Values["callback_url"]; ok {
		p.Dropped = []client.Dropped{{Field: "callback_url", Reason: "this gateway has no callbacks"}}
	}
	return p, err
}

func (g gateway) Curl(d client.Draft, _ string) (string, error) {
	return "curl -X POST \"$DARKROOM_BASE_URL/v1/videos\" \\\n  -H \"Authorization: Bearer $DARKROOM_API_KEY\" \\\n  -d '" + d.Model + "'", nil
}

// Body is the preview's with the files as text.
func (g gateway) Body(_ context.Context, d client.Draft, format string) ([]byte, error) {
	p, err := g.Preview(d, format)
	return []byte(strings.ReplaceAll(string(p.Body), "file:///p/", "data:whole,")), err
}

func (g gateway) FormatsFor(d client.Draft) []string {
	var all []string
	if m, ok := g.catalog.ModelFor(d.Modality, d.Model); ok {
		all = m.Formats
	} else if f := g.catalog.DraftFormat(d); f != "" {
		all = []string{f}
	}
	return slices.DeleteFunc(slices.Clone(all), func(f string) bool { return !slices.Contains(g.names, f) })
}

// doer writes submissions down, and tells changes as the engine does.
type doer struct {
	jobs.Doer
	mu      sync.Mutex
	got     [][]jobs.Submission
	err     error
	changed []jobs.Job
}

func (d *doer) Submit(_ context.Context, s []jobs.Submission) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return nil, d.err
	}
	d.got = append(d.got, s)
	ids := make([]string, len(s))
	for i := range ids {
		ids[i] = fmt.Sprintf("job-%04d-%04d", len(d.got), i)
	}
	return ids, nil
}

func (d *doer) Changes(uint64) ([]jobs.Job, uint64) { return d.changed, uint64(len(d.changed)) }

// drafts keeps drafts in memory.
type drafts struct {
	mu    sync.Mutex
	kept  map[client.Modality]screen.ComposeDraft
	err   error
	saves int
}

func (d *drafts) Load(m client.Modality) (kept.Draft, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	x, ok := d.kept[m]
	x.Draft = x.Draft.Clone()
	return kept.Draft(x), ok, nil
}

func (d *drafts) Save(x kept.Draft) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return d.err
	}
	d.saves++
	x.Draft = x.Draft.Clone()
	d.kept[x.Draft.Modality] = screen.ComposeDraft(x)
	return nil
}

// bench is a screen with all that is around it.
type bench struct {
	*tuitest.Driver
	m      *Model
	jobs   *doer
	drafts *drafts
}

// newModel is a screen on fakes; change replaces some of them.
func newModel(t testing.TB, change ...func(*Deps)) (*Model, *doer, *drafts) {
	t.Helper()
	c := catalogtest.Catalog(t)
	j, d := &doer{}, &drafts{kept: map[client.Modality]screen.ComposeDraft{}}
	deps := Deps{
		Catalog: c, Gateway: gateway{catalog: c, names: []string{"videos", "content", "ent", "images", "music", "chat"}}, Jobs: j,
		Keys: keys.New(Rows()), Styles: tuitest.Styles(t), Drafts: d,
		Now: func() time.Time { return time.Unix(1_700_000_000, 0) },
	}
	for _, f := range change {
		f(&deps)
	}
	m := New(deps)
	m.doc.Saver.Later = func() tea.Cmd { return nil }
	return m, j, d
}

// keeping has a screen keep its drafts where another one did.
func keeping(d *drafts) func(*Deps) { return func(deps *Deps) { deps.Drafts = d } }

func start(t testing.TB, w, h int, change ...func(*Deps)) *bench {
	t.Helper()
	m, j, d := newModel(t, change...)
	b := &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, jobs: j, drafts: d}
	b.Limit = 10 * time.Second // nothing here waits for time to pass
	return b
}

// pick chooses a model by the picker.
func (b *bench) pick(model string) {
	b.Key("ctrl+g")
	b.Type(model)
	b.Key("enter")
}
