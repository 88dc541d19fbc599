package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// stranger answers as a public gateway of this kind does about an id that it does not know: in
// its own words where it serves a path, with its web page where it does not.
func stranger(t *testing.T, answers map[string]string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for path, body := range answers {
			if strings.HasPrefix(r.URL.Path, path) {
				_, _ = w.Write([]byte(body)) //nolint:gosec // a test
				return
			}
		}
		switch {
		case strings.HasPrefix(r.URL.Path, "/v1/videos/"):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"code":"task_not_exist","message":"task_not_exist","data":null}`))
		case strings.HasPrefix(r.URL.Path, "/v1/"):
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error":{"message":"Invalid URL","type":"invalid_request_error","param":"","code":""}}`))
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<!doctype html><title>console</title>"))
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// TestInspectOfWhatARealGatewayDoesNotKnow: a web page on one path is no verdict on the task.
func TestInspectOfWhatARealGatewayDoesNotKnow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = stranger(t, nil), testKey
	for _, id := range []string{"task_doesnotexist", "cgt-2026-x", "0199-17"} {
		r := w.fails(kit.ExitNotFound, []string{"no query path knows", id}, "inspect", id)
		require.Contains(t, r.out, "task_not_exist")
		require.Contains(t, r.out, "web page", "each route's own answer is shown")
	}
	w.fails(kit.ExitNotFound, []string{"task_1"}, "inspect", "task_1", "--format", "videos")
	w.fails(kit.ExitFailed, []string{"web page"}, "inspect", "task_1", "--format", "content")
}

// TestInspectOfAnIDThatARouteSaysIsNoTask is not found, and says why; the word of another path,
// which uses it of tasks that it has only just taken, is a state.
func TestInspectOfAnIDThatARouteSaysIsNoTask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	unknown := `{"request_id":"r","output":{"task_id":"t-1","task_status":"UNKNOWN"}}`
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = stranger(t, map[string]string{"/api/v1/tasks/": unknown}), testKey
	for _, args := range [][]string{{"inspect", "t-1"}, {"inspect", "t-1", "--format", "tasks"}} {
		r := w.fails(kit.ExitNotFound, []string{"no query path knows", "/api/v1/tasks/t-1", "older than 24 hours"}, args...)
		require.Contains(t, r.out, "UNKNOWN: not found there, or older than 24 hours (documented)")
		require.NotContains(t, r.out, "state")
	}
	r := w.fails(kit.ExitNotFound, nil, "inspect", "t-1", "--format", "tasks", "--raw")
	require.JSONEq(t, unknown, r.out)

	w.env["DARKROOM_BASE_URL"] = stranger(t, map[string]string{"/v1/videos/": `{"id":"t-1","task_id":"t-1","object":"video","status":"unknown","progress":0}`})
	r = w.ok("inspect", "t-1")
	require.Regexp(t, `(?m)^ *state +unknown \(raw: unknown\)$`, r.out)
}

// TestInspectShowsASongsTitleAndLyrics in the table, cleaned.
func TestInspectShowsASongsTitleAndLyrics(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	song := `{"code":"success","message":"","data":{"task_id":"task_7","status":"SUCCESS","progress":"100%","data":[{"id":"s1","title":"Salt \u001b[2JFlats",` +
		`"status":"complete","audio_url":"https://media.example.org/s1.mp3","metadata":{"prompt":"[Verse]\nWhite as far as far\n[Chorus]\nGone","tags":"folk"}}]}}`
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = stranger(t, map[string]string{"/famN/fetch/": song}), testKey
	r := w.ok("inspect", "task_7")
	require.Regexp(t, `(?m)^ *title +Salt .*Flats$`, r.out)
	require.Contains(t, r.out, "\nlyrics:\n[Verse]\nWhite as far as far\n[Chorus]\nGone\n")
	require.NotContains(t, r.out, "\x1b")

	job := w.ok("-p", "sandbox", "create", "music", "a calm song", "--lyrics", "Home again", "--title", "Salt Flats", "--wait")
	require.Contains(t, job.out, "“Salt Flats” a calm song")
}
