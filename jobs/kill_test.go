package jobs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/download"
	"darkroom/jobs/schedule"
	"darkroom/jobs/store"
	"darkroom/jobs/store/storetest"
)

// Environment of the process that is killed.
const (
	envHistory = "JOBS_TEST_HISTORY"
	envServer  = "JOBS_TEST_SERVER"
	envRound   = "JOBS_TEST_ROUND"
	// envKills is set by a person: how many times TestKill kills instead of kills times.
	envKills = "JOBS_TEST_KILLS"
)

// TestMain is the tests', a console in small that works until it is killed, or a gateway
// for benchmarks in a process of its own.
func TestMain(m *testing.M) {
	if path := os.Getenv(envHistory); path != "" {
		if err := work(path, os.Getenv(envServer), os.Getenv(envRound)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv(envServe) != "" {
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work submits three jobs, prints their ids, and works for ever.
func work(path, server, round string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	e := jobs.NewEngine(realOptions(s, server))
	go func() {
		for i := range 3 {
			ids, err := e.Submit(ctx, []jobs.Submission{sub(round + "-" + fmt.Sprint(i))})
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			_, _ = fmt.Fprintln(os.Stdout, ids[0]) // nobody listens after a kill
		}
	}()
	return e.Run(ctx)
}

func realOptions(s jobs.Store, server string) jobs.Options {
	return jobs.Options{
		Store: s, Gateway: storetest.WebGateway{Base: server}, Profile: "p", FormatFor: func(client.Draft) string { return "videos" },
		Curve: schedule.Curve{First: 20 * time.Millisecond, Early: 0.5, Knee: 50 * time.Millisecond, Max: 50 * time.Millisecond, Jitter: 0.1},
		Look:  50 * time.Millisecond,
	}
}

// The client and the saver are what the engine is made for.
var (
	_ jobs.Gateway    = (*client.Client)(nil)
	_ download.Source = (*client.Client)(nil)
	_ jobs.Saver      = (*download.Saver)(nil)
)

// counter is a gateway that counts what reaches it.
type counter struct {
	mu      sync.Mutex
	creates map[string]int // by prompt
	queries map[string]int
	open    map[string]int
	double  int // polls of a task while another one was under way
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var t client.Task
	if r.Method == http.MethodPost {
		var b bytes.Buffer
		_, _ = b.ReadFrom(r.Body)
		c.mu.Lock()
		c.creates[b.String()]++
		c.mu.Unlock()
		<-time.After(time.Duration(rand.IntN(20)) * time.Millisecond) //nolint:gosec // a delay
		t = client.Task{ID: "t-" + b.String(), Format: "videos", Status: client.StatusQueued, RawStatus: "queued"}
	} else {
		id := strings.TrimPrefix(r.URL.Path, "/query/")
		c.mu.Lock()
		c.queries[id]++
		n := c.queries[id]
		if c.open[id] > 0 {
			c.double++
		}
		c.open[id]++
		c.mu.Unlock()
		<-time.After(2 * time.Millisecond)
		c.mu.Lock()
		c.open[id]--
		c.mu.Unlock()
		t = client.Task{ID: id, Format: "videos", Status: client.StatusRunning, RawStatus: fmt.Sprint("step ", min(n, 4))}
		if n > 4 {
			t.Status, t.RawStatus = client.StatusCompleted, "completed"
		}
	}
	t.Progress = -1
	_ = json.NewEncoder(w).Encode(t) // the client may be gone
}

// kills is how many times TestKill kills.
const kills = 20

// TestKill kills a process that submits and polls, at random moments, many times. What
// it said to have taken is in the history, nothing is sent twice, and the last start
// brings everything to its end.
func TestKill(t *testing.T) {
	t.Parallel()
	c := &counter{creates: map[string]int{}, queries: map[string]int{}, open: map[string]int{}}
	srv := httptest.NewServer(c)
	defer srv.Close()
	path := filepath.Join(t.TempDir(), "h.db")
	var said []string
	rounds := kills
	if s := os.Getenv(envKills); s != "" {
		var err error
		rounds, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	lives := 120 // milliseconds, at most, after the first few
	for round := range rounds {
		cmd := exec.Command(os.Args[0]) //nolint:gosec // this test binary
		cmd.Env = append(os.Environ(), envHistory+"="+path, envServer+"="+srv.URL, envRound+"="+fmt.Sprint(round))
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		require.NoError(t, cmd.Start())
		<-time.After(time.Duration(30+rand.IntN(lives)) * time.Millisecond) //nolint:gosec // any moment will do
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // killed
		require.Empty(t, errs.String())
		lines := strings.Split(out.String(), "\n")
		said = append(said, lines[:len(lines)-1]...) // the last one may be cut
		if len(said) == 0 {
			lives = min(2*lives, 3000) // a slow machine
		}
	}
	require.NotEmpty(t, said)
	s, err := store.Open(t.Context(), path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	e := jobs.NewEngine(realOptions(s, srv.URL))
	ctx, stop := context.WithTimeout(t.Context(), time.Minute+time.Duration(rounds)*500*time.Millisecond)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	p, err := s.List(ctx, jobs.Query{Limit: 10_000})
	require.NoError(t, err)
	ids := make([]string, len(p.Jobs))
	for i, j := range p.Jobs {
		ids[i] = j.ID
	}
	list, err := e.Wait(ctx, ids)
	require.NoError(t, err)
	stop()
	require.NoError(t, <-ended)

	byPrompt := map[string]jobs.Job{}
	states := map[jobs.State]int{}
	for _, j := range list {
		byPrompt[j.Draft.Prompt] = j
		states[j.State]++
		d, err := s.Detail(t.Context(), j.ID)
		require.NoError(t, err)
		for i := 1; i < len(d.Events); i++ {
			assert.Equal(t, d.Events[i-1].To, d.Events[i].From, "the timeline has no gap")
		}
	}
	assert.Equal(t, len(list), states[jobs.Completed]+states[jobs.Ambiguous], "%v", states)
	for _, id := range said {
		assert.Contains(t, ids, id, "what was taken is kept")
	}
	for prompt, n := range c.creates {
		assert.Equal(t, 1, n, "sent twice: %s", prompt)
		assert.Contains(t, byPrompt, prompt, "sent, and not in the history")
	}
	for prompt, j := range byPrompt {
		if j.State == jobs.Completed {
			assert.Equal(t, 1, c.creates[prompt])
		}
	}
	t.Logf("%d jobs, %v", len(list), states)
}

// TestTwoEnginesOnOneFile lets two engines with their own connections share a history.
func TestTwoEnginesOnOneFile(t *testing.T) {
	t.Parallel()
	c := &counter{creates: map[string]int{}, queries: map[string]int{}, open: map[string]int{}}
	srv := httptest.NewServer(c)
	defer srv.Close()
	path := filepath.Join(t.TempDir(), "h.db")
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var engines [2]*jobs.Engine
	var done sync.WaitGroup
	for i := range engines {
		s, err := store.Open(ctx, path)
		require.NoError(t, err)
		defer func() { assert.NoError(t, s.Close()) }()
		o := realOptions(s, srv.URL)
		o.Owner = fmt.Sprint("engine ", i)
		engines[i] = jobs.NewEngine(o)
	}
	runs, end := context.WithCancel(ctx)
	defer done.Wait()
	defer end()
	for _, e := range engines {
		done.Go(func() { assert.NoError(t, e.Run(runs)) })
	}
	var ids []string
	for i := range 20 {
		got, err := engines[i%2].Submit(ctx, []jobs.Submission{sub(fmt.Sprint("job ", i))})
		require.NoError(t, err)
		ids = append(ids, got...)
	}
	for _, e := range engines {
		list, err := e.Wait(ctx, ids)
		require.NoError(t, err)
		for _, j := range list {
			assert.Equal(t, jobs.Completed, j.State)
		}
	}
	assert.Len(t, c.creates, 20)
	for p, n := range c.creates {
		assert.Equal(t, 1, n, p)
	}
	for id, n := range c.queries {
		assert.Equal(t, 5, n, "polled by one engine only, and not after its end: %s", id)
	}
	assert.Zero(t, c.double)
}
