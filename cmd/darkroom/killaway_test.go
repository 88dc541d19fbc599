package main_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/postgres/pgtest"
)

// killsAway is how many kills TestKilledWhileTheHistoryIsAway needs at least: each window of
// each kind of history.
const killsAway = 12

// TestKilledWhileTheHistoryIsAway kills `create` with SIGKILL before its POST, during it, after
// the answer and before the history has it, and after that: with a history that works, on a
// disk that is full from that very moment on, and with a PostgreSQL that is stopped at it. A
// gateway counts the creates of each job. Once the history is back no answer that was kept is
// lost, nothing is sent twice, and what nobody can know is ambiguous.
func TestKilledWhileTheHistoryIsAway(t *testing.T) {
	t.Parallel()
	rounds := killsAway
	if s := os.Getenv(envKills); s != "" {
		var err error
		rounds, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	for name, open := range map[string]func(*testing.T, *toll) *hit{"works": openWorking, "full disk": openFull, "PostgreSQL stopped": openShared} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newToll(t)
			x := open(t, g)
			x.t, x.g, x.seen, x.unclear, x.kills = t, g, map[string]string{}, map[string]bool{}, map[window]int{}
			for i := range max(len(windows), (rounds+2)/3) {
				x.round(windows[i%len(windows)], fmt.Sprintf("round %d", i))
			}
			t.Logf("kills at %v; in the end %s", x.kills, x.check())
		})
	}
}

// window is where in the life of a create its process is killed, when its history is away.
type window string

const (
	beforePost window = "before the POST"
	inPost     window = "during the POST"
	unwritten  window = "answered and not written"
	written    window = "written"
)

var windows = []window{beforePost, inPost, unwritten, written}

// toll is a gateway that counts the creates of each job, and hands one over to the test before
// it is answered.
type toll struct {
	*httptest.Server
	catch atomic.Pointer[chan *post]

	mu    sync.Mutex
	count map[string]int // creates by job
}

// post is a create that awaits its answer.
type post struct {
	job    string
	answer chan bool // whether there is one
}

// task is the id of a job's task.
func task(job string) string { return "video_of_" + job }

func newToll(t *testing.T) *toll {
	t.Helper()
	g := &toll{count: map[string]int{}}
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	return g
}

