package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// pass lets virtual time pass.
func pass(d time.Duration) { <-time.After(d) }

// life is what becomes of a job.
type life struct {
	queued, running, saving time.Duration
	end                     jobs.State // Completed unless set
	held                    bool       // it is planned, and never sent
}

// history is an engine with its history, whose jobs live as a script says. What was submitted goes on
// whatever happens to the bench.
type history struct {
	script func(cell string, n int) life // n is 1 for the slot's first job

	mu      sync.Mutex
	seq     uint64
	all     map[string]*jobs.Job
	order   []string
	changed chan struct{}
	flow    jobs.Flow
	clock   func() time.Time // that the engine goes by
	inTask  int              // tasks under way
	most    int
	dropped []string
	wanted  []string
	step    func(what string) error // may end it all before or after something is done
	lists   int
}

func newHistory(script func(cell string, n int) life) *history {
	return &history{script: script, all: map[string]*jobs.Job{}, changed: make(chan struct{}), clock: time.Now}
}

func always(l life) func(string, int) life { return func(string, int) life { return l } }

func (h *history) do(what string) error {
	if h.step == nil {
		return nil
	}
	return h.step(what)
}

func (h *history) Submit(_ context.Context, subs []jobs.Submission) ([]string, error) {
	if err := h.do("before submit"); err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range subs {
		h.mu.Lock()
		id := uuid.Must(uuid.NewV7()).String()
		n := len(h.slot(s.Cell)) + 1
		h.all[id] = &jobs.Job{ID: id, Profile: "p", Run: s.Run, Cell: s.Cell, Draft: s.Draft, Format: s.Format, State: jobs.Planned, Progress: -1, CreatedAt: time.Now()}
		h.order = append(h.order, id)
		h.post(id)
		h.mu.Unlock()
		ids = append(ids, id)
		go h.live(id, h.script(s.Cell, n))
	}
	return ids, h.do("after submit")
}

// live lets a job live.
func (h *history) live(id string, l life) {
	if l.held {
		return
	}
	if l.end == "" {
		l.end = jobs.Completed
	}
	h.set(id, func(j *jobs.Job) {
		now := h.clock()
		j.State, j.TaskID, j.SubmittedAt, j.AcceptedAt, j.CreateTook = jobs.Queued, "t-"+id, now, now, time.Millisecond
		j.Seen.Sent, j.Seen.Waiting, j.Seen.Working = now, now, now
		h.inTask++
		h.most = max(h.most, h.inTask)
		if l.end == jobs.Refused || l.end == jobs.Ambiguous {
			h.inTask--
			j.State, j.EndedAt, j.TaskID = l.end, now, ""
		}
	})
	if l.end == jobs.Refused || l.end == jobs.Ambiguous {
		return
	}
	pass(l.queued)
	h.set(id, func(j *jobs.Job) { j.State, j.Seen.Running, j.Seen.Working = jobs.Running, h.clock(), h.clock() })
	for began := time.Now(); time.Since(began) < l.running; {
		pass(min(time.Second, l.running-time.Since(began)))
		h.set(id, func(j *jobs.Job) { j.Polls++; j.Seen.Working = h.clock() })
	}
	h.set(id, func(j *jobs.Job) {
		h.inTask--
		j.State, j.EndedAt, j.Seen.Ended = l.end, h.clock(), h.clock()
		if l.end == jobs.Lost {
			j.Seen.Ended = time.Time{}
		}
		if l.end == jobs.Completed {
			j.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileWanted}}
		} else {
			j.Error = &client.TaskError{Code: "boom", Message: "it broke\x1b[2J"}
		}
	})
	if l.end != jobs.Completed {
		return
	}
	pass(l.saving)
	h.set(id, func(j *jobs.Job) {
		j.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/d/" + id, Bytes: 3, SHA256: "x", Proof: "proof of " + id}}
	})
}

func (h *history) set(id string, f func(*jobs.Job)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if j := h.all[id]; j.State != jobs.Dropped {
		f(j)
		h.post(id)
	}
}

// post publishes a job; the lock is held.
func (h *history) post(id string) {
	h.seq++
	h.all[id].Seq = h.seq
	close(h.changed)
	h.changed = make(chan struct{})
}

// slot returns the jobs of a slot, oldest first; the lock is held.
func (h *history) slot(cell string) []*jobs.Job {
	var out []*jobs.Job
	for _, id := range h.order {
		if h.all[id].Cell == cell {
			out = append(out, h.all[id])
		}
	}
	return out
}

