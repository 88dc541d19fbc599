package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// taker takes creates, keeps their bodies, and has every task done at the second question.
type taker struct {
	mu    sync.Mutex
	posts []string
	asked int
}

func (g *taker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodPost {
		b, _ := io.ReadAll(r.Body)
		g.posts = append(g.posts, string(b))
		_, _ = w.Write([]byte(`{"id":"vid_77","task_id":"vid_77","object":"video","status":"queued","progress":0}`))
		return
	}
	if g.asked++; g.asked < 2 {
		_, _ = w.Write([]byte(`{"id":"vid_77","task_id":"vid_77","object":"video","status":"in_progress","progress":40}`))
		return
	}
	_, _ = w.Write([]byte(`{"id":"vid_77","task_id":"vid_77","object":"video","status":"failed","progress":100,"error":{"code":"E-1","message":"no \u001b[2Jfuel"}}`))
}

func TestWhatWasSent(t *testing.T) {
	t.Parallel()
	g := &taker{}
	srv := httptest.NewServer(g)
	t.Cleanup(srv.Close)
	w := newWorld(t).at(srv.URL)
	made := w.run("create", "video", "--model", "famI-omni", "it's <a> kite & \"salt\"\n塩", "--wait", "-o", "json")
	require.Equal(t, kit.ExitFailed, made.code, made.err)
	require.Len(t, g.posts, 1)
	r := w.ok("jobs", "request", "vid_77")
	assert.Contains(t, r.out, "POST "+srv.URL+"/v1/videos\nAuthorization: Bearer $DARKROOM_API_KEY\n")
	assert.NotContains(t, r.out, testKey)
	v := w.ok("jobs", "request", "vid_77", "-o", "json").object(t)
	assert.Equal(t, "POST", v["method"])
	assert.Contains(t, v["body"], "prompt")

	curl := w.ok("jobs", "request", "vid_77", "-o", "curl").out
	assert.NotContains(t, curl, testKey)
	cmd := exec.CommandContext(t.Context(), "sh", "-c", curl)
	cmd.Env = []string{"DARKROOM_API_KEY=" + testKey, "PATH=/usr/bin:/bin"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Len(t, g.posts, 2)
	assert.Equal(t, g.posts[0], g.posts[1], "byte for byte")

	r = w.ok("jobs", "bodies", "vid_77")
	for _, want := range []string{`(?m)^1 .* request `, `(?m)^2 .* answer to the create `, `(?m)^3 .* answer .* in_progress`, `(?m)^4 .* failed`} {
		assert.Regexp(t, want, r.out)
	}
	assert.Len(t, w.ok("jobs", "bodies", "vid_77", "-o", "json").array(t), 4)
	assert.Equal(t, g.posts[0]+"\n", w.ok("jobs", "bodies", "vid_77", "1", "--raw").out)
	r = w.ok("jobs", "bodies", "vid_77", "4")
	assert.Contains(t, r.out, `"code": "E-1"`)
	assert.Equal(t, "failed\n100\n", w.ok("jobs", "bodies", "vid_77", "4", "--jq", ".status, .progress").out)
	assert.Equal(t, []any{"failed"}, w.ok("jobs", "bodies", "vid_77", "4", "--jq", ".status", "-o", "json").array(t))
	r = w.ok("jobs", "bodies", "vid_77", "3", "4")
	assert.Contains(t, r.out, "3 answer in_progress → 4 answer failed\n+ .error\n    + {\"code\":\"E-1\"")
	assert.Contains(t, r.out, "~ .progress\n    - 40\n    + 100\n")
	assert.Len(t, w.ok("jobs", "bodies", "vid_77", "3", "4", "-o", "json").array(t), 3)
	assert.Contains(t, w.ok("jobs", "bodies", "vid_77", "3", "3").out, "nothing differs")

	r = w.ok("inspect", "vid_77", "--diff", "3,videos")
	assert.Contains(t, r.out, "3 answer in_progress → videos answer now failed\n")
	assert.Equal(t, "E-1\n", w.run("inspect", "vid_77", "--jq", ".error.code").out)

	w.fails(kit.ExitNotFound, []string{"there are 1, 2, 3, 4"}, "jobs", "bodies", "vid_77", "9")
	w.fails(kit.ExitNotFound, []string{"there are 1, 2, 3, 4, videos"}, "inspect", "vid_77", "--diff", "9,videos")
	w.fails(kit.ExitUsage, []string{"the filter ends early"}, "inspect", "vid_77", "--jq", ".a |")
	w.fails(kit.ExitUsage, []string{"two bodies"}, "inspect", "vid_77", "--diff", "1")
	w.fails(kit.ExitUsage, []string{"of one id"}, "inspect", "vid_77", "vid_78", "--diff", "1,2")
	w.fails(kit.ExitUsage, []string{"give its number"}, "jobs", "bodies", "vid_77", "--raw")
	w.fails(kit.ExitFailed, []string{"expected an object"}, "jobs", "bodies", "vid_77", "4", "--jq", ".status.x")
	w.fails(kit.ExitUsage, []string{"add --profile"}, "-p", "sandbox", "jobs", "request", "vid_77")
}

func TestAFileIsNotInTheRequestThatWasKept(t *testing.T) {
	t.Parallel()
	g := &taker{}
	srv := httptest.NewServer(g)
	t.Cleanup(srv.Close)
	w := newWorld(t).at(srv.URL)
	path := w.file("kite.png", "\x89PNG\r\n\x1a\n"+strings.Repeat("\x00", 3000))
	made := w.run("create", "video", "--model", "famI-omni", "--image", path, "a kite", "--wait")
	require.Equal(t, kit.ExitFailed, made.code, made.err)
	r := w.ok("jobs", "request", "vid_77")
	assert.Contains(t, r.out, "kite.png")
	assert.Contains(t, r.err, "did not keep the bytes of 1 file")
	w.fails(kit.ExitFailed, []string{"no command sends this"}, "jobs", "request", "vid_77", "-o", "curl")
}

func TestAWebPageIsReadableText(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		rw.WriteHeader(http.StatusBadGateway)
		_, _ = rw.Write([]byte("<html><head><title>502 Bad\x1b Gateway</title></head><body><center>nginx</center></body></html>"))
	}))
	t.Cleanup(srv.Close)
	w := newWorld(t).at(srv.URL)
	r := w.fails(kit.ExitFailed, nil, "inspect", "abc", "--format", "videos")
	assert.Contains(t, r.out, "videos answered with a web page in place of JSON: “502 Bad␛ Gateway”\n  nginx\n")
	w.fails(kit.ExitFailed, []string{"it is a web page, “502 Bad␛ Gateway”"}, "inspect", "abc", "--format", "videos", "--jq", ".id")
	v := w.fails(kit.ExitFailed, nil, "inspect", "abc", "--format", "videos", "-o", "json").object(t)
	routes, _ := v["routes"].([]any)
	require.Len(t, routes, 1)
	assert.Equal(t, "502 Bad␛ Gateway", routes[0].(map[string]any)["web_page"])
}
