package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/run"
	"darkroom/jobs/compare/suite"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fakeBench keeps runs in memory, and tells news as a bench does.
type fakeBench struct {
	mu      sync.Mutex
	runs    map[string]*compare.Run
	started []compare.Run
	done    []string // "stop 1", "resume 1", "remove 1"
	news    []run.News
	live    map[string]bool
	err     error
}

func (b *fakeBench) Start(_ context.Context, r compare.Run) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return "", b.err
	}
	r.ID = fmt.Sprintf("019515a0-0000-7000-8000-%012d", len(b.runs)+1)
	r.Status, r.CreatedAt = compare.Open, now.Add(-time.Minute)
	b.started = append(b.started, r)
	b.runs[r.ID] = &r
	b.live[r.ID] = true
	return r.ID, nil
}

func (b *fakeBench) act(what, id string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = append(b.done, what+" "+id[len(id)-1:])
	return b.err
}

func (b *fakeBench) Resume(_ context.Context, id string) error { return b.act("resume", id) }

func (b *fakeBench) Stop(_ context.Context, id string) error { return b.act("stop", id) }

func (b *fakeBench) Remove(_ context.Context, id string) error {
	err := b.act("remove", id)
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.runs, id)
	return err
}

func (b *fakeBench) Load(_ context.Context, id string) (compare.Run, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, ok := b.runs[id]
	if !ok {
		return compare.Run{}, errors.New("no such run\x1b[2J")
	}
	out := *r
	out.Trials = slices.Clone(r.Trials)
	return out, b.err
}

func (b *fakeBench) List(context.Context) ([]run.Head, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []run.Head
	for _, r := range b.runs {
		out = append(out, run.Head{ID: r.ID, Name: r.Name, CreatedAt: r.CreatedAt, Status: r.Status, Tally: r.Tally(), Live: b.live[r.ID]})
	}
	slices.SortFunc(out, func(x, y run.Head) int { return cmp.Compare(y.ID, x.ID) })
	return out, b.err
}

func (b *fakeBench) News(seq uint64) ([]run.News, uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := uint64(len(b.news))
	return b.news[min(seq, n):], n
}

func (b *fakeBench) tell(n run.News) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.news = append(b.news, n)
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
	if g.catalog.Unlisted(d.Modality, d.Model) {
		return []string{"videos", "content"}
	}
	m, _ := g.catalog.ModelFor(d.Modality, d.Model)
	return m.Formats
}

func (g *gateway) Preview(client.Draft, string) (client.Preview, error) { return client.Preview{}, nil }

func (g *gateway) Models(context.Context) (client.ModelList, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++
	return client.ModelList{Models: g.listed}, g.err
}

// history has jobs whose tags change.
type history struct {
	mu       sync.Mutex
	tags     map[string][]string
	rejected []string // "job true"
}

func (h *history) Reject(_ context.Context, ids []string, on bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		if len(h.tags[id]) > 0 {
			return fmt.Errorf("%s is starred: take its star away first", id)
		}
		h.rejected = append(h.rejected, fmt.Sprint(id, " ", on))
	}
	return nil
}

func (h *history) Get(_ context.Context, id string) (jobs.Job, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return jobs.Job{ID: id, Tags: h.tags[id]}, nil
}

func (h *history) Tag(_ context.Context, id string, add, _ []string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tags[id] = add
	return nil
}

// desk is a screen with all that is around it.
type desk struct {
	*tuitest.Driver
	m *Model
	b *fakeBench
	g *gateway
	h *history
	d Deps
}

func deps(t testing.TB) (Deps, *desk) {
	t.Helper()
	c := catalogtest.Catalog(t)
	x := &desk{b: &fakeBench{runs: map[string]*compare.Run{}, live: map[string]bool{}}, g: &gateway{catalog: c}, h: &history{tags: map[string][]string{}}}
	planner := func(_ context.Context, s suite.Suite, _ string) (compare.Run, plan.Forecast, error) {
		return plan.Make(plan.Input{Suite: s, Catalog: c, Gateway: x.g, Seed: 7, Now: now,
			Usual: func(*compare.Cell) (time.Duration, int) { return 20 * time.Second, 12 }})
	}
	return Deps{Catalog: c, Gateway: x.g, Bench: x.b, Plan: planner, Jobs: x.h,
		Keys:   keys.New(Rows(), []keys.Action{{ID: screen.ToCompare, Keys: []string{"alt+c"}}}),
		Styles: tuitest.Styles(t), Previews: preview.New(preview.Options{Workers: 1}), Now: func() time.Time { return now }}, x
}

func start(t testing.TB, w, h int) *desk {
	t.Helper()
	d, x := deps(t)
	return x.open(t, d, w, h)
}

func (x *desk) open(t testing.TB, d Deps, w, h int) *desk {
	t.Helper()
	x.d, x.m = d, New(d)
	x.Driver = tuitest.NewScreen(t, x.m, w, h)
	return x
}

// toast is the last one.
func (x *desk) toast(t testing.TB) string {
	t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](x.Driver)
	require.True(t, ok)
	return msg.Text
}

