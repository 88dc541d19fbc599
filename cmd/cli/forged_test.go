package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// forged is what a server would have a terminal show as lines of ours.
const forged = "no\r\nFORGED: all is well\n\tFORGED done\rFORGED\u2028FORGED\u0085FORGED\vFORGED"

// forging is a gateway that puts it wherever an answer has a text.
func forging(t *testing.T, status int, state string) *httptest.Server {
	t.Helper()
	text := func(v any) string {
		b, err := json.Marshal(v)
		assert.NoError(t, err)
		return string(b)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "r\tFORGED")
		w.Header().Set("Content-Type", "application/json")
		id := "video_1\nFORGED"
		fault := map[string]any{"code": forged, "message": forged, "type": forged, "param": forged}
		answer := map[string]any{
			"id": id, "status": forged, "model": forged, "title": forged, "name": forged, "request_id": forged, "task_id": id,
			"usage": map[string]any{forged: forged}, forged: forged,
		}
		switch {
		case status >= 300:
			answer = map[string]any{"error": fault}
		case strings.Contains(r.URL.Path, "models"):
			answer = map[string]any{"data": []any{map[string]any{"id": forged, "owned_by": forged}}, "models": []any{map[string]any{"name": forged, "displayName": forged, "description": forged}}}
		case strings.Contains(r.URL.Path, "chat"):
			answer = map[string]any{"choices": []any{map[string]any{"finish_reason": forged, "message": map[string]any{"content": "hello"}}}, "model": forged, "id": forged}
		case state == "other" && r.Method == http.MethodGet:
			answer["id"], answer["task_id"] = "video_2\nFORGED", "video_2\nFORGED"
		case state == "failed":
			answer["status"], answer["error"] = "failed", fault
		case state == "completed":
			answer["status"], answer["video_url"] = "completed", "http://"+r.Host+"/files/a%0aFORGED.mp4"
		}
		if strings.HasPrefix(r.URL.Path, "/files") || strings.HasSuffix(r.URL.Path, "/content") {
			w.Header().Set("Content-Type", "text/plain; x=\"FORGED\tFORGED\"")
			_, _ = fmt.Fprint(w, forged)
			return
		}
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, text(answer))
	}))
	t.Cleanup(srv.Close)
	return srv
}

// unforged checks that no line of an output begins with a server's words, and that none has a
// character that moves a cursor.
func unforged(t *testing.T, what, output string) {
	t.Helper()
	for line := range strings.Lines(output) {
		assert.False(t, strings.HasPrefix(strings.TrimSpace(line), "FORGED"), "%s: %q", what, line)
		assert.NotContains(t, strings.TrimSuffix(line, "\n"), "\r", what)
		assert.NotContains(t, line, "\tFORGED", what)
		for _, r := range []string{"\u2028", "\u0085", "\v", "\x1b"} {
			assert.NotContains(t, line, r, what)
		}
	}
}

// TestAServerForgesNoLines, whatever command it answers, on standard error or in a table.
func TestAServerForgesNoLines(t *testing.T) {
	t.Parallel()
	for _, k := range []struct {
		status int
		state  string
	}{{200, "odd"}, {200, "failed"}, {200, "completed"}, {200, "other"}, {400, ""}, {401, ""}, {404, ""}, {429, ""}, {500, ""}} {
		t.Run(fmt.Sprint(k.status, k.state), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t).at(forging(t, k.status, k.state).URL)
			said := false
			check := func(args ...string) result {
				r := w.run(args...)
				unforged(t, strings.Join(args, " ")+" (stdout)", r.out)
				unforged(t, strings.Join(args, " ")+" (stderr)", r.err)
				said = said || strings.Contains(r.out+r.err, "FORGED")
				return r
			}
			wait := "--wait=false"
			if k.state == "failed" || k.state == "completed" {
				wait = "--wait"
			}
			check("create", "video", "waves", wait)
			check("create", "music", "waves", "--wait=false")
			check("create", "image", "waves", "--wait=false")
			check("poll", "--once")
			check("jobs", "list")
			for _, x := range w.ok("jobs", "list", "-o", "json").array(t) {
				id := text(t, x.(map[string]any), "id")
				check("jobs", "show", id)
				check("jobs", "repoll", id)
				check("jobs", "download", id)
				check("jobs", "adopt", id, "video_1")
				check("inspect", id)
			}
			check("jobs", "list")
			check("inspect", "video_1")
			check("models", "list", "--live")
			check("auth", "status")
			check("gateway", "probe")
			check("chat", "--model", "m", "hi")
			unforged(t, "request (stderr)", w.run("request", "GET", "/v1/anything").err) // the other one is what came
			require.True(t, said, "the server's words were shown somewhere")
		})
	}
}
