package jobs_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
)

// routed is a gateway whose tasks are visible through one route only.
type routed struct {
	*gateway
	mu    sync.Mutex
	knows string
	asked []string
}

func (g *routed) Query(ctx context.Context, format, id string) (client.Task, error) {
	g.mu.Lock()
	g.asked = append(g.asked, format)
	knows := g.knows
	g.mu.Unlock()
	if format != knows {
		return client.Task{}, apiError(404)
	}
	t, err := g.gateway.Query(ctx, format, id)
	t.Format = format
	return t, err
}

func (g *routed) take() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := g.asked
	g.asked = nil
	return out
}

func TestAPollFallsBackToTheOtherRoutesAndRemembers(t *testing.T) {
	t.Parallel()
	gate := &routed{knows: "tasks"}
	run(t, func(r *rig, o *jobs.Options) {
		gate.gateway = r.gate
		o.Gateway = gate
		o.RoutesFor = func(string) []string { return []string{"videos", "content", "tasks"} }
	}, func(r *rig) {
		id := r.submit()
		r.pass(1500 * time.Millisecond)
		assert.Equal(t, jobs.Running, r.job(id).State)
		assert.Equal(t, "tasks", r.job(id).QueryFormat)
		assert.Equal(t, "tasks", r.kept(id).Job.QueryFormat, "and the history knows it")
		assert.Equal(t, []string{"videos", "content", "tasks"}, gate.take())
		r.pass(10 * time.Second)
		for _, f := range gate.take() {
			assert.Equal(t, "tasks", f, "the route that answered is asked first")
		}

		gate.mu.Lock()
		gate.knows = "content"
		gate.mu.Unlock()
		r.pass(20 * time.Second)
		assert.Equal(t, "content", r.job(id).QueryFormat, "it may move on")
		assert.Equal(t, jobs.Running, r.job(id).State)

		gate.mu.Lock()
		gate.knows = "none"
		gate.mu.Unlock()
		r.pass(5 * time.Minute)
		assert.Equal(t, jobs.Lost, r.job(id).State, "no route knows it")
	})
}