func (h *history) Drop(_ context.Context, id string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dropped = append(h.dropped, id)
	h.all[id].State = jobs.Dropped
	h.post(id)
	return nil
}

func (h *history) SetPaused(_ context.Context, id string, on bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all[id].Paused = on; !on {
		h.all[id].Note = ""
		go h.live(id, life{running: time.Second})
	}
	h.post(id)
	return nil
}

func (h *history) Counts() jobs.Counts {
	h.mu.Lock()
	defer h.mu.Unlock()
	return jobs.Counts{Flow: h.flow}
}

// List has pages of three, to be paged through.
func (h *history) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	if err := h.do("list"); err != nil {
		return jobs.Page{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lists++
	var page jobs.Page
	skip := q.Before != ""
	for _, id := range h.order {
		switch j := h.all[id]; {
		case skip:
			skip = id != q.Before
		case !q.Matches(j):
		case len(page.Jobs) == 3:
			page.Next = page.Jobs[2].ID
			return page, nil
		default:
			page.Jobs = append(page.Jobs, *j)
		}
	}
	return page, nil
}

func (h *history) Detail(_ context.Context, id string) (jobs.Detail, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return jobs.Detail{Job: *h.all[id], Answer: []byte("answer of " + id)}, nil
}

func (h *history) Changes(seq uint64) (out []jobs.Job, _ uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, j := range h.all {
		if j.Seq > seq {
			c := *j
			c.Files = slices.Clone(j.Files)
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b jobs.Job) int { return int(a.Seq) - int(b.Seq) })
	return out, h.seq
}

func (h *history) Watch() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed
}

func (h *history) Want(ids ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wanted = append(h.wanted, ids...)
}

// Judge takes for saved here what has the proof of its job.
func (h *history) Judge(_ context.Context, j jobs.Job) (jobs.Job, error) {
	for i := range j.Files {
		j.Files[i].Elsewhere = j.Files[i].Proof != "proof of "+j.ID
	}
	return j, nil
}

// sent are the cells of the jobs, oldest first.
func (h *history) sent() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, id := range h.order {
		out = append(out, h.all[id].Cell)
	}
	return out
}

// counts says how many jobs each slot has.
func (h *history) counts() map[string]int {
	out := map[string]int{}
	for _, cell := range h.sent() {
		out[cell]++
	}
	return out
}

// planOf is a run of so many cells and repeats, not shuffled, with a warm-up each if wanted.
func planOf(cells, repeats, warmups int) compare.Run {
	r := compare.Run{Name: "night", Suite: "suite: x\n", SuiteHash: "abc", Seed: 7, Repeats: repeats, Warmups: warmups, Concurrency: 2}
	for n := 1; n <= cells; n++ {
		r.Cells = append(r.Cells, compare.Cell{
			Number: n, Hash: fmt.Sprint("h", n), Prompt: compare.Prompt{ID: "p1", Text: "a kite"}, Model: fmt.Sprint("m", n), Format: "videos",
			Draft: client.Draft{Modality: client.Video, Model: fmt.Sprint("m", n), Prompt: "a kite"},
		})
	}
	for k := 1; k <= warmups; k++ {
		for n := range cells {
			r.Order = append(r.Order, compare.Slot{Cell: n + 1, Repeat: k, Warmup: true})
		}
	}
	for k := 1; k <= repeats; k++ {
		for n := range cells {
			r.Order = append(r.Order, compare.Slot{Cell: n + 1, Repeat: k})
		}
	}
	return r
}

// ended waits for the end of a run and returns it.
func ended(t *testing.T, b *Bench, id string) compare.Run {
	t.Helper()
	require.NoError(t, b.Wait(t.Context(), id))
	r, err := b.Load(t.Context(), id)
	require.NoError(t, err)
	return r
}

// states are the trials of a run, as "1.1 completed".
func states(r *compare.Run) []string {
	var out []string
	for i := range r.Trials {
		x := &r.Trials[i]
		text := fmt.Sprintf("%s %s", x.Slot, x.State)
		if x.Attempt > 1 {
			text += fmt.Sprintf(" #%d", x.Attempt)
		}
		if x.TimedOut {
			text += " timed out"
		}
		out = append(out, text)
	}
	return out
}
