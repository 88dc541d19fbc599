package main_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// job is a job as a command prints it.
func (h *home) job(t *testing.T, id string) map[string]any {
	t.Helper()
	out, errOut, code := h.run(t, "", "jobs", "list", "-o", "json")
	require.Equal(t, 0, code, errOut)
	var all []map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &all))
	for _, j := range all {
		if j["id"] == id || id == "" && len(all) == 1 {
			return j
		}
	}
	return nil
}

// pollOnce polls once, again and again, until a job has a state. It returns what the last
// run printed.
func (h *home) pollOnce(t *testing.T, id, state string, args ...string) string {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		out, errOut, code := h.run(t, "", append([]string{"poll", "--once", "-o", "ndjson"}, args...)...)
		require.Equal(t, 0, code, errOut)
		if h.job(t, id)["state"] == state {
			return out
		}
	}
	t.Fatalf("job %s: %v; never seen: %s", id, h.job(t, id), state)
	return ""
}

// TestPollOnceSendsWhatWasLeftAndEnds: a job whose console was killed before it was sent is
// sent, once, by a poller that has an end; and another run sees the end of the task.
func TestPollOnceSendsWhatWasLeftAndEnds(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	_, errOut, code := h.run(t, "", "jobs", "pause", "--all")
	require.Equal(t, 0, code, errOut)
	v := newVictim()
	v.run(t, h, "create", "video", "--prompt", "waves [[sandbox:slow by=1000]]") // more than an hour
	require.Eventually(t, func() bool { return strings.Contains(v.out.String(), "planned") }, patience, 20*time.Millisecond)
	v.kill()
	id, _ := h.job(t, "")["id"].(string)
	require.NotEmpty(t, id)

	require.Equal(t, "planned", h.job(t, id)["state"])
	_, errOut, code = h.run(t, "", "jobs", "resume", "--all")
	require.Equal(t, 0, code, errOut)

	require.Contains(t, h.pollOnce(t, id, "queued"), id)
	out, errOut, code := h.run(t, "", "poll", "--once")
	require.Equal(t, 0, code, "it ends although the task goes on: %s%s", out, errOut)
	require.Equal(t, "queued", h.job(t, id)["state"])

	h.age(t, 3*time.Hour)
	h.pollOnce(t, id, "completed", "--no-downloads")
	require.Len(t, creates(t, h.find(t, ".local/state", "creates.log")), 1)
	for name := range h.files(t) {
		require.NotEqual(t, ".mp4", filepath.Ext(name), "nothing is saved: %s", name)
	}
}

// TestPollDownloads: a poller saves results into the folder that it was given, and says
// where; in the configured one is nothing.
func TestPollDownloads(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	dir := filepath.Join(h.dir, "results")
	out, errOut, code := h.run(t, "", "create", "video", "--prompt", "waves", "-o", "json")
	require.Equal(t, 0, code, errOut)
	id, _ := decode(t, out)["id"].(string)
	out, errOut, code = h.run(t, "", "poll", "--until-idle", "--downloads", dir, "-o", "ndjson")
	require.Equal(t, 0, code, errOut)
	saved := map[string]bool{}
	for line := range strings.Lines(out) {
		change := decode(t, line)
		require.Equal(t, id, change["job"])
		files, _ := change["files"].([]any)
		for _, f := range files {
			saved[f.(string)] = true
		}
	}
	mp4 := h.find(t, "results", ".mp4")
	require.Equal(t, dir, filepath.Dir(mp4))
	require.Equal(t, "h264", probe(t, mp4, "stream=codec_name"))
	require.True(t, saved[mp4], "%v", saved)
	require.Equal(t, "completed", h.job(t, id)["state"])
	require.Equal(t, id, readJSON(t, mp4+".json")["job"])
	for name := range h.files(t) {
		require.False(t, strings.HasPrefix(name, "Downloads/"), name)
	}

	_, errOut, code = h.run(t, "", "poll", "--downloads", dir, "--no-downloads")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "--no-downloads")
}
