package postgres

import (
	"context"
	"fmt"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/postgres/pgtest"
	"darkroom/jobs/store/storetest"
)

func newCounter() *counter {
	return &counter{creates: map[string]int{}, polls: map[string]int{}, open: map[string]int{}, last: map[string]time.Time{}}
}

func (c *counter) all() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// TestServerRestart crashes the server under two engines that work, and starts it again:
// both say that it is away, and go on by themselves. Each job comes to its end, nothing is
// sent twice or polled twice at once, and what one of them submits the other one sees.
func TestServerRestart(t *testing.T) {
	t.Parallel()
	own := &pgtest.Server{}
	t.Cleanup(own.Stop)
	dsn := own.Database(t)
	c := newCounter()
	srv := httptest.NewServer(c)
	defer srv.Close()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	var engines []*jobs.Engine
	for i := range 2 {
		e := jobs.NewEngine(pollerOptions(openAt(t, dsn), srv.URL, fmt.Sprint("engine-", i)))
		running.Go(func() { assert.NoError(t, e.Run(ctx)) })
		engines = append(engines, e)
	}
	submit := func(e *jobs.Engine, prompt string) (string, error) {
		ids, err := e.Submit(ctx, []jobs.Submission{{Draft: client.Draft{Modality: client.Video, Model: prompt, Prompt: prompt}}})
		if err != nil {
			return "", err
		}
		return ids[0], nil
	}
	var ids []string
	for i := range 8 {
		id, err := submit(engines[i%2], fmt.Sprint("job-", i))
		require.NoError(t, err)
		ids = append(ids, id)
	}
	wait := func(what string, ok func() bool) {
		t.Helper()
		require.Eventually(t, ok, 60*time.Second, 20*time.Millisecond, what)
	}
	wait("they poll", func() bool { return c.all() > 20 })
	own.Halt(t)
	for _, e := range engines {
		wait("it is told that the history is away", func() bool { return !e.Counts().Flow.Away.IsZero() })
		assert.Contains(t, e.Counts().Flow.Why, "the history postgres://")
	}
	_, err := submit(engines[0], "refused")
	require.ErrorContains(t, err, "the history postgres://", "and nothing is taken that could be lost")
	own.Resume(t)
	for _, e := range engines {
		wait("it is told that it is there again", func() bool { return e.Counts().Flow == jobs.Flow{} })
	}
	id, err := submit(engines[0], "after")
	require.NoError(t, err)
	ids = append(ids, id)
	wait("the other one sees it", func() bool {
		seen, _ := engines[1].Changes(0)
		for _, j := range seen {
			if j.ID == id {
				return true
			}
		}
		return false
	})
	for _, id := range ids {
		wait("it ends", func() bool {
			j, err := engines[0].Get(ctx, id)
			return err == nil && j.State == jobs.Completed
		})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	assert.Empty(t, c.double, "polled twice at once")
	assert.Len(t, c.creates, len(ids))
	for prompt, n := range c.creates {
		assert.Equal(t, 1, n, prompt)
	}
}

// TestServerHangs: a server that takes everything and answers nothing holds nobody up for
// longer than the limits.
func TestServerHangs(t *testing.T) {
	t.Parallel()
	p, dsn := newProxy(t, server.Database(t))
	s := openAt(t, dsn)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	s.hurry = time.Second
	p.setStuck(true)
	_, err := s.Look(t.Context())
	require.ErrorContains(t, err, "did not answer in time")
	p.setStuck(false)
	p.cut()
	_, err = s.Look(t.Context())
	require.NoError(t, err)
}
