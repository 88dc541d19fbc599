package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// stalling is a gateway behind which files do not come until the returned switch is on; it
// calls asked when one is asked for meanwhile.
func stalling(t *testing.T, asked func()) (base string, open *atomic.Bool) {
	t.Helper()
	behind, err := url.Parse(gateway(t))
	require.NoError(t, err)
	open = &atomic.Bool{}
	proxy := httputil.NewSingleHostReverseProxy(behind) // which leaves the host: results are to be had here
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/files/") && !open.Load() {
			asked()
			<-r.Context().Done()
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, open
}

// TestInterruptedDownloadGoesOn: the files stay wanted, which is said as it is, and the same
// command saves them.
func TestInterruptedDownloadGoesOn(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancelCause(t.Context())
	base, open := stalling(t, func() { stop(kit.Interrupted(syscall.SIGINT)) })
	w := newWorld(t).at(base)
	w.file("config/config.yaml", "auto_download: false\n")
	id := text(t, w.ok("create", "video", "waves", "--wait", "-o", "json").object(t), "id")
	short := jobs.ShortID(id)
	shown := w.ok("jobs", "show", id).out
	assert.Contains(t, shown, "`darkroom jobs download "+short+"` saves the result")

	dir := filepath.Join(w.dir, "out")
	var out, said bytes.Buffer
	require.Equal(t, kit.ExitCancelled, run(ctx, w.stdio(&out, &said), []string{"jobs", "download", id, "--dir", dir}), said.String())
	assert.Contains(t, said.String(), "the same command goes on")
	assert.Empty(t, out.String())

	shown = w.ok("jobs", "show", id).out
	assert.Regexp(t, `state +completed, 3 files not saved`, shown)
	assert.Regexp(t, `file +video: not saved yet`, shown)
	assert.Contains(t, shown, "`darkroom jobs download "+short+"` goes on with what is not saved; give it the --dir")
	assert.NotContains(t, shown, "downloading", "nobody is at it")
	assert.Contains(t, w.ok("jobs", "list").out, "completed, 3 files not saved")

	open.Store(true)
	job := w.ok("jobs", "download", id, "--dir", dir, "-o", "json").object(t)
	files, ok := job["files"].([]any)
	require.True(t, ok)
	require.Len(t, files, 3)
	for _, f := range files {
		f, ok := f.(map[string]any)
		require.True(t, ok)
		assert.Equal(t, "saved", f["state"])
		assert.Equal(t, dir, filepath.Dir(text(t, f, "path")))
	}
	shown = w.ok("jobs", "show", id).out
	assert.NotRegexp(t, `(?m)^  next`, shown)
	assert.NotContains(t, shown, "not saved")
}

// TestUnsavedFilesAreTold: results that could not be saved are told by whoever followed the
// job, and by lists, though nobody asked for them by name.
func TestUnsavedFilesAreTold(t *testing.T) {
	t.Parallel()
	behind, err := url.Parse(gateway(t))
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(behind)
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/files/") || strings.HasSuffix(r.URL.Path, "/content") {
			_, _ = rw.Write([]byte("<html>sorry</html>"))
			return
		}
		proxy.ServeHTTP(rw, r)
	}))
	t.Cleanup(srv.Close)
	w := newWorld(t).at(srv.URL)
	const why = `video: not saved: given up after 5 tries: GET /files/\S+: HTTP 200: the server sent text/html instead of media: sorry`
	assert.Regexp(t, "completed, 3 files not saved: "+why, w.ok("create", "video", "waves", "--wait").err)
	w.ok("create", "video", "dunes")
	assert.Regexp(t, "completed .* "+why, w.ok("poll", "--until-idle").out)
	assert.Equal(t, 2, strings.Count(w.ok("jobs", "list").out, "completed, 3 files not saved"))
}

// TestAmbiguousCreatesAreDecided: from the lost answer to each of the three decisions, with
// what the commands say and how they end.
func TestAmbiguousCreatesAreDecided(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lose := func(prompt string) string {
		r := w.fails(kit.ExitAmbiguous, []string{"may or may not have been accepted", "darkroom jobs adopt", "darkroom jobs resend", "darkroom jobs drop"},
			"create", "video", "[[sandbox:500 on=create after]] "+prompt, "-o", "json")
		job := r.object(t)
		require.Equal(t, "ambiguous", job["state"])
		return text(t, job, "id")
	}
	id := lose("one")
	short := jobs.ShortID(id)
	decide := "decide with `darkroom jobs adopt " + short + " TASK-ID`, `darkroom jobs resend " + short + "` (it may be made twice) or `darkroom jobs drop " + short + "`"
	shown := w.ok("jobs", "show", id).out
	assert.Contains(t, shown, decide, "looking is by show")
	assert.Contains(t, shown, "HTTP 500")
	assert.Contains(t, shown, `"external_task_id": "`+id+`"`, "what the gateway's support can look for")
	w.fails(kit.ExitFailed, []string{"cannot repoll it, it is ambiguous", decide}, "jobs", "repoll", id)
	w.fails(kit.ExitFailed, []string{decide}, "jobs", "pause", id)
	w.fails(kit.ExitNotFound, []string{"has no task to ask for"}, "inspect", id)
	w.fails(kit.ExitAmbiguous, []string{decide}, "jobs", "watch", id)

	other := text(t, w.ok("create", "video", "waves", "-o", "json").object(t), "task_id")
	assert.Equal(t, other, text(t, w.ok("jobs", "adopt", id, other, "-o", "json").object(t), "task_id"))
	w.fails(kit.ExitFailed, []string{"cannot adopt an id for it"}, "jobs", "adopt", id, other)

	id = lose("two")
	fresh := w.fails(kit.ExitAmbiguous, []string{"darkroom jobs adopt"}, "jobs", "resend", id, "-o", "json").object(t)
	assert.NotEqual(t, id, text(t, fresh, "id"), "a new job, which is lost again")
	assert.Contains(t, w.ok("jobs", "show", id).out, "sent again as "+text(t, fresh, "id"))
	w.ok("jobs", "drop", text(t, fresh, "id"))

	id = lose("three")
	assert.Equal(t, "dropped", w.ok("jobs", "drop", id, "-o", "json").object(t)["state"])
	w.fails(kit.ExitFailed, []string{"cannot resend it, it is dropped"}, "jobs", "resend", id)
	assert.Empty(t, w.ok("jobs", "list", "--state", "ambiguous", "-o", "json").array(t))
}

// TestPausesAreListed with the commands that end them, which do.
func TestPausesAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Contains(t, w.ok("jobs", "pauses").err, "nothing of the profile sandbox is paused")
	require.Equal(t, "[]\n", w.ok("jobs", "pauses", "-o", "json").out)
	id := w.history(1, func(_ int, j *jobs.Job) { j.State, j.TaskID, j.QueryFormat = jobs.Running, "t", "videos" })[0]
	w.ok("jobs", "pause", id)
	w.ok("jobs", "pause", "--all")
	w.ok("jobs", "pause", "--host", "cdn.example")
	out := w.ok("jobs", "pauses").out
	for _, want := range []string{"everything", "cdn.example", "job " + jobs.ShortID(id)} {
		require.Contains(t, out, want)
	}
	all := w.ok("jobs", "pauses", "-o", "json").array(t)
	require.Len(t, all, 3)
	for _, p := range all {
		p, ok := p.(map[string]any)
		require.True(t, ok)
		w.ok(strings.Fields(text(t, p, "resume"))[1:]...)
	}
	require.Equal(t, "[]\n", w.ok("jobs", "pauses", "-o", "json").out, "the commands named are those that end them")
}
