package postgres

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/jobs/store/storetest"
)

// Environment of a process that is killed, and of the long variant of the test.
const (
	envDSN    = "POLLERS_TEST_DSN"
	envServer = "POLLERS_TEST_SERVER"
	envName   = "POLLERS_TEST_NAME"
	envKills  = "POLLERS_TEST_KILL_FOR" // as 2m
)

const (
	testLease = 3 * time.Second
	testLook  = 500 * time.Millisecond
)

// options are those of an engine on another machine: nobody can tell whether its owner
// lives but by its lease.
func pollerOptions(s jobs.Store, server, name string) jobs.Options {
	return jobs.Options{
		Store: s, Gateway: storetest.WebGateway{Base: server}, Profile: "p", FormatFor: func(client.Draft) string { return "videos" },
		Owner: name, Lease: testLease, Look: testLook,
		Curve: schedule.Curve{First: 50 * time.Millisecond, Early: 0.5, Knee: 200 * time.Millisecond, Max: 200 * time.Millisecond, Jitter: 0.1},
	}
}

// pollAndDie is a process with two engines that submit and poll until it is killed, or its
// standard input ends with the test.
func pollAndDie(dsn, server, name string) error {
	ctx := context.Background()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	s, err := Open(ctx, dsn, Options{Conns: 4})
	if err != nil {
		return err
	}
	failed := make(chan error, 2)
	for i := range 2 {
		e := jobs.NewEngine(pollerOptions(s, server, fmt.Sprint(name, "-", i)))
		go func() { failed <- e.Run(ctx) }()
		go func() {
			for n := 0; ; n++ {
				prompt := fmt.Sprintf("%s-%d-%d", name, i, n)
				// Each of a model of its own: earlier durations of one would plan the polls.
				ids, err := e.Submit(ctx, []jobs.Submission{{Draft: client.Draft{Modality: client.Video, Model: prompt, Prompt: prompt}}})
				if err != nil {
					failed <- err
					return
				}
				_, _ = fmt.Fprintln(os.Stdout, ids[0]) // nobody listens after a kill
				<-time.After(400 * time.Millisecond)
			}
		}()
	}
	return <-failed
}

// counter is a gateway that counts what reaches it, and takes its time.
type counter struct {
	mu      sync.Mutex
	creates map[string]int // by prompt
	polls   map[string]int
	open    map[string]int
	last    map[string]time.Time
	gap     time.Duration // the longest between two polls of a task
	killed  time.Time     // the last kill; zero before it
	over    time.Duration // the longest from there to the next poll of a task
	double  []string      // tasks that were polled while another poll was under way
	total   int
}

const testPolls = 15 // until a task is done

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := client.Task{Format: "videos", Progress: -1}
	if r.Method == http.MethodPost {
		var b bytes.Buffer
		_, _ = b.ReadFrom(r.Body)
		c.mu.Lock()
		c.creates[b.String()]++
		c.mu.Unlock()
		<-time.After(time.Duration(rand.IntN(20)) * time.Millisecond)
		t.ID, t.Status, t.RawStatus = "t-"+b.String(), client.StatusQueued, "queued"
	} else {
		t.ID = strings.TrimPrefix(r.URL.Path, "/query/")
		n := c.begin(t.ID)
		<-time.After(30 * time.Millisecond)
		c.mu.Lock()
		c.open[t.ID]--
		c.mu.Unlock()
		t.Status, t.RawStatus = client.StatusRunning, fmt.Sprint("step ", n/4)
		if n >= testPolls {
			t.Status, t.RawStatus = client.StatusCompleted, "completed"
		}
	}
	_ = json.NewEncoder(w).Encode(t) // the client may be gone
}

func (c *counter) begin(id string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if c.open[id] > 0 {
		c.double = append(c.double, id)
	}
	if last, ok := c.last[id]; ok {
		c.gap = max(c.gap, now.Sub(last))
		if !c.killed.IsZero() && last.Before(c.killed) {
			c.over = max(c.over, now.Sub(c.killed))
		}
	}
	c.open[id]++
	c.polls[id]++
	c.total++
	c.last[id] = now
	return c.polls[id]
}

// child is a process that is to be killed.
type child struct {
	cmd  *exec.Cmd
	in   io.Closer
	said chan []string
}

func startChild(t *testing.T, dsn, server, name string) *child {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envDSN+"="+dsn, envServer+"="+server, envName+"="+name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	c := &child{cmd: cmd, in: in, said: make(chan []string, 1)}
	go func() {
		var ids []string
		for r := bufio.NewReader(out); ; {
			line, err := r.ReadString('\n')
			if err != nil { // the last one may be cut
				c.said <- ids
				return
			}
			ids = append(ids, strings.TrimSpace(line))
		}
	}()
	return c
}