// ServeHTTP implements http.Handler.
func (g *toll) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := filepath.Base(r.URL.Path)
	if r.Method == http.MethodPost {
		var sent struct {
			ID string `json:"external_task_id"`
		}
		body, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(body, &sent) != nil || sent.ID == "" {
			return // half a request of a killed sender
		}
		g.mu.Lock()
		g.count[sent.ID]++
		g.mu.Unlock()
		if c := g.catch.Swap(nil); c != nil {
			p := &post{sent.ID, make(chan bool)}
			*c <- p
			if !<-p.answer {
				return
			}
		}
		id = task(sent.ID)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"id":%q,"object":"video","status":"queued"}`, id) // its client may be dead
}

// hit is a home whose program is killed while its history is away.
type hit struct {
	h           *home
	root        string // the home as the test sees it
	begin, over func()
	history     jobs.Store // of one that never is away: it is locked while an answer must not be written

	t       *testing.T
	g       *toll
	seen    map[string]string // ids of tasks that were kept at a kill, by job
	unclear map[string]bool   // jobs whose create was not answered at a kill
	kills   map[window]int
}

func nothing() {}

func openWorking(t *testing.T, g *toll) *hit {
	h := newHome(t, g.env()...)
	path, errOut, code := h.run(t, "", "history", "path")
	require.Equal(t, 0, code, errOut)
	s, err := store.Open(t.Context(), strings.TrimSpace(path))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return &hit{h: h, root: h.dir, history: s, begin: nothing, over: nothing}
}

func openFull(t *testing.T, g *toll) *hit {
	h, d, ok := smallDisk(t, g.env()...)
	if !ok { // the system has no small disk for us: what is left is the history that works
		return openWorking(t, g)
	}
	return &hit{h: h, root: d.root, begin: func() { require.NoError(t, d.fill()) }, over: d.free}
}

func openShared(t *testing.T, g *toll) *hit {
	server := &pgtest.Server{}
	t.Cleanup(server.Stop)
	dsn := server.Database(t)
	h := newHome(t, append(g.env(), "DARKROOM_HISTORY="+dsn)...)
	return &hit{h: h, root: h.dir, begin: func() { server.Halt(t) }, over: func() { server.Resume(t) }}
}

func (g *toll) env() []string {
	return []string{"DARKROOM_BASE_URL=" + g.URL, "DARKROOM_API_KEY=sk-toll-1"}
}

// round has a create killed in a window, brings the history back, and starts the next command.
func (x *hit) round(at window, prompt string) {
	x.t.Helper()
	word := "resume"
	if at == beforePost {
		word = "pause"
	}
	x.ok("jobs", word, "--all")
	posts := make(chan *post, 1)
	x.g.catch.Store(&posts)
	v := newVictim()
	v.run(x.t, x.h, "create", "video", "--prompt", prompt, "--count", "2", "--wait")
	if at == beforePost {
		v.says(x.t, "planned")
		x.begin()
		v.kill()
	} else {
		x.kill(v, at, x.caught(v, posts))
	}
	x.g.catch.Store(nil)
	require.True(x.t, v.killed(), "%s\n%s", at, v.out.String())
	x.over()
	x.kills[at]++
	ids := map[string]string{}
	for _, j := range x.list() { // and takes the spool over
		ids[j.ID] = j.TaskID
	}
	for job, id := range x.seen {
		require.Equal(x.t, id, ids[job], "%s: the id of job %s was kept, and is lost\n%s", at, job, v.out.String())
	}
}

// caught waits for the create that the test answers.
func (x *hit) caught(v *victim, posts chan *post) *post {
	x.t.Helper()
	select {
	case p := <-posts:
		return p
	case <-v.dead:
		x.t.Fatalf("it ended before it sent anything\n%s", v.out.String())
	case <-time.After(patience):
		x.t.Fatalf("nothing was sent\n%s", v.out.String())
	}
	return nil
}

// kill kills the sender of a create that the gateway has.
func (x *hit) kill(v *victim, at window, p *post) {
	x.t.Helper()
	switch at {
	case inPost:
		x.begin()
		v.kill()
		p.answer <- false
		x.unclear[p.job] = true
	case unwritten:
		unlock := x.away(p.job)
		p.answer <- true
		x.eventually(v, "the answer in the spool", func() bool { return x.kept(task(p.job)) })
		v.kill()
		unlock()
		x.seen[p.job] = task(p.job)
	default:
		p.answer <- true
		x.eventually(v, "the id in the history", func() bool {
			out, _, code := x.h.run(x.t, "", "jobs", "show", task(p.job), "-o", "json")
			return code == 0 && shown(x.t, out)["id"] == p.job
		})
		x.begin()
		v.kill()
		x.seen[p.job] = task(p.job)
	}
}

// away takes the history away, or locks it where it never is away.
func (x *hit) away(job string) (unlock func()) {
	if x.history == nil {
		x.begin()
		return nothing
	}
	has, done, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for locked := false; !locked; { // the program may be writing for longer than a lock is waited for
			_, _ = x.history.Amend(context.WithoutCancel(x.t.Context()), job, func(jobs.Work) (jobs.Change, error) {
				locked = true
				close(has)
				<-done
				return jobs.Change{}, jobs.ErrNotFound // so that nothing is written
			})
		}
	}()
	<-has
	return func() { close(done); <-ended }
}

// kept reports whether a file of the spool holds a task's id, with the sum that is written last.
func (x *hit) kept(id string) bool {
	files, _ := filepath.Glob(filepath.Join(x.root, ".local", "state", "darkroom", "spool", "*"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		head, body, _ := bytes.Cut(b, []byte("\n"))
		sum := fmt.Sprintf("%x", sha256.Sum256(bytes.TrimRight(body, " ")))
		if err == nil && bytes.Contains(head, []byte(sum)) && bytes.Contains(body, []byte(id)) {
			return true
		}
	}
	return false
}

func (x *hit) eventually(v *victim, what string, met func() bool) {
	x.t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	limit := time.After(patience)
	for !met() {
		select {
		case <-look.C:
		case <-v.dead:
			x.t.Fatalf("it ended before: %s\n%s", what, v.out.String())
		case <-limit:
			x.t.Fatalf("never: %s\n%s", what, v.out.String())
		}
	}
}

func (x *hit) ok(args ...string) string {
	x.t.Helper()
	out, errOut, code := x.h.run(x.t, "", args...)
	require.Equal(x.t, 0, code, "%v: %s", args, errOut)
	return out
}

// listed is a job as commands list it.
type listed struct {
	ID     string     `json:"id"`
	TaskID string     `json:"task_id"`
	State  jobs.State `json:"state"`
}

// list are all jobs of the history.
func (x *hit) list() (all []listed) {
	x.t.Helper()
	require.NoError(x.t, json.Unmarshal([]byte(x.ok("jobs", "list", "--limit", "1000", "-o", "json")), &all))
	return all
}

// check has everything sent that was left, and compares the history with what the gateway has
// counted.
func (x *hit) check() string {
	t := x.t
	x.ok("jobs", "resume", "--all")
	var all []listed
	for end := time.Now().Add(patience); ; {
		x.ok("poll", "--once", "--no-downloads")
		open := 0
		all = x.list()
		for _, j := range all {
			if j.State == jobs.Planned || j.State == jobs.Submitting {
				open++
			}
		}
		if open == 0 {
			break
		}
		require.True(t, time.Now().Before(end), "%d jobs are never settled", open)
	}
	x.g.mu.Lock()
	defer x.g.mu.Unlock()
	states, sent := map[jobs.State]int{}, 0
	for _, j := range all {
		states[j.State]++
		sent += x.g.count[j.ID]
		assert.LessOrEqual(t, x.g.count[j.ID], 1, "job %s was sent twice", j.ID)
		if j.State == jobs.Ambiguous {
			assert.Empty(t, x.seen[j.ID], "%s: its id was kept", j.ID)
		} else {
			assert.False(t, x.unclear[j.ID], "%s: nobody knew how its create ended", j.ID)
			assert.Equal(t, task(j.ID), j.TaskID)
			assert.Equal(t, 1, x.g.count[j.ID], "job %s has an id", j.ID)
		}
		delete(x.g.count, j.ID)
	}
	assert.Empty(t, x.g.count, "counted by the gateway, and not in the history")
	return fmt.Sprintf("%d jobs: %v; %d creates counted, none twice; %d ids that were kept, none lost", len(all), states, sent, len(x.seen))
}
