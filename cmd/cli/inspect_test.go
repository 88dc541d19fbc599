package cli

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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

// support is a gateway with some tasks: each id is known on one path.
func support(t *testing.T, w *world) {
	t.Helper()
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = stranger(t, map[string]string{
		"/ent/v2/tasks/700000000001/":                        `{"id":"700000000001","state":"success","err_code":"","creations":[{"id":"c","url":"https://cdn.example/a.mp4","cover_url":"","watermarked_url":""}]}`,
		"/ent/v2/tasks/700000000002/":                        `{"id":"700000000002","state":"failed","err_code":"TaskPromptPolicyViolation","creations":[]}`,
		"/ent/v2/tasks/700000000003/":                        `{"id":"700000000003","state":"failed","err_code":"=HYPERLINK(1)","creations":[]}`,
		"/ent/v2/tasks/700000000004/":                        `{"id":"700000000004","state":"napping","err_code":"","creations":[],"credits":4}`,
		"/api/v1/tasks/0190c7e2-1111-4abc-8def-0123456789ab": `{"request_id":"r","output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"RUNNING","submit_time":"2026-11-20 13:29:06.123"}}`,
	}), testKey
}

func TestInspectExplains(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	support(t, w)
	r := w.ok("inspect", "700000000002")
	for _, want := range []string{
		`error code +TaskPromptPolicyViolation`, `means +the vendor's content policy refused it \(seen at other gateways\)`, `try again +only after a change`, `next +Change the prompt`,
		`(?m)^not asked, since another route knows it: .*tasks`,
	} {
		require.Regexp(t, want, r.out)
	}
	require.Regexp(t, `means +this error is not listed`, w.ok("inspect", "700000000003").out)
	r = w.ok("inspect", `WARN poll of task_id=0190c7e2-1111-4abc-8def-0123456789ab took 3 s`)
	require.Regexp(t, `from +task_id in the text`, r.out)
	require.Regexp(t, `created +2026-11-20 13:29:06.123 \(as sent, without a zone\)`, r.out)
	require.Contains(t, w.ok("inspect", "700000000004").out, "not as the interface has it:\n  ent: state is \"napping\", a term that is not listed\n")
	e := w.ok("inspect", "700000000002", "-o", "json").object(t)["explanation"].(map[string]any)
	require.Equal(t, "content", e["fault"])
	w.fails(kit.ExitUsage, []string{"looks like an id"}, "inspect", "  ")
	w.fails(kit.ExitNotFound, []string{"no job of the history has a request"}, "inspect", "request id: 4f-99")
}

// TestInspectAsksResultsWithoutTheKey tells of each whether it is there still.
func TestInspectAsksResultsWithoutTheKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cdn := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		assert.Equal(t, http.MethodHead, r.Method)
		assert.Empty(t, r.Header.Get("Authorization"))
		if r.URL.Path != "/a.mp4" {
			rw.WriteHeader(http.StatusForbidden)
			return
		}
		rw.Header().Set("Content-Type", "video/mp4")
		rw.Header().Set("Content-Length", "2000000")
	}))
	t.Cleanup(cdn.Close)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = stranger(t, map[string]string{
		"/ent/v2/tasks/700000000009/": `{"id":"700000000009","state":"success","err_code":"","creations":[{"id":"c","url":"` + cdn.URL + `/a.mp4","cover_url":"` + cdn.URL + `/b.png?Expires=1600000000"}]}`,
	}), testKey
	r := w.ok("inspect", "700000000009", "--results")
	require.Contains(t, r.out, "200 OK, video/mp4, 2.0 MB\n")
	require.Regexp(t, `403 Forbidden, 0 B, expired \d+ y ago|403 Forbidden, expired \d+ y ago`, r.out)
	all := w.ok("inspect", "700000000009", "--results", "-o", "json").object(t)["results"].([]any)
	require.Equal(t, true, all[0].(map[string]any)["alive"])
	require.Equal(t, false, all[1].(map[string]any)["alive"])
	require.Equal(t, "2020-09-13T12:26:40Z", all[1].(map[string]any)["expires_at"])
}