// kill ends a child as nothing else does, and returns what it said to have taken.
func (c *child) kill() []string {
	_ = c.cmd.Process.Kill()
	ids := <-c.said
	_ = c.cmd.Wait() // killed
	_ = c.in.Close()
	return ids
}

// TestPollers has twenty pollers, twelve of them in six processes that are killed at random
// moments and replaced. What they had goes to others within the time of a lease; nothing is
// polled twice at once, nothing is dropped, and no create is sent twice.
func TestPollers(t *testing.T) {
	t.Parallel()
	killing := 4 * time.Second
	if v := os.Getenv(envKills); v != "" {
		var err error
		killing, err = time.ParseDuration(v)
		require.NoError(t, err)
	}
	c := &counter{creates: map[string]int{}, polls: map[string]int{}, open: map[string]int{}, last: map[string]time.Time{}}
	srv := httptest.NewServer(c)
	defer srv.Close()
	dsn := server.Database(t)
	s := openAt(t, dsn)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	for i := range 8 {
		e := jobs.NewEngine(pollerOptions(s, srv.URL, fmt.Sprint("stays-", i)))
		running.Go(func() { assert.NoError(t, e.Run(ctx)) })
	}
	var said []string
	children := make([]*child, 6)
	for i := range children {
		children[i] = startChild(t, dsn, srv.URL, fmt.Sprint("first-", i))
	}
	kills := 0
	for end := time.Now().Add(killing); time.Now().Before(end); kills++ {
		<-time.After(time.Duration(150+rand.IntN(500)) * time.Millisecond)
		i := rand.IntN(len(children))
		said = append(said, children[i].kill()...)
		children[i] = startChild(t, dsn, srv.URL, fmt.Sprint("next-", kills))
	}
	for _, x := range children {
		said = append(said, x.kill()...)
	}
	c.mu.Lock()
	c.killed = time.Now()
	c.mu.Unlock()
	var all []jobs.Job
	require.Eventually(t, func() bool {
		all = nil
		for q := (jobs.Query{Limit: 1000}); ; {
			p, err := s.List(t.Context(), q)
			require.NoError(t, err)
			all = append(all, p.Jobs...)
			if q.Before = p.Next; p.Next == "" {
				break
			}
		}
		for _, j := range all {
			if j.State.Active() {
				return false
			}
		}
		return true
	}, killing+60*time.Second, 100*time.Millisecond)
	c.check(t, all, said)
	t.Logf("%d jobs, %d polls, %d kills; longest gap between two polls of a task %s, after the last kill %s; all ended %s after it",
		len(all), c.total, kills+len(children), c.gap.Round(time.Millisecond), c.over.Round(time.Millisecond), time.Since(c.killed).Round(time.Millisecond))
}

func (c *counter) check(t *testing.T, all []jobs.Job, said []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	byID, byPrompt := map[string]bool{}, map[string]jobs.State{}
	completed := 0
	for _, j := range all {
		byID[j.ID], byPrompt[j.Draft.Prompt] = true, j.State
		switch j.State {
		case jobs.Completed:
			completed++
			assert.Equal(t, 1, c.creates[j.Draft.Prompt], "sent once: %s", j.Draft.Prompt)
			// Once more where a poller was killed between the last answer and its commit.
			assert.GreaterOrEqual(t, c.polls[j.TaskID], testPolls, "and polled until its end: %s", j.TaskID)
		case jobs.Ambiguous: // killed in the middle of a create
			assert.LessOrEqual(t, c.creates[j.Draft.Prompt], 1)
		default:
			assert.Fail(t, "a job was dropped", "%s is %s: %s", j.ID, j.State, j.Note)
		}
	}
	assert.Positive(t, completed)
	for prompt, n := range c.creates {
		assert.Equal(t, 1, n, "sent twice: %s", prompt)
		assert.Contains(t, byPrompt, prompt, "sent, and not in the history")
	}
	for _, id := range said {
		assert.True(t, byID[id], "taken, and not in the history: %s", id)
	}
	assert.Empty(t, c.double, "polled twice at once")
	// Before the last kill a task may have lost more than one poller on end. At rest it takes
	// the lease and some looks; the rest is for a machine that is busy with other tests.
	assert.Less(t, c.over, testLease+20*time.Second, "taken over within the lease")
}
