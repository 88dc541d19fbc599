package cli

import (
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

func answering(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("X-Request-Id", "req-5")
		w.Header().Set("Set-Cookie", "s=secret")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestRequestPipesTheBytes(t *testing.T) {
	t.Parallel()
	const body = "{\"n\":9007199254740993,\"n\":1.0, \"s\":\"\x1b[31m\u202e\"}\n"
	g := newFake(t, answering(200, "application/json", body))
	w := newWorld(t).at(g.URL)
	r := w.ok("request", "get", "/v1/x?limit=2")
	require.Equal(t, body, r.out, "a pipe gets them untouched")
	require.Equal(t, "GET /v1/x?limit=2", g.asked[0])

	file := filepath.Join(w.dir, "answer.json")
	r = w.ok("request", "GET", "/v1/x", "--save", file)
	require.Empty(t, r.out)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, body, string(b))
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	r = w.ok("request", "GET", "/v1/x", "-i")
	head, rest, _ := strings.Cut(r.out, "\n\n")
	require.Equal(t, body, rest)
	require.Contains(t, head, "HTTP 200 OK\n")
	require.Contains(t, head, "X-Request-Id: req-5")
	require.NotContains(t, r.out, "secret")
}

func TestRequestIsHarmlessOnATerminal(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct{ body, want string }{
		"application/json":         {"{\"s\":\"a\u202e\u009b\",\"n\":9007199254740993}", "{\n  \"s\": \"a\\u202e\\u009b\",\n  \"n\": 9007199254740993\n}\n"},
		"text/html":                {"<b>\x1b[31mno\u202e</b>\r\n", "<b>␛[31mno<U+202E></b>\n"},
		"video/mp4":                {"\x00\x01\xff", "(3 bytes of video/mp4, not shown: --save FILE keeps them)\n"},
		"\x1b]0;x":                 {"\xff", "(1 bytes of no text, not shown: --save FILE keeps them)\n"},
		"application/octet-stream": {"", ""},
	} {
		g := newFake(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["X-Hostile"] = []string{"a\u202eb"}
			answering(200, strings.ReplaceAll(kind, "\x1b", "\u009b"), c.body)(w, r)
		})
		w := newWorld(t).at(g.URL)
		r := w.onTerminal("request", "GET", "/x")
		require.Zero(t, r.code, r.err)
		require.Equal(t, c.want, r.out, kind)
		for _, args := range [][]string{{"-i"}, {"-o", "json"}, {"-o", "yaml"}} {
			r = w.onTerminal(append([]string{"request", "GET", "/x"}, args...)...)
			require.Zero(t, r.code, r.err)
			require.Equal(t, client.Clean(r.out), r.out, "%s %v", kind, args)
			require.NotContains(t, r.out, "\u202e")
		}
	}
}

func TestRequestExitCodes(t *testing.T) {
	t.Parallel()
	for status, code := range map[int]int{200: 0, 204: 0, 302: 1, 400: 1, 403: 4, 404: 3, 409: 1, 429: 1, 500: 1, 503: 1} {
		text := `{"error":{"code":"c","message":"m\u001b[0m"}}`
		if status == 204 {
			text = ""
		}
		g := newFake(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "https://evil.example/\u202e")
			answering(status, "application/json", text)(w, r)
		})
		w := newWorld(t).at(g.URL)
		r := w.run("request", "POST", "/v1/videos", `{}`)
		require.Equal(t, code, r.code, "%d: %s", status, r.err)
		require.Equal(t, text, r.out, "the body is printed whatever the status")
		require.Equal(t, 1, g.count(), "a POST is sent once")
		require.Equal(t, client.Clean(r.err), r.err)
		if code != 0 {
			require.Contains(t, r.err, "POST /v1/videos: HTTP")
		}
	}
	w := newWorld(t).at(newFake(t, answering(200, "", "")).URL)
	w.env["DARKROOM_API_KEY"] = "sk-wrong-key-1"
	r := w.fails(kit.ExitAuth, []string{"401"}, "request", "GET", "/x")
	require.NotContains(t, r.out+r.err, "sk-wrong-key-1")
}

