package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// TestEveryFormatCreates: GATEWAY Endpoints: each create path that the interface shows, and
// POST /v1/responses, from the command line to the end of the task.
func TestEveryFormatCreates(t *testing.T) {
	t.Parallel()
	kite := filepath.Join(t.TempDir(), "kite.png")
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 64, 64))))
	require.NoError(t, os.WriteFile(kite, b.Bytes(), 0o600))
	for format, args := range map[string][]string{
		"videos":    {"video", "a kite", "--duration", "2"},
		"content":   {"video", "a kite", "--model", "famD-2-0-260128", "--content", "reference_image:kite=" + kite, "--content", "text=the kite of Image 1"},
		"ent":       {"video", "a kite", "--model", "famJq3-turbo", "--mode", "i2v", "--image", kite},
		"images":    {"image", "a lighthouse", "--model", "famL-2"},
		"responses": {"image", "a lighthouse", "--model", "famL-2"},
		"music":     {"music", "slow piano"},
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.ok(append(append([]string{"create"}, args...), "--format", format, "--wait", "-o", "json")...)
			job := r.object(t)
			require.Equal(t, "completed", job["state"])
			require.Equal(t, format, job["format"])
			require.NotEmpty(t, job["assets"])
			if format == "responses" {
				require.Contains(t, r.err, "the path is configured, not documented")
			}
		})
	}
}

func TestCreateSpeech(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := w.drafted("speech", "The kite rises.", "--speed", "0.9", "--voice", "v1")
	require.Equal(t, "famN_music", body["model"])
	require.Equal(t, "famO-speech-2.8-hd", body["upstream_model"], "without it the gateway makes music")
	require.Equal(t, "The kite rises.", body["prompt"])
	require.Equal(t, "famR-audio-1.0", w.drafted("speech", "rain", "--upstream-model", "famR-audio-1.0")["upstream_model"])
	job := w.ok("create", "speech", "The kite rises.", "--wait", "-o", "json").object(t)
	require.Equal(t, "completed", job["state"])
	draft, ok := job["draft"].(map[string]any)
	require.True(t, ok)
	require.Equal(t, "speech", draft["modality"])
}

func TestCreateChat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("create", "chat", "why do kites fly?", "--model", "any")
	require.Contains(t, r.out, "You wrote: why do kites fly?")
	require.Equal(t, 1, strings.Count(r.out, "\n"), "the answer and nothing else")
	job := w.ok("create", "chat", "why?", "--model", "any", "-o", "json").object(t)
	require.Equal(t, "completed", job["state"])
	require.Contains(t, text(t, job, "text"), "You wrote: why?")
	two := w.ok("create", "chat", "why?", "--model", "any", "--count", "2", "-o", "json").array(t)
	require.Len(t, two, 2)
	require.Equal(t, 2, strings.Count(w.ok("create", "chat", "why?", "--model", "any", "--count", "2").out, "You wrote"))

	body := w.drafted("chat", "and?", "--model", "m", "--system", "be short", "--messages", `{"role":"user","content":"hi"}`, "--set", "temperature=0.5")
	b, err := json.Marshal(body)
	require.NoError(t, err)
	require.JSONEq(t, `{"model":"m","messages":[{"role":"system","content":"be short"},{"role":"user","content":"hi"},{"role":"user","content":"and?"}],"temperature":0.5}`, string(b))
	w.fails(kit.ExitUsage, []string{"model is required"}, "create", "chat", "hi")
	w.fails(kit.ExitUsage, []string{`"videos"`, "does not reach", "chat"}, "create", "chat", "hi", "--model", "m", "--format", "videos")
	r = w.fails(kit.ExitFailed, []string{"refused"}, "create", "chat", "[[sandbox:fail code=busy]] x", "--model", "m")
	require.Contains(t, r.out, "refused", "a job without an answer is printed as a job")
}

// vendor is a gateway that serves creates at paths that nobody documents.
type vendor struct {
	*httptest.Server
	mu    sync.Mutex
	calls []string
}

func newVendor(t *testing.T, answers map[string]string) *vendor {
	t.Helper()
	v := &vendor{}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.Equal(t, "Bearer sk-team", r.Header.Get("Authorization"))
		v.mu.Lock()
		v.calls = append(v.calls, r.Method+" "+r.URL.Path+" "+string(b))
		v.mu.Unlock()
		answer, ok := answers[r.Method+" "+r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(v.Close)
	return v
}

func (v *vendor) first() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.calls) == 0 {
		return ""
	}
	return v.calls[0]
}

