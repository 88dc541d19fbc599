package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/order"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/times"
	"darkroom/tui/tuitest"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fake is a history with an engine, in memory.
type fake struct {
	mu    sync.Mutex
	all   map[string]jobs.Job
	news  []jobs.Job
	seq   uint64
	event map[string]jobs.Detail

	listErr, detailErr, doErr, askErr error

	lists   []jobs.Query
	details []string
	gets    []string
	done    []string // "drop <id>"
	flow    jobs.Flow
	fresh   int
}

func newFake(js ...jobs.Job) *fake {
	f := &fake{all: map[string]jobs.Job{}, event: map[string]jobs.Detail{}}
	for _, j := range js {
		f.all[j.ID] = j
	}
	return f
}

// change publishes a job as the engine does.
func (f *fake) change(j jobs.Job) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seq++
	j.Seq = f.seq
	f.all[j.ID] = j
	f.news = append(f.news, j)
}

func (f *fake) List(ctx context.Context, q jobs.Query) (jobs.Page, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return jobs.Page{}, err
	}
	f.lists = append(f.lists, q)
	if f.listErr != nil {
		return jobs.Page{}, f.listErr
	}
	var all []jobs.Job
	before, paged := f.all[q.Before]
	for _, j := range f.all {
		if q.Judges() && j.State != jobs.Running { // as the engine would say
			continue
		}
		if q.Matches(&j) && (!paged || order.Compare(q.Sort, &before, &j) < 0) {
			all = append(all, j)
		}
	}
	slices.SortFunc(all, func(a, b jobs.Job) int { return order.Compare(q.Sort, &a, &b) })
	p := jobs.Page{Jobs: all}
	if len(all) > q.Limit {
		p.Jobs = all[:q.Limit]
		p.Next = p.Jobs[q.Limit-1].ID
	}
	return p, nil
}

func (f *fake) Get(_ context.Context, id string) (jobs.Job, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gets = append(f.gets, id)
	j, ok := f.all[id]
	if !ok {
		return j, errors.New("no such job")
	}
	return j, nil
}

func (f *fake) Detail(_ context.Context, id string) (jobs.Detail, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.details = append(f.details, id)
	d := f.event[id]
	d.Job = f.all[id]
	return d, f.detailErr
}

func (f *fake) Changes(seq uint64) ([]jobs.Job, uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	newest := map[string]jobs.Job{}
	for _, j := range f.news {
		if j.Seq > seq {
			newest[j.ID] = j
		}
	}
	var out []jobs.Job
	for _, j := range newest {
		out = append(out, j)
	}
	slices.SortFunc(out, func(a, b jobs.Job) int { return int(a.Seq) - int(b.Seq) })
	return out, f.seq
}

func (f *fake) Counts() jobs.Counts { return jobs.Counts{Flow: f.flow} }

func (f *fake) act(what, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done = append(f.done, what+" "+id)
	return f.doErr
}

func (f *fake) Submit(context.Context, []jobs.Submission) ([]string, error) {
	return nil, errors.New("not from here")
}
func (f *fake) Repoll(_ context.Context, id string) error   { return f.act("repoll", id) }
func (f *fake) Drop(_ context.Context, id string) error     { return f.act("drop", id) }
func (f *fake) Download(_ context.Context, id string) error { return f.act("download", id) }
func (f *fake) DownloadAgain(_ context.Context, id string) error {
	return f.act("download again", id)
}
func (f *fake) Tag(_ context.Context, id string, add, remove []string) error {
	return f.act(fmt.Sprint("tag ", add, remove), id)
}
func (f *fake) Remark(_ context.Context, id, text string) error { return f.act("remark "+text, id) }
func (f *fake) Reject(_ context.Context, ids []string, on bool) error {
	return f.act(fmt.Sprint("reject ", on), strings.Join(ids, " "))
}
func (f *fake) SetPaused(_ context.Context, id string, on bool) error {
	return f.act(fmt.Sprint("paused ", on), id)
}
func (f *fake) SendFiles(_ context.Context, id string) error { return f.act("send files", id) }
func (f *fake) SetPause(_ context.Context, host string, on bool) error {
	return f.act(fmt.Sprint("pause ", on), host)
}
func (f *fake) Pauses(context.Context) ([]jobs.Pause, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return nil, f.doErr
}
func (f *fake) Adoptable(_ context.Context, id, task string) (client.Task, error) {
	err := f.act("ask for "+task, id)
	return client.Task{ID: task, Status: client.StatusRunning, RawStatus: "in_progress"}, cmp.Or(f.askErr, err)
}
func (f *fake) Adopt(_ context.Context, id, task string) error {
	return f.act("adopt "+task, id)
}

