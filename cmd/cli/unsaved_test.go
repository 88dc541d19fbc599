package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/sandbox"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/spool"
	"darkroom/jobs/store/postgres/pgtest"
)

// outage is a world whose PostgreSQL can be stopped between a create's POST and its answer.
type outage struct {
	*world
	server     *pgtest.Server
	creates    atomic.Int64
	came, down chan struct{}
}

func newOutage(t *testing.T) *outage {
	t.Helper()
	o := &outage{server: &pgtest.Server{}, came: make(chan struct{}), down: make(chan struct{})}
	t.Cleanup(o.server.Stop)
	dsn := o.server.Database(t)
	gateway := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			o.creates.Add(1)
			close(o.came)
			<-o.down
		}
		rw.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(rw, `{"id":"video_paid","object":"video","status":"queued"}`) // its client may be gone
	}))
	t.Cleanup(gateway.Close)
	o.world = sharing(t, &sandbox.Running{URL: gateway.URL, Key: "sk-unsaved-2"}, dsn)
	o.ok("jobs", "list") // the schema is there
	return o
}

// stop stops the server when a process has sent its create, which is answered then.
func (o *outage) stop(p *process) {
	o.t.Helper()
	defer close(o.down)
	select {
	case <-o.came:
	case <-p.eof:
		o.t.Fatalf("nothing was sent\n%s", p.said())
	}
	o.server.Halt(o.t)
}

// TestCreateOverARestartOfTheServer: PostgreSQL that stops between the POST and the record of
// its answer, and is there again in time, costs nothing.
func TestCreateOverARestartOfTheServer(t *testing.T) {
	t.Parallel()
	w := newOutage(t)
	p := w.spawn("create", "video", "--prompt", "a kite")
	w.stop(p)
	p.says("the gateway accepted it as the task video_paid, and the history cannot be written")
	w.server.Resume(t)
	require.Equal(t, kit.ExitOK, p.wait(), p.said())
	assert.Contains(t, p.said(), "the history has the task video_paid")
	r := w.ok("jobs", "list", "-o", "json")
	job := only(t, r)
	assert.Equal(t, "video_paid", text(t, job, "task_id"))
	assert.Empty(t, r.err, "nothing is left to be taken over")
	assert.EqualValues(t, 1, w.creates.Load())
}

// TestCreateWithoutItsServer: PostgreSQL that stays away costs no id either. It is printed and
// in the spool, and the next command takes it over, once.
func TestCreateWithoutItsServer(t *testing.T) {
	t.Parallel()
	w := newOutage(t)
	w.env[envTrying] = "1s"
	p := w.spawn("create", "video", "--prompt", "a kite")
	w.stop(p)
	require.Equal(t, kit.ExitUnsaved, p.wait(), p.said())
	assert.Contains(t, p.said(), "the gateway accepted it as the task video_paid, and the history could not be written")
	kept, err := spool.Kept(w.paths().Spool)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	assert.Equal(t, "video_paid", kept[0].Record.Outcome.Job.TaskID)
	assert.Contains(t, p.said(), kept[0].Path)

	w.server.Resume(t)
	r := w.ok("jobs", "list", "-o", "json")
	job := only(t, r)
	assert.Equal(t, "video_paid", text(t, job, "task_id"))
	assert.Equal(t, "queued", text(t, job, "state"))
	assert.Contains(t, r.err, "the history could not be written then, and has it now")
	r = w.ok("jobs", "list", "-o", "json")
	assert.Empty(t, r.err)
	assert.EqualValues(t, 1, w.creates.Load())
}

// only is the one job of a list.
func only(t *testing.T, r result) map[string]any {
	t.Helper()
	all := r.array(t)
	require.Len(t, all, 1)
	job, ok := all[0].(map[string]any)
	require.True(t, ok)
	return job
}