// TestConfiguredCreates: GATEWAY Endpoints, rules 4 and 6: the paths of a profile are used
// as they are, and said to be configured.
func TestConfiguredCreates(t *testing.T) {
	t.Parallel()
	for format, c := range map[string]struct {
		args  []string
		sends string
	}{
		"tasks": {
			[]string{"--model", "famC-1.0-t2v", "--duration", "5", "--set", "parameters.seed=9007199254740993", "a kite"},
			`POST /given/tasks {"model":"famC-1.0-t2v","input":{"prompt":"a kite"},"parameters":{"duration":5,"seed":9007199254740993}}`,
		},
		"status": {
			[]string{"--model", "famF-video", "--model-name", "famF-v2-6", "--mode", "t2v", "a kite"},
			`POST /given/status {"model":"famF-video","model_name":"famF-v2-6","mode":"t2v","prompt":"a kite","external_task_id":"JOB"}`,
		},
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			v := newVendor(t, map[string]string{
				"POST /given/tasks":                    `{"output":{"task_id":"t-1","task_status":"PENDING"},"request_id":"r"}`,
				"GET /api/v1/tasks/t-1":                `{"output":{"task_id":"t-1","task_status":"SUCCEEDED","video_url":"https://x.example/v.mp4"}}`,
				"POST /given/status":                   `{"task_id":"t-1","status":"queued"}`,
				"GET /famF/v1/videos/image2video/t-1":  `{"task_id":"t-1","status":"completed","url":"https://x.example/v.mp4","format":"mp4"}`,
				"GET /v1/videos/t-1":                   "",
				"GET /api/v3/contents/generations/t-1": "",
			})
			w := newWorld(t)
			w.file("keys/team", "sk-team")
			w.file("config/config.yaml", fmt.Sprintf("profile: team\nauto_download: false\nprofiles:\n  team:\n    base_url: %s\n    create_paths: {%s: /given/%s}\n", v.URL, format, format))
			r := w.ok(append([]string{"create", "video", "--format", format, "--wait", "-o", "json"}, c.args...)...)
			require.Contains(t, r.err, "the path is configured, not documented")
			job := r.object(t)
			require.Equal(t, "completed", job["state"])
			require.Equal(t, format, job["query_format"])
			require.Equal(t, c.sends, strings.Replace(v.first(), text(t, job, "id"), "JOB", 1))

			shown := w.ok("config").out
			require.Contains(t, shown, "/given/"+format)
			require.Contains(t, shown, "configured, not documented")
			detail := w.ok("jobs", "show", text(t, job, "id")).out
			if format == "tasks" {
				require.Contains(t, detail, `"seed": 9007199254740993`, "raw additions are part of the request that is kept")
			}
		})
	}
}

func TestFormatsThatCanNotBeUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fails(kit.ExitUsage, []string{"create_paths.tasks", "as it is: videos"}, "create", "video", "x", "--model", "famC-1.0-t2v", "--format", "tasks")
	w.fails(kit.ExitUsage, []string{"create_paths.status"}, "create", "video", "x", "--model", "famF-video", "--model-name", "famF-v3", "--mode", "t2v", "--format", "status")
	w.fails(kit.ExitUsage, []string{`"ent"`, "does not reach famC-1.0-t2v", "videos, tasks"}, "create", "video", "x", "--model", "famC-1.0-t2v", "--format", "ent")
	w.fails(kit.ExitUsage, []string{`"nope"`, "no such format", "videos, native"}, "create", "video", "x", "--format", "nope")
	require.NoFileExists(t, w.paths().History)

	// GATEWAY Endpoints, rule 2: the native paths are reserved.
	w.fails(kit.ExitUsage, []string{"reserved", "POST /v1/videos", "--insist"}, "create", "video", "x", "--format", "native")
	r := w.ok("create", "video", "x", "--model", "famA3", "--format", "native", "--dry-run")
	require.Contains(t, r.out, "POST /v1beta/models/famA3:predictLongRunning")
	require.Contains(t, r.err, "reserved")
	r = w.fails(kit.ExitFailed, []string{"--insist", "serves no real calls"}, "create", "video", "x", "--format", "native", "--insist")
	require.Contains(t, r.out, "refused", "the embedded gateway answers 404 there")
}