func TestInspectMany(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	support(t, w)
	w.in = "700000000001\n700000000002\n\n  700000000003,\nnope_12345\n"
	r := w.fails(kit.ExitNotFound, []string{"no query path knows"}, "inspect", "-")
	require.Regexp(t, `(?m)^700000000001 +completed +\S* +ent +https://cdn.example/a.mp4$`, r.out)
	require.Regexp(t, `(?m)^700000000002 +failed .*content policy`, r.out)
	require.Regexp(t, `(?m)^nope_12345 +not found `, r.out)
	require.Contains(t, r.out, "\n4 ids: 1 completed, 2 failed, 1 not found\ncodes: =HYPERLINK(1) 1, TaskPromptPolicyViolation 1\n")

	table := filepath.Join(t.TempDir(), "tickets.csv")
	require.NoError(t, os.WriteFile(table, []byte("\ufeffTicket,Task ID,Who\nT-1,700000000002,\"Ann, B\"\nT-2,,\nT-3,700000000003,=1+1\n"), 0o600))
	r = w.ok("inspect", "--csv", table, "-o", "csv")
	rows, err := csv.NewReader(strings.NewReader(r.out)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 4)
	require.Equal(t, []string{"Ticket", "Task ID", "Who", "inspected_id", "state"}, rows[0][:5])
	require.Equal(t, []string{"T-1", "700000000002", "Ann, B", "700000000002", "failed"}, rows[1][:5])
	require.Equal(t, []string{"T-2", "", "", "", "not known"}, rows[2][:5])
	require.Equal(t, []string{"T-3", "700000000003", "'=1+1"}, rows[3][:3])
	require.Contains(t, rows[3], "'=HYPERLINK(1)", "no cell is a formula")
	require.Equal(t, 4, strings.Count(w.fails(kit.ExitNotFound, nil, "inspect", "a-1", "700000000001", "b-2", "700000000002", "-o", "ndjson").out, "\n"))
	w.fails(kit.ExitUsage, []string{"no column", "Ticket, Task ID, Who"}, "inspect", "--csv", table, "--column", "video")
	w.fails(kit.ExitUsage, []string{"--column"}, "inspect", "x", "--column", "id")
}

// TestTimesAreWrittenTheSameInBoth commands, always with a zone.
func TestTimesAreWrittenTheSameInBoth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.ok("-p", "sandbox", "create", "video", "waves", "--wait", "-o", "json").object(t)
	for style, stamp := range map[string]string{"local": `\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})? [+-]\d{4}`, "utc": `\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?Z`, "relative": `(now|\d+ . ago)`} {
		require.Regexp(t, `(?m)^ *created +`+stamp, w.ok("-p", "sandbox", "inspect", text(t, job, "task_id"), "--times", style).out)
		shown := w.ok("-p", "sandbox", "jobs", "show", text(t, job, "id"), "--times", style).out
		require.Regexp(t, `(?m)^ *created +`+stamp+`$`, shown)
		require.Regexp(t, `(?m)^ *`+stamp+` +state +completed`, shown)
		require.Regexp(t, stamp, w.ok("-p", "sandbox", "drift", "--elsewhere", "--times", style).out)
	}
	require.Regexp(t, `"created_at": "\d{4}-\d\d-\d\dT`, w.ok("-p", "sandbox", "inspect", text(t, job, "task_id"), "--times", "relative", "-o", "json").out, "machines get RFC 3339")
	for _, args := range [][]string{{"inspect", "x"}, {"jobs", "show", "x"}, {"drift"}} {
		w.fails(kit.ExitUsage, []string{"--times \"sundial\": allowed are local, utc, relative"}, append(args, "--times", "sundial")...)
	}
}

// TestInspectHandsOver writes a bundle and opens it again with no gateway at all; the key is nowhere in it.
func TestInspectHandsOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	support(t, w)
	file := filepath.Join(t.TempDir(), "ticket.zip")
	r := w.ok("inspect", "700000000001", "700000000002", "--save", file, "--without", "prompts,queries", "--dry-run")
	require.Contains(t, r.err, "001-700000000001/answer-ent.json")
	require.NoFileExists(t, file)
	w.ok("inspect", "700000000001", "700000000002", "--save", file, "--without", "prompts,queries")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for _, f := range z.File {
		in, err := f.Open()
		require.NoError(t, err)
		b, err := io.ReadAll(in)
		require.NoError(t, err)
		require.NotContains(t, string(b), testKey, f.Name)
		require.NotContains(t, string(b), base64.StdEncoding.EncodeToString([]byte(testKey)), f.Name)
	}
	away := newWorld(t) // no gateway, no key, no history
	away.env["DARKROOM_BASE_URL"], away.env["DARKROOM_API_KEY"] = "http://127.0.0.1:1", testKey
	r = away.ok("inspect", "--bundle", file)
	require.Regexp(t, `(?m)^700000000002 +failed .*content policy`, r.out)
	require.Contains(t, r.err, "left out: prompts, queries of addresses")
	all := away.ok("inspect", "--bundle", file, "-o", "ndjson").out
	require.Equal(t, 2, strings.Count(all, "\n"))
	w.fails(kit.ExitUsage, []string{"give no ids"}, "inspect", "--bundle", filepath.Join(filepath.Dir(file), "x.zip"), "--save", "y")
	require.NoError(t, os.WriteFile(file, []byte("no zip"), 0o600))
	away.fails(kit.ExitUsage, []string{"it is not a bundle"}, "inspect", "--bundle", file)
	w.fails(kit.ExitUsage, []string{"prompts, media, paths, queries"}, "inspect", "x", "--save", file, "--without", "all")
}
