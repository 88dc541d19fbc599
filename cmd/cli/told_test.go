package cli

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// TestACreateWithoutATaskSaysWhyAndWhatNext: an answer that came is not told as one that
// was lost, and the commands that go on are named with the job's id.
func TestACreateWithoutATaskSaysWhyAndWhatNext(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		code   int
		says   []string
	}{
		"a page":  {200, "<html>hello</html>", kit.ExitAmbiguous, []string{"web page", "lost or unclear", "darkroom jobs adopt ", "darkroom jobs resend ", "darkroom jobs drop "}},
		"a 500":   {500, `{"error":{"message":"busy"}}`, kit.ExitAmbiguous, []string{"HTTP 500", "busy", "darkroom jobs resend "}},
		"no id":   {200, `{"status":"queued"}`, kit.ExitAmbiguous, []string{"neither an id nor a result", "darkroom jobs drop "}},
		"the key": {401, `{"error":{"message":"no"}}`, kit.ExitAuth, []string{"refused: no; ", "darkroom auth status"}},
		"too many": {429, `{"error":{"code":"rate","message":"slow down"}}`, kit.ExitFailed,
			[]string{"rate slow down; reduce the request frequency"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked++
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			t.Cleanup(srv.Close)
			newWorld(t).at(srv.URL).fails(c.code, c.says, "create", "video", "x")
			assert.Equal(t, 1, asked)
		})
	}
}

// offline is an address at which nothing listens.
func offline(t *testing.T) string {
	t.Helper()
	srv := httptest.NewServer(nil)
	srv.Close()
	return srv.URL
}

func TestAnUnreachableGatewayIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t).at(offline(t))
	for _, args := range [][]string{{"request", "GET", "/v1beta/models"}, {"chat", "--model", "m", "hi"}, {"auth", "status"}, {"models", "--live"}} {
		w.fails(kit.ExitFailed, []string{"connection refused", "cannot be reached", "check the network"}, args...)
	}
	r := w.fails(kit.ExitFailed, []string{"cannot be reached"}, "inspect", "abc")
	require.Regexp(t, `GET /v1/videos/abc +-  `, r.out, "no answer is no HTTP status")
}

// TestACreateThatWaitsSaysWhy: it is sent when the gateway is there again, and until then the
// command must not look as if it did nothing.
func TestACreateThatWaitsSaysWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t).at(offline(t))
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	said := &until{text: "planned: not sent yet: ", then: stop}
	run(ctx, w.stdio(io.Discard, said), []string{"create", "video", "x"})
	require.Contains(t, said.String(), "connection refused")
}

func TestAFaultThatIsNoneIsAWrongWord(t *testing.T) {
	t.Parallel()
	newWorld(t).fails(kit.ExitUsage, []string{"--fault: ", `"bogus" is unknown, allowed: `}, "sandbox", "--addr", "127.0.0.1:0", "--fault", "bogus")
}

func TestAChatAnswerThatIsLostIsTold(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(srv.Close)
	newWorld(t).at(srv.URL).fails(kit.ExitFailed, []string{"the answer was lost", "not sent again"}, "chat", "--model", "m", "hi")
}

// TestTheIDOfTheJobIsTold: the request of a job has a field more than the one that is shown.
func TestTheIDOfTheJobIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		told bool
		args []string
	}{
		{true, []string{"video", "x"}},
		{true, []string{"image", "x"}},
		{false, []string{"video", "x", "--external-task-id", "mine"}},
		{false, []string{"video", "x", "--set", "external_task_id=mine"}},
		{false, []string{"music", "x"}},
		{false, []string{"video", "x", "--model", "famJq3-turbo", "--format", "ent"}},
	} {
		for _, how := range []string{"json", "curl"} {
			r := w.ok(append(append([]string{"create"}, c.args...), "--dry-run", "-o", how)...)
			require.Equal(t, c.told, strings.Contains(r.err, "sent for real it also has external_task_id"), "%v: %s", c.args, r.err)
		}
	}
}

// TestBytesThatAreNoText: encoding/json would replace them without a word.
func TestBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.in = "a\xff"
	body := w.file("body.json", "{\"prompt\": \"a\xff\"}")
	for _, args := range [][]string{
		{"create", "video", "a\xff"}, {"create", "video", "-"}, {"create", "video", "--body", body},
		{"create", "video", "x", "--size", "a\xff"}, {"create", "video", "x", "--set", "a=\xff"}, {"create", "video", "x", "--extra", "{\"a\":\"\xff\"}"},
		{"request", "POST", "/v1/videos", "{\"a\":\"\xff\"}"}, {"chat", "--model", "m", "a\xff"},
	} {
		r := w.fails(kit.ExitUsage, []string{"UTF-8"}, args...)
		require.Empty(t, r.out)
	}
}

// TestInspectRawShowsAPage: what is no answer about a task is still what came.
func TestInspectRawShowsAPage(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		_, _ = rw.Write([]byte("<html>the console of the gateway</html>"))
	}))
	t.Cleanup(srv.Close)
	w := newWorld(t).at(srv.URL)
	r := w.fails(kit.ExitFailed, []string{"a web page"}, "inspect", "abc", "--format", "videos", "--raw")
	require.Contains(t, r.out, "the console of the gateway")
}

// TestHistoryOutOfReach: what is to be looked at is the history's server, and not the gateway.
func TestHistoryOutOfReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t).at("http://127.0.0.1:1")
	w.env["DARKROOM_HISTORY"] = "postgres://nobody@127.0.0.1:1/none?sslmode=disable"
	r := w.fails(kit.ExitFailed, []string{"the history postgres://", "look whether its server runs"}, "jobs", "list")
	assert.NotContains(t, r.err, "gateway")
}
