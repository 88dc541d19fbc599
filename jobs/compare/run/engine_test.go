package run

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/store/storetest"
)

// gateway makes tasks that take so long by the model.
type gateway struct {
	takes map[string]time.Duration

	mu    sync.Mutex
	tasks map[string]time.Time // when each ends
	asked []string             // the models of the creates
	most  int
}

func (g *gateway) Create(_ context.Context, d client.Draft, format string) (client.Task, error) {
	pass(300 * time.Millisecond)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, d.Model)
	id := fmt.Sprintf("t%d", len(g.asked))
	g.tasks[id] = time.Now().Add(g.takes[d.Model])
	working := 0
	for _, end := range g.tasks {
		if time.Now().Before(end) {
			working++
		}
	}
	g.most = max(g.most, working)
	return client.Task{ID: id, Format: format, Status: client.StatusQueued, Progress: -1, Meta: client.Meta{HTTPStatus: 200, Latency: 300 * time.Millisecond}}, nil
}

func (g *gateway) Query(_ context.Context, format, id string) (client.Task, error) {
	pass(50 * time.Millisecond)
	g.mu.Lock()
	defer g.mu.Unlock()
	t := client.Task{ID: id, Format: format, Status: client.StatusRunning, Progress: -1, Meta: client.Meta{HTTPStatus: 200, Latency: 50 * time.Millisecond}}
	if !time.Now().Before(g.tasks[id]) {
		t.Status, t.Assets = client.StatusCompleted, []client.Asset{{Kind: client.AssetVideo, URL: "https://h/" + id + ".mp4"}}
	}
	return t, nil
}

// slow saves in ten seconds.
type slow struct{}

func (slow) Save(ctx context.Context, r jobs.FileRequest, _ func(done, total int64)) (jobs.File, error) {
	select {
	case <-time.After(10 * time.Second):
		return jobs.File{Path: "/d/" + r.Job.ID, Bytes: 3, Total: 3, SHA256: "x"}, nil
	case <-ctx.Done():
		return jobs.File{}, ctx.Err()
	}
}

// engine is a real one as runs need it.
type engine struct{ *jobs.Engine }

func (e engine) Watch() <-chan struct{} { return jobs.Watch(e.Engine) }
func (e engine) Want(ids ...string)     { jobs.Want(e.Engine, ids...) }
func (e engine) Judge(_ context.Context, j jobs.Job) (jobs.Job, error) {
	return e.Engine.Judge(j), nil
}

// TestARunOnAnEngine: the process ends in the middle, and another one goes on.
func TestARunOnAnEngine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		gate := &gateway{takes: map[string]time.Duration{"m1": 5 * time.Second, "m2": 9 * time.Second}, tasks: map[string]time.Time{}}
		store, here := storetest.NewMem(), jobs.NewInstallation()
		process := func(owner string) (*Bench, func()) {
			e := jobs.NewEngine(jobs.Options{
				Store: store, Gateway: gate, Saver: slow{}, Profile: "p", Owner: owner, AutoDownload: true, Installation: here,
				Rand: func() float64 { return 0.5 }, OwnOnly: true,
			})
			ctx, cancel := context.WithCancel(context.Background())
			over := make(chan struct{})
			go func() {
				defer close(over)
				assert.NoError(t, e.Run(ctx))
			}()
			b := New(Options{Dir: dir, Jobs: engine{e}, Profile: "p", Host: "h"})
			return b, func() {
				b.Close()
				cancel()
				<-over
			}
		}
		b, end := process("one")
		id, err := b.Start(t.Context(), planOf(2, 4, 0))
		require.NoError(t, err)
		pass(12 * time.Second)
		end()
		pass(time.Minute) // nobody looks

		b, end = process("two")
		defer end()
		list, err := b.List(t.Context())
		require.NoError(t, err)
		assert.Equal(t, compare.Open, list[0].Status)
		require.NoError(t, b.Resume(t.Context(), id))
		r := ended(t, b, id)
		assert.Equal(t, compare.Tally{Cells: 2, Planned: 8, Sent: 8, Done: 8}, r.Tally())
		assert.Len(t, gate.asked, 8, "each slot was sent once")
		assert.LessOrEqual(t, gate.most, 2)
		watched := 0
		for i := range r.Trials {
			x := &r.Trials[i]
			require.Len(t, x.Files, 1)
			assert.True(t, x.Files[0].Here)
			took, real := x.Latency.Total, gate.takes[r.Cell(x.Slot.Cell).Model]+300*time.Millisecond
			assert.LessOrEqual(t, took.Least, real, x.Slot)
			assert.GreaterOrEqual(t, took.Most, real, x.Slot)
			if took.Most-took.Least < 3*time.Second {
				watched++
			}
		}
		assert.GreaterOrEqual(t, watched, 6, "polls of a run are close")
	})
}