// TestRulesOfTheChosenFormat: GATEWAY Limits: counts of /ent/v2 refuse there and warn
// elsewhere.
func TestRulesOfTheChosenFormat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	args := []string{"create", "video", "x", "--model", "famJq3-turbo", "--mode", "i2v", "--images", "https://x.example/a.png", "--images", "https://x.example/b.png", "--dry-run"}
	w.fails(kit.ExitUsage, []string{"images", "nothing was sent"}, append(args, "--format", "ent")...)
	w.ok(append(args, "--format", "videos")...)
}

func TestFormatsAreExplained(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	help := w.ok("create", "video", "--help").out
	for _, s := range []string{"POST /ent/v2/img2video", "configured, not documented", "reserved", "--content text=", "--set PLACE", "--body"} {
		require.Contains(t, help, s)
	}
	require.NotContains(t, w.ok("create", "chat", "--help").out, "--download", "an answer has no files")
	got := w.ok("__complete", "create", "video", "--model", "famC-1.0", "--format", "").out
	require.Contains(t, got, "videos\tPOST /v1/videos\n")
	require.Contains(t, got, "tasks\tconfigured, not documented")
	require.NotContains(t, got, "ent\t")
	require.Contains(t, w.ok("__complete", "create", "video", "--content", "").out, "reference_image=\n")
	require.Contains(t, w.ok("__complete", "create", "video", "-o", "").out, "curl\n")
	require.NotContains(t, w.ok("__complete", "jobs", "list", "-o", "").out, "curl\n")
}

func TestCurl(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["DARKROOM_API_KEY"] = "sk-secret"
	r := w.ok("create", "video", "it's a kite", "--dry-run", "-o", "curl")
	require.Contains(t, r.out, "curl -sS -X POST 'http://127.0.0.1:")
	require.Contains(t, r.out, `"Authorization: Bearer $DARKROOM_API_KEY"`)
	require.Contains(t, r.out, `it'\''s a kite`)
	require.NotContains(t, r.out+r.err, "sk-secret")
	require.Contains(t, w.ok("create", "video", "x", "--set", "a.b=7", "--dry-run", "-o", "curl").out, `"a":{"b":7}`)
	w.fails(kit.ExitUsage, []string{"-o curl", "--dry-run"}, "create", "video", "x", "-o", "curl")
	w.fails(kit.ExitUsage, []string{`"curl"`, "table, json, ndjson, yaml"}, "jobs", "list", "-o", "curl")
	for _, kind := range kit.Kinds() {
		require.Contains(t, w.ok("create", "--help").out, "\n  "+kind+" ")
	}
}

func TestConfigShows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("config")
	require.Contains(t, r.out, "the embedded gateway")
	require.Contains(t, r.out, "POST /v1/videos", "where the models go meanwhile")
	require.Contains(t, r.out, "50 requests a second at most, the usual")
	require.Contains(t, r.out, "ended jobs stay for ever")
	w.file("config/config.yaml", "profile: team\nretention: 30\nprofiles:\n  team:\n    base_url: https://t.example\n    rate: 2.5\n")
	r = w.ok("config", "show")
	require.Contains(t, r.out, "2.5 requests a second at most")
	require.Contains(t, r.out, "after 30 days")
	s := w.ok("config", "show", "-o", "json").object(t)
	require.InDelta(t, 2.5, s["rate"], 0)
	require.InDelta(t, 30, s["retention_days"], 0)
	w.file("config/config.yaml", "profile: team\nprofiles:\n  team:\n    base_url: https://t.example\n    rate: -3\n")
	w.fails(kit.ExitUsage, []string{"config.yaml", "profiles.team.rate", "-3", "0 for the default 50"}, "jobs", "list")
	w.file("config/config.yaml", "profile: team\nprofiles:\n  team:\n    base_url: https://t.example\n    create_paths:\n      tasks: /a/../b\n")
	w.fails(kit.ExitUsage, []string{"config.yaml", "[6:14]", "profiles.team.create_paths.tasks", ".."}, "config", "show")
	w.file("config/config.yaml", "profile: team\nprofiles:\n  team:\n    base_url: https://t.example\n    create_paths:\n      tasks: /a/b # told\n")
	c := w.ok("config", "show", "-o", "json").object(t)
	require.Equal(t, "https://t.example", c["base_url"])
	paths, ok := c["create_paths"].([]any)
	require.True(t, ok)
	require.Equal(t, map[string]any{"format": "tasks", "path": "/a/b", "what": "configured, not documented"}, paths[0])
	w.file("keys/team", "sk-x")
	require.Equal(t, map[string]any{"tasks": "/a/b"}, w.ok("auth", "status", "--check=false", "-o", "json").object(t)["create_paths"])
}