// flat is what shows, in one line.
func (x *desk) flat() string { return strings.Join(strings.Fields(x.View()), " ") }

// choose takes models in, by the keys of the list.
func (x *desk) choose(t testing.TB, models ...string) {
	t.Helper()
	for _, id := range models {
		x.seek(t, id)
		x.Key(" ")
	}
}

// seek puts the list's cursor on a model.
func (x *desk) seek(t testing.TB, id string) {
	t.Helper()
	x.Key("g")
	for range 80 {
		if x.at(id) {
			return
		}
		x.Key("j")
	}
	require.Fail(t, "no model "+id, x.View())
}

// at reports whether the list's cursor is on a model.
func (x *desk) at(id string) bool {
	for l := range strings.SplitSeq(x.View(), "\n") {
		if strings.Contains(l, "▸") && slices.Contains(strings.Fields(l), id) {
			return true
		}
	}
	return false
}

func aDraft() client.Draft {
	return client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a red kite over a salt flat at dawn",
		Values: client.Values{"duration": "6", "aspect_ratio": "16:9"}}
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

// aRun is one of three models, two prompts and two repeats, with trials in every state.
func aRun(file string) *compare.Run {
	r := &compare.Run{ID: "019515a0-0000-7000-8000-000000000001", Name: "harbour films", Repeats: 2, Status: compare.Ended, Seed: 42, CreatedAt: now.Add(-time.Hour)}
	prompts := []compare.Prompt{{ID: "p1", Text: "a red kite over a salt flat at dawn"}, {ID: "p2", Text: "塩の平原に赤い凧 מישור"}}
	for _, p := range prompts {
		for _, model := range []string{"famA3", "famI-omni", "famK-3.0"} {
			n := len(r.Cells) + 1
			r.Cells = append(r.Cells, compare.Cell{Number: n, Prompt: p, Model: model, Format: "videos", Mode: "t2v",
				Draft: client.Draft{Modality: client.Video, Model: model, Mode: "t2v", Prompt: p.Text, Values: client.Values{"duration": "6"}}})
		}
	}
	r.Cells[5].Cannot = "famK-3.0 has no mode t2v"
	for repeat := 1; repeat <= 2; repeat++ {
		for cell := 1; cell <= 5; cell++ {
			r.Order = append(r.Order, compare.Slot{Cell: cell, Repeat: repeat})
		}
	}
	for i, s := range r.Order[:9] {
		r.Trials = append(r.Trials, trial(i, s, file))
	}
	return r
}

func trial(i int, s compare.Slot, file string) compare.Trial {
	t := compare.Trial{Slot: s, Attempt: 1, JobID: fmt.Sprintf("job-%d", i), Seed: fmt.Sprint(1000 + s.Repeat)}
	t.TaskID, t.Progress, t.SentAt = fmt.Sprintf("task-%d", i), -1, now.Add(-20*time.Second)
	switch i {
	case 2:
		t.State, t.Code, t.Message = jobs.Failed, "content_policy", "the prompt was refused by a model, and this says why at length"
	case 7:
		t.State, t.Progress = jobs.Running, 42
	case 8:
		t.State = jobs.Queued
	default:
		t.State, t.Polls = jobs.Completed, 6
		least := time.Duration(4000+150*i) * time.Millisecond
		t.Latency = compare.Latency{Total: compare.Interval{Source: compare.Polled, Least: least, Most: least + 450*time.Millisecond},
			Create:       compare.Interval{Source: compare.Measured, Least: 212 * time.Millisecond, Most: 212 * time.Millisecond},
			GatewayTotal: compare.Interval{Source: compare.Stamped, Least: least, Most: least + 10*time.Millisecond}}
		if i > 3 {
			t.Latency.GatewayTotal = compare.Interval{}
		}
		fact := func(text string) compare.Fact { return compare.Fact{Text: text, Known: text != ""} }
		t.Facts = []compare.Property{
			{Field: "duration", Unit: "s", Asked: fact("6"), Claimed: fact("6"), Delivered: fact("6.0"), Verdict: compare.Pass, ClaimVerdict: compare.Pass},
			{Field: "width", Unit: "px", Asked: fact("1280"), Delivered: fact("1280"), Verdict: compare.Pass},
		}
		if i == 1 {
			t.Facts[0].Delivered, t.Facts[0].Verdict, t.Facts[0].ClaimVerdict = fact("5.0"), compare.Fail, compare.Fail
			t.Checks = []compare.Check{{Name: "latency < 4s", Verdict: compare.Fail, Text: "took 4.1–4.6 s"}}
		}
		if file != "" {
			t.Files = []compare.File{{Path: file, Kind: client.AssetImage, MediaType: "image/png", Bytes: 4321, Here: true}}
		}
	}
	return t
}

// shows opens the results with a run.
func (x *desk) shows(r *compare.Run) {
	x.b.runs[r.ID] = r
	x.Send(screen.ClickMsg{Zone: "tab:results"})
}

var _ = assert.Equal
