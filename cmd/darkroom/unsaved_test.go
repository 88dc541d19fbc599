package main_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store"
)

// taker is a gateway that takes every create, and does something before it answers.
type taker struct {
	*httptest.Server
	before  atomic.Pointer[func()]
	creates atomic.Int64
}

func newTaker(t *testing.T) *taker {
	t.Helper()
	g := &taker{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := path.Base(r.URL.Path) // of a query
		if r.Method == http.MethodPost {
			id = fmt.Sprintf("video_%d", g.creates.Add(1))
			if f := g.before.Load(); f != nil {
				(*f)()
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"id":%q,"object":"video","status":"queued"}`, id) // its client may be gone
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *taker) env() []string {
	return []string{"DARKROOM_BASE_URL=" + g.URL, "DARKROOM_API_KEY=sk-unsaved-1"}
}

// outage is a history that cannot be written for a while.
type outage struct {
	h           *home
	g           *taker
	begin, over func()
}

// newOutage is that of a full disk; where there is none to be had the history is locked by
// somebody else.
func newOutage(t *testing.T) *outage {
	t.Helper()
	g := newTaker(t)
	h, d, ok := smallDisk(t, g.env()...)
	o := &outage{h: h, g: g, over: d.free, begin: func() { assert.NoError(t, d.fill()) }}
	// The history is there before, as on any day but the first.
	_, errOut, code := h.run(t, "", "create", "video", "--prompt", "before", "-o", "json")
	require.Equal(t, 0, code, errOut)
	if !ok {
		o.begin, o.over = locked(t, h)
	}
	g.before.Store(&o.begin)
	return o
}

// locked is an outage in which somebody else writes to the history and does not end.
func locked(t *testing.T, h *home) (begin, over func()) {
	t.Helper()
	path, errOut, code := h.run(t, "", "history", "path")
	require.Equal(t, 0, code, errOut)
	s, err := store.Open(t.Context(), strings.TrimSpace(path))
	require.NoError(t, err)
	page, err := s.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	done, ended := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	begin = func() {
		has := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = s.Amend(context.WithoutCancel(t.Context()), page.Jobs[0].ID, func(jobs.Work) (jobs.Change, error) {
				close(has)
				<-done
				return jobs.Change{}, jobs.ErrNotFound // so that nothing is written
			})
		}()
		<-has
	}
	return begin, sync.OnceFunc(func() { close(done); <-ended })
}

// says waits until a process has said something.
func (v *victim) says(t *testing.T, what string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(v.out.String(), what) }, patience, time.Millisecond, "%s", what)
}

// TestFullDiskLosesNoID: a create that is accepted while the disk is full does not end before
// the history has its id.
func TestFullDiskLosesNoID(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	v := newVictim()
	v.run(t, o.h, "create", "video", "--prompt", "a kite")
	v.says(t, "the gateway accepted it as the task video_2, and the history cannot be written")
	v.says(t, "trying again")
	o.over()
	<-v.dead
	require.Equal(t, 0, v.cmd.ProcessState.ExitCode(), v.out.String())
	require.Contains(t, v.out.String(), "the history has the task video_2")
	out, errOut, code := o.h.run(t, "", "jobs", "show", "video_2", "-o", "json")
	require.Equal(t, 0, code, errOut)
	require.Equal(t, "queued", shown(t, out)["state"])
}

// TestInterruptedOnAFullDisk: the first interrupt says what is at stake, the second one ends it,
// and the next command takes the id over.
func TestInterruptedOnAFullDisk(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	v := newVictim()
	v.run(t, o.h, "create", "video", "--prompt", "a kite")
	v.says(t, "trying again")
	require.NoError(t, v.cmd.Process.Signal(syscall.SIGINT))
	v.says(t, "not in the history yet:")
	v.says(t, "ctrl+c ends it now")
	require.NoError(t, v.cmd.Process.Signal(syscall.SIGINT))
	<-v.dead
	require.NotEqual(t, 0, v.cmd.ProcessState.ExitCode(), v.out.String())
	o.over()
	o.takenOver(t, "video_2")
}

// TestQuitOnAFullDisk: the console says what is unsaved before it is left, and on its way out.
func TestQuitOnAFullDisk(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	x := o.h.open(t, 160, 34)
	x.shows("Prompt")
	x.keys("a kite")
	x.shows("a kite")
	x.keys(ctrlS)
	x.shows("the gateway accepted it as the task", "history away")
	x.keys(alt + "2")
	x.shows("Jobs")
	x.keys("q")
	x.shows("Quit anyway", "the gateway accepted it as")
	x.keys("q")
	x.until("what is at stake, outside of the console", func(string) bool {
		_, after, left := strings.Cut(x.bytes(), "\x1b[?1049l")
		return left && strings.Contains(after, "not in the history yet:") && strings.Contains(after, "ctrl+c")
	})
	x.keys(ctrlC)
	x.until("what the first interrupt says", func(string) bool {
		return strings.Count(x.bytes(), "ctrl+c ends it now") == 2
	})
	x.keys(ctrlC)
	require.NotEqual(t, 0, x.exit())
	o.over()
	o.takenOver(t, "video_2")
}

// takenOver looks that the next command has the id, says so once, and leaves nothing behind.
func (o *outage) takenOver(t *testing.T, id string) {
	t.Helper()
	out, errOut, code := o.h.run(t, "", "jobs", "show", id, "-o", "json")
	require.Equal(t, 0, code, errOut)
	require.Equal(t, id, shown(t, out)["task_id"])
	require.Contains(t, errOut, "the history could not be written then, and has it now")
	_, errOut, code = o.h.run(t, "", "jobs", "show", id, "-o", "json")
	require.Equal(t, 0, code, errOut)
	require.Empty(t, errOut)
	require.EqualValues(t, 2, o.g.creates.Load())
}

// shown is the job of `jobs show`.
func shown(t *testing.T, out string) map[string]any {
	t.Helper()
	j, ok := decode(t, out)["job"].(map[string]any)
	require.True(t, ok, out)
	return j
}

// TestUnwritableFolderSendsNothing: where nothing could be kept of an answer nothing is sent.
func TestUnwritableFolderSendsNothing(t *testing.T) {
	t.Parallel()
	g := newTaker(t)
	h := newHome(t, g.env()...)
	spool := filepath.Join(h.dir, ".local", "state", "darkroom", "spool")
	require.NoError(t, os.MkdirAll(filepath.Dir(spool), 0o700))
	require.NoError(t, os.WriteFile(spool, nil, 0o600))
	v := newVictim()
	v.run(t, h, "create", "video", "--prompt", "a kite")
	v.says(t, "not sent: what the gateway answers could not be kept in "+spool)
	require.NoError(t, v.cmd.Process.Signal(syscall.SIGINT))
	<-v.dead
	require.Zero(t, g.creates.Load())
}