func (f *fake) Resend(_ context.Context, id string) (string, error) {
	if err := f.act("resend", id); err != nil {
		return "", err
	}
	f.fresh++
	j := job(9000+f.fresh, jobs.Planned)
	f.change(j)
	return j.ID, nil
}

// took empties what was asked so far.
func (f *fake) took() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists, f.details, f.gets, f.done = nil, nil, nil, nil
}

func jobID(n int) string { return fmt.Sprintf("0195a000-0000-7000-8000-%012d", n) }

// job makes the job n; higher ones are newer.
func job(n int, s jobs.State) jobs.Job {
	at := start.Add(-time.Hour + time.Duration(n)*time.Second)
	j := jobs.Job{
		ID: jobID(n), Profile: "sandbox", Format: "videos", State: s, Progress: -1,
		Draft: client.Draft{
			Modality: client.Video, Model: "famA-video", Mode: "t2v", Prompt: fmt.Sprintf("a red kite over a salt flat, take %d", n),
			Values: client.Values{"duration": "6", "aspect_ratio": "16:9"},
		},
		CreatedAt: at, UpdatedAt: at,
	}
	if s.Polled() || s == jobs.Completed || s == jobs.Failed {
		j.TaskID, j.QueryFormat, j.RawStatus = fmt.Sprintf("task-%d", n), "videos", string(s)
		j.SubmittedAt, j.AcceptedAt, j.CreateTook, j.Polls = at.Add(50*time.Millisecond), at.Add(400*time.Millisecond), 350*time.Millisecond, 4
	}
	switch s {
	case jobs.Running:
		j.Progress, j.NextPollAt = 42, start.Add(3*time.Second)
	case jobs.Completed:
		j.EndedAt = at.Add(12 * time.Second)
		j.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://cdn.example/v.mp4"}}
	case jobs.Failed:
		j.EndedAt = at.Add(9 * time.Second)
		j.Error = &client.TaskError{Code: "content_policy", Message: "The prompt was refused by the safety system."}
	case jobs.Ambiguous:
		j.SubmittedAt, j.Note = at, "the create's answer was lost: connection reset"
	}
	return j
}

func many(n int) []jobs.Job {
	states := []jobs.State{jobs.Completed, jobs.Completed, jobs.Running, jobs.Failed, jobs.Queued, jobs.Completed, jobs.Dropped, jobs.Refused}
	out := make([]jobs.Job, n)
	for i := range out {
		out[i] = job(i+1, states[i%len(states)])
	}
	return out
}

func deps(t testing.TB, f *fake) Deps {
	t.Helper()
	k := keys.New(Rows(), []keys.Action{{ID: screen.GoToCompose, Keys: []string{"1"}}, {ID: screen.SubmitDraft, Keys: []string{"ctrl+s"}}})
	return Deps{Jobs: f, Catalog: catalogtest.Catalog(t), Keys: k, Styles: tuitest.Styles(t), Previews: preview.New(preview.Options{Workers: 2}), Frames: true, Times: times.New(human.Local, nil), Now: func() time.Time { return start }}
}

// bench is a driven screen.
type bench struct {
	t testing.TB
	*tuitest.Driver
	m *Model
	f *fake
}

func open(t testing.TB, w, h int, js ...jobs.Job) *bench {
	t.Helper()
	return openWith(t, newFake(js...), w, h)
}

func openWith(t testing.TB, f *fake, w, h int) *bench {
	t.Helper()
	return openDeps(t, deps(t, f), f, w, h)
}

func openDeps(t testing.TB, d Deps, f *fake, w, h int) *bench {
	t.Helper()
	m := New(d)
	return &bench{Driver: tuitest.NewScreen(t, m, w, h), t: t, m: m, f: f}
}

// row is the id of the job under the cursor.
func (b *bench) row() string { return b.m.list.current }

// line is the line of the screen that holds a text.
func line(view, text string) string {
	for l := range strings.SplitSeq(view, "\n") {
		if strings.Contains(l, text) {
			return l
		}
	}
	return ""
}

// burst are keys that arrived in one read.
func burst(s string) tea.Msg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