func TestRequestAsJSON(t *testing.T) {
	t.Parallel()
	g := newFake(t, answering(404, "application/json", `{"error":{"message":"none","n":9007199254740993}}`))
	w := newWorld(t).at(g.URL)
	r := w.fails(kit.ExitNotFound, nil, "request", "DELETE", "/v1/x", "-o", "json")
	d := r.object(t)
	require.Equal(t, 404.0, d["status"])
	require.Equal(t, "req-5", d["request_id"])
	require.Contains(t, d, "latency_ms")
	require.Contains(t, r.out, "9007199254740993")
	require.NotContains(t, r.out, "secret")
	headers, _ := d["headers"].(map[string]any)
	require.Equal(t, []any{"application/json"}, headers["Content-Type"])

	g = newFake(t, answering(200, "image/png", "\x89PNG\xff"))
	d = newWorld(t).at(g.URL).ok("request", "GET", "/x", "-o", "json").object(t)
	require.Nil(t, d["body"])
	require.Equal(t, base64.StdEncoding.EncodeToString([]byte("\x89PNG\xff")), text(t, d, "body_base64"))
}

func TestRequestBodies(t *testing.T) {
	t.Parallel()
	g := newFake(t, answering(200, "application/json", "{}"))
	w := newWorld(t).at(g.URL)
	file := w.file("body.json", "{\"seed\": 9007199254740993}\n")
	w.in = `["in"]`
	for i, c := range []struct {
		args []string
		want string
	}{
		{[]string{`{"a": 1}`}, `{"a": 1}`},
		{[]string{"@" + file}, "{\"seed\": 9007199254740993}\n"},
		{[]string{"-"}, `["in"]`},
		{[]string{"not json", "--raw"}, "not json"},
		{nil, ""},
	} {
		w.ok(append([]string{"request", "POST", "/x"}, c.args...)...)
		require.Equal(t, c.want, g.bodies[i])
	}
	bad := w.file("bad.json", "{\n  \"a\": 1,\n}")
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"POST", "/x", `{"a": }`}, []string{"line 1, column 7", "--raw"}},
		{[]string{"POST", "/x", "@" + bad}, []string{"bad.json", "line 3, column 1"}},
		{[]string{"POST", "/x", `{} {}`}, []string{"line 1"}},
		{[]string{"POST", "/x", ""}, []string{"line 1"}},
		{[]string{"GET", "/x", "{}"}, []string{"GET carries no body"}},
		{[]string{"BREW", "/x"}, []string{`"BREW"`, "GET, HEAD, POST"}},
		{[]string{"GET", "v1/x"}, []string{`"v1/x"`, "begins with /"}},
		{[]string{"GET", "//evil.example/x"}, []string{"one /"}},
		{[]string{"GET", "/a b"}, []string{"%20"}},
		{[]string{"GET", "/a#b"}, []string{"%23"}},
		{[]string{"GET", "/%zz"}, []string{"%zz"}},
		{[]string{"GET", "https://evil.example/x"}, []string{"https://evil.example", "only to the gateway's own origin"}},
		{[]string{"GET", strings.Replace(g.URL, "http://", "http://u:p@", 1) + "/x"}, []string{"user or a password"}},
		{[]string{"GET", strings.Replace(g.URL, "http://", "https://", 1) + "/x"}, []string{"own origin"}},
		{[]string{"GET", "file:///etc/passwd"}, []string{"begins with /"}},
		{[]string{"GET"}, []string{"METHOD PATH"}},
	} {
		w.fails(kit.ExitUsage, c.says, append([]string{"request"}, c.args...)...)
	}
	require.Equal(t, 5, g.count(), "nothing was sent")
	w.ok("request", "GET", g.URL+"/v1/x?a=b")
	require.Equal(t, "GET /v1/x?a=b", g.asked[5])
}

func TestRequestWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	g := newFake(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	w := newWorld(t).at(g.URL)
	w.fails(kit.ExitAmbiguous, []string{"may have been carried out", "not sent again"}, "request", "POST", "/v1/videos", "{}")
	require.Equal(t, 1, g.count())
	w.fails(kit.ExitFailed, nil, "request", "GET", "/v1/videos/x")
	w.env["DARKROOM_BASE_URL"] = "http://127.0.0.1:1"
	r := w.fails(kit.ExitFailed, nil, "request", "POST", "/v1/videos", "{}")
	require.NotContains(t, r.err, "carried out", "nothing left this machine")
}

func TestRequestCompletion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Contains(t, w.ok("__complete", "request", "").out, "PATCH\n")
	r := w.ok("__complete", "request", "POST", "/v1/")
	require.Contains(t, r.out, "/v1/videos\n")
	require.NotContains(t, r.out, "/ent/v2")
	r = w.ok("__complete", "request", "get", "/ent")
	require.Contains(t, r.out, "/ent/v2/tasks/\n:6", "no blank follows: an id does")
}
