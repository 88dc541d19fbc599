package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// stages is a gateway whose tasks go on with each query; the last stage stays. A number is an HTTP
// status.
type stages struct {
	mu    sync.Mutex
	of    map[string][]string
	asked map[string]int
	posts int
	seen  chan string // of each query, if anybody listens
}

func (s *stages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodPost {
		s.posts++
	}
	id, ours := strings.CutPrefix(r.URL.Path, "/v1/videos/")
	if strings.HasSuffix(id, "/content") {
		w.Header().Set("Content-Type", "video/mp4")
		_, _ = w.Write([]byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"))
		return
	}
	all := s.of[id]
	if !ours || len(all) == 0 {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"error":{"message":"no such task","type":"invalid_request_error","code":"task_not_found"}}`))
		return
	}
	stage := all[min(s.asked[id], len(all)-1)]
	s.asked[id]++
	select {
	case s.seen <- id:
	default:
	}
	switch stage {
	case "401":
		w.WriteHeader(http.StatusUnauthorized)
	case "503":
		w.WriteHeader(http.StatusServiceUnavailable)
	case "failed":
		_, _ = w.Write([]byte(`{"id":"` + id + `","object":"video","status":"failed","progress":0,"error":{"code":"moderated","message":"no kites"}}`)) //nolint:gosec // a test
	default:
		_, _ = w.Write([]byte(`{"id":"` + id + `","object":"video","model":"famA-video","status":"` + stage + `","progress":40}`)) //nolint:gosec // a test
	}
}

// onStages makes a world whose gateway has these tasks.
func onStages(t *testing.T, of map[string][]string) (*world, *stages) {
	t.Helper()
	s := &stages{of: of, asked: map[string]int{}, seen: make(chan string, 100)}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	w := newWorld(t)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = srv.URL, testKey
	return w, s
}

// TestInspectWatch: each id is watched to its end, which the exit code tells.
func TestInspectWatch(t *testing.T) {
	t.Parallel()
	w, s := onStages(t, map[string][]string{
		"video_done": {"queued", "in_progress", "completed"}, "video_bad": {"in_progress", "failed"},
		"video_slow": {"in_progress"}, "video_shut": {"401"},
	})
	t.Run("completed", func(t *testing.T) {
		r := w.ok("inspect", "video_done", "--watch", "--timeout", "1m", "--times", "utc")
		assert.Regexp(t, `^first seen queued \d\d:\d\d:\d\dZ\nrunning \(in_progress\) between \d\d:\d\d:\d\d and \d\d:\d\d:\d\dZ\ncompleted between `, r.err)
		assert.Contains(t, r.out, "\nseen: completed\n  first seen queued ")
		assert.Equal(t, 3, s.asked["video_done"], "the route that knows it is asked, once a look")
	})
	t.Run("failed", func(t *testing.T) {
		w.fails(kit.ExitFailed, []string{"moderated no kites"}, "inspect", "video_bad", "--watch")
	})
	t.Run("not found", func(t *testing.T) {
		w.fails(kit.ExitNotFound, []string{"no query path knows"}, "inspect", "video_none", "--watch")
	})
	t.Run("the key", func(t *testing.T) {
		w.fails(kit.ExitAuth, nil, "inspect", "video_shut", "--watch")
	})
	t.Run("timed out", func(t *testing.T) {
		r := w.fails(kit.ExitTimeout, []string{`"video_slow" has not ended within 3s: it was seen in_progress last`}, "inspect", "video_slow", "--watch", "--timeout", "3s", "-o", "json")
		watch, _ := r.object(t)["watch"].(map[string]any)
		assert.Equal(t, "timed out", watch["outcome"])
		assert.Len(t, watch["seen"], 1)
	})
	t.Run("usage", func(t *testing.T) {
		w.fails(kit.ExitUsage, []string{"--timeout is for --watch"}, "inspect", "video_done", "--timeout", "1m")
		w.fails(kit.ExitUsage, []string{"--profile"}, "inspect", "video_done", "--watch", "--all-profiles")
		w.fails(kit.ExitUsage, []string{"--profile"}, "inspect", "video_done", "--adopt", "--all-profiles")
		w.fails(kit.ExitUsage, []string{"above 0"}, "inspect", "video_done", "--watch", "--timeout", "-1m")
	})
	assert.Zero(t, s.posts)
}

// TestInspectWatchesMany: a line as something is seen, and the worst end tells the code.
func TestInspectWatchesMany(t *testing.T) {
	t.Parallel()
	w, _ := onStages(t, map[string][]string{"video_done": {"in_progress", "503", "completed"}, "video_bad": {"failed"}, "video_slow": {"in_progress"}})
	r := w.fails(kit.ExitFailed, nil, "inspect", "video_done", "video_bad", "video_none", "--watch", "-o", "ndjson")
	ends := map[string]string{}
	lines := 0
	for line := range strings.Lines(r.out) {
		var row struct {
			ID, State, Outcome string
			Found              map[string]any
		}
		require.NoError(t, json.Unmarshal([]byte(line), &row), line)
		lines++
		if row.Outcome != "" {
			ends[row.ID] = row.Outcome
			assert.Equal(t, row.ID, row.Found["id"])
		} else {
			assert.NotEmpty(t, row.State)
		}
	}
	assert.Equal(t, map[string]string{"video_done": "completed", "video_bad": "failed", "video_none": "not found"}, ends)
	assert.GreaterOrEqual(t, lines, 7)
	r = w.fails(kit.ExitTimeout, nil, "inspect", "video_done", "video_slow", "--watch", "--timeout", "2s")
	assert.Contains(t, r.err, "video_slow: first seen running (in_progress) ")
	assert.Regexp(t, `2 ids: 1 completed.* 1 running`, r.out)
}

// TestInspectWatchIsInterrupted: ctrl+c ends it with what was seen.
func TestInspectWatchIsInterrupted(t *testing.T) {
	t.Parallel()
	w, s := onStages(t, map[string][]string{"video_slow": {"in_progress"}})
	ctx, stop := context.WithCancelCause(t.Context())
	var out, errOut bytes.Buffer
	done := make(chan int)
	go func() { done <- run(ctx, w.stdio(&out, &errOut), []string{"inspect", "video_slow", "--watch"}) }()
	<-s.seen
	<-s.seen // the second look: the first was taken in
	stop(kit.Interrupted(syscall.SIGINT))
	assert.Equal(t, kit.ExitCancelled, <-done, errOut.String())
	assert.Contains(t, out.String(), "seen: stopped\n  first seen running (in_progress) ")
	assert.Contains(t, errOut.String(), "stopped watching video_slow: it was seen in_progress last")
}

// TestInspectAdopts: what is found goes into the history with ticket and note; it is followed to its
// end and can never be sent.
func TestInspectAdopts(t *testing.T) {
	t.Parallel()
	w, s := onStages(t, map[string][]string{"video_theirs": {"queued", "in_progress", "completed"}, "video_bad": {"failed"}})
	w.fails(kit.ExitUsage, []string{"for --adopt"}, "inspect", "video_theirs", "--ticket", "77")
	w.fails(kit.ExitUsage, []string{"one word"}, "inspect", "video_theirs", "--adopt", "--ticket", "7 7")
	w.fails(kit.ExitNotFound, nil, "inspect", "video_none", "--adopt")
	require.Empty(t, w.ok("jobs", "list", "-o", "json").array(t))

	r := w.ok("inspect", "video_theirs", "video_bad", "--adopt", "--ticket", "77", "--note", "stuck since this morning", "-o", "json")
	assert.Contains(t, r.err, "it is watched and never sent")
	all := w.ok("jobs", "list", "--tag", "ticket:77", "-o", "json").array(t)
	require.Len(t, all, 2)
	job := w.ok("jobs", "show", "video_theirs", "-o", "json").object(t)["job"].(map[string]any)
	assert.Equal(t, true, job["observed"])
	assert.Equal(t, "stuck since this morning", job["remark"])
	id := text(t, job, "id")
	assert.Contains(t, w.ok("jobs", "list").out, "observed: stuck since this morning")
	assert.Regexp(t, `observed +somebody else's task`, w.ok("jobs", "show", "video_theirs").out)

	w.ok("jobs", "note", id, "the customer called again")
	w.ok("jobs", "tag", id, "ticket:78")
	r = w.ok("inspect", "video_theirs", "--adopt", "--ticket", "79")
	assert.Contains(t, r.err, "already")
	assert.Contains(t, r.out, "taken into the history", "the timeline of the job")
	job = w.ok("jobs", "watch", id, "-o", "json").object(t)
	assert.Equal(t, "completed", job["state"])
	assert.Equal(t, []any{"ticket:77", "ticket:78", "ticket:79"}, job["tags"])
	assert.Equal(t, "the customer called again", job["remark"])

	w.fails(kit.ExitFailed, []string{"never sent"}, "jobs", "resend", "video_bad")
	w.fails(kit.ExitFailed, []string{"never sent"}, "presets", "save", "theirs", "--job", "video_bad")
	assert.Zero(t, s.posts)
}

// TestInspectWatchesWhatItAdopts: the engine asks, and nobody beside it.
func TestInspectWatchesWhatItAdopts(t *testing.T) {
	t.Parallel()
	w, s := onStages(t, map[string][]string{"video_theirs": {"queued", "in_progress", "completed"}})
	r := w.ok("inspect", "video_theirs", "--adopt", "--watch", "--timeout", "1m")
	assert.Contains(t, r.out, "seen: completed")
	assert.Equal(t, "completed", w.ok("jobs", "show", "video_theirs", "-o", "json").object(t)["job"].(map[string]any)["state"])
	assert.LessOrEqual(t, s.asked["video_theirs"], 4)
	assert.Zero(t, s.posts)
}
