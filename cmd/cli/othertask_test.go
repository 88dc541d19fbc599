package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// confused is a gateway that answers the first queries of a task with what it knows of
// another one.
func confused(t *testing.T, wrong int32) *httptest.Server {
	t.Helper()
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/videos", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"id":"video_mine","status":"queued"}`)
	})
	mux.HandleFunc("GET /v1/videos/video_mine", func(w http.ResponseWriter, r *http.Request) {
		id := "video_mine"
		if asked.Add(1) <= wrong {
			id = "video_other"
		}
		_, _ = fmt.Fprintf(w, `{"id":%q,"status":"completed","video_url":"http://%s/files/%s.mp4"}`, id, r.Host, id)
	})
	mux.HandleFunc("GET /files/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		_, _ = fmt.Fprintf(w, "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom%s", filepath.Base(r.URL.Path))
	})
	mux.HandleFunc("/", http.NotFound)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

// TestAnAnswerAboutAnotherTaskMakesNoFile: what is saved in the end is the task's own.
func TestAnAnswerAboutAnotherTaskMakesNoFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t).at(confused(t, 2).URL)
	job := w.ok("create", "video", "waves", "--wait", "-o", "json").object(t)
	require.Equal(t, "completed", job["state"])
	files, ok := job["files"].([]any)
	require.True(t, ok && len(files) == 1, "%v", job)
	saved, err := os.ReadFile(text(t, files[0].(map[string]any), "path"))
	require.NoError(t, err)
	require.Contains(t, string(saved), "video_mine")
	show := w.ok("jobs", "show", text(t, job, "id")).out
	require.Contains(t, show, `the answer is about another task, "video_other"`)
	assert.Equal(t, 1, strings.Count(show, "poll_error"), show)
}

func TestInspectAndAdoptTakeNoAnswerAboutAnotherTask(t *testing.T) {
	t.Parallel()
	base := confused(t, 1<<30).URL
	w := newWorld(t).at(base)
	r := w.fails(kit.ExitFailed, []string{"about another task", "video_other", "video_mine"}, "inspect", "video_mine")
	require.NotContains(t, r.out, "completed")
	require.Contains(t, r.out, "about another task: video_other")
	d := w.run("inspect", "video_mine", "-o", "json").object(t)
	require.Nil(t, d["task"])
	require.Contains(t, w.run("inspect", "video_mine", "--format", "videos", "--raw").out, "video_other", "what came can be looked at")

	ids := w.history(1, func(_ int, j *jobs.Job) {
		j.State, j.Profile = jobs.Ambiguous, "env:"+strings.TrimPrefix(base, "http://")
	})
	w.fails(kit.ExitFailed, []string{"about another task", "nothing was changed"}, "jobs", "adopt", ids[0], "video_mine")
	require.Equal(t, "ambiguous", w.ok("jobs", "show", ids[0], "-o", "json").object(t)["job"].(map[string]any)["state"])
}
