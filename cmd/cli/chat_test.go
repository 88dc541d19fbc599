package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/sandbox"
	"darkroom/cmd/cli/kit"
)

// fakeGateway answers every request with a handler and remembers the bodies it got.
type fakeGateway struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	asked  []string // method and path
}

func newFake(t *testing.T, h http.HandlerFunc) *fakeGateway {
	t.Helper()
	g := &fakeGateway{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		g.mu.Lock()
		g.bodies = append(g.bodies, string(b))
		g.asked = append(g.asked, r.Method+" "+r.URL.String())
		g.mu.Unlock()
		if r.Header.Get("Authorization") != "Bearer "+testKey {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"code":"invalid_api_key","message":"no"}}`)
			return
		}
		h(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *fakeGateway) body(t *testing.T, i int) map[string]any {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	var v map[string]any
	require.Greater(t, len(g.bodies), i)
	require.NoError(t, json.Unmarshal([]byte(g.bodies[i]), &v))
	return v
}

func (g *fakeGateway) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.asked)
}

// at is a world whose profile is a gateway of another program.
func (w *world) at(base string) *world {
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = base, testKey
	return w
}

// onTerminal runs a command whose output is a terminal.
func (w *world) onTerminal(args ...string) result {
	w.t.Helper()
	var out, errOut bytes.Buffer
	s := w.stdio(&out, &errOut)
	s.Tty = os.Stdout // only that it is set counts
	code := run(context.Background(), s, args)
	return result{out.String(), errOut.String(), code}
}

// saying answers a chat with text, in pieces where it is asked for; the connection breaks
// after them when cut is set.
func saying(cut bool, pieces ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "req-9")
		if !strings.Contains(r.Header.Get("Accept"), "event-stream") {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"id": "c-1", "model": "m-real", "usage": map[string]int{"total_tokens": 5},
				"choices": []any{map[string]any{"message": map[string]any{"content": strings.Join(pieces, "")}, "finish_reason": "stop"}}})
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for i, p := range pieces {
			reason := "null"
			if i == len(pieces)-1 && !cut {
				reason = `"stop"`
			}
			raw, _ := json.Marshal(p)
			_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%s},\"finish_reason\":%s}]}\n\n", raw, reason)
			_ = http.NewResponseController(w).Flush()
		}
		if cut {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}
}

func TestChatAsksOnce(t *testing.T) {
	t.Parallel()
	g := newFake(t, saying(false, "Hello ", "there"))
	w := newWorld(t).at(g.URL)
	r := w.ok("chat", "--model", "m-1", "hi", "--system", "be brief", "--set", "temperature=0.25", "--set", "stop=END", "--set", "stream_options.include_usage=true", "--extra", `{"n": 1, "seed": 9007199254740993}`)
	require.Equal(t, "Hello there\n", r.out)
	require.Empty(t, r.err)
	require.Equal(t, 1, g.count())
	g.mu.Lock()
	require.Equal(t, `{"model":"m-1","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}],"n":1,"seed":9007199254740993,"stop":"END","temperature":0.25,"stream_options":{"include_usage":true}}`, g.bodies[0])
	require.Equal(t, "POST /v1/chat/completions", g.asked[0])
	g.mu.Unlock()

	d := w.ok("chat", "--model", "m-1", "hi", "-o", "json").object(t)
	require.Equal(t, "Hello there", d["text"])
	require.Equal(t, "stop", d["finish_reason"])
	require.Equal(t, "req-9", d["request_id"])
	require.Equal(t, map[string]any{"total_tokens": 5.0}, d["usage"])
	require.Equal(t, "m-real", d["model"])
	require.Contains(t, w.ok("chat", "--model", "m-1", "hi", "-o", "yaml").out, "text: Hello there")
	require.Len(t, strings.Split(strings.TrimSpace(w.ok("chat", "--model", "m-1", "hi", "-o", "ndjson").out), "\n"), 1)
}

func TestChatStreamsOnATerminal(t *testing.T) {
	t.Parallel()
	g := newFake(t, saying(false, "Hello ", "there"))
	w := newWorld(t).at(g.URL)
	r := w.onTerminal("chat", "--model", "m", "hi")
	require.Zero(t, r.code, r.err)
	require.Equal(t, "Hello there\n", r.out)
	require.Equal(t, true, g.body(t, 0)["stream"])
	require.Zero(t, w.onTerminal("chat", "--model", "m", "hi", "--no-stream").code)
	require.NotContains(t, g.body(t, 1), "stream")
	w.ok("chat", "--model", "m", "hi", "--stream")
	require.Equal(t, true, g.body(t, 2)["stream"], "a pipe gets it in pieces when asked")
}

// TestChatIsHarmless: what a model says cannot do anything to a terminal, however it is
// cut into pieces.
func TestChatIsHarmless(t *testing.T) {
	t.Parallel()
	hostile := []string{"a\x1b", "[31mred\x1b]0;ti", "tle\a \u202e", "evil\u2069 \u009b2J", "\r\nnext\r", "over \U000e0041 " + testKey[:6], testKey[6:] + "\n"}
	g := newFake(t, saying(false, hostile...))
	w := newWorld(t).at(g.URL)
	want := strings.ReplaceAll(client.Clean(strings.Join(hostile, "")), testKey, "<key>")
	for _, r := range []result{w.onTerminal("chat", "--model", "m", "hi"), w.run("chat", "--model", "m", "hi"), w.run("chat", "--model", "m", "hi", "--stream")} {
		require.Zero(t, r.code, r.err)
		require.Equal(t, want, r.out)
		require.Equal(t, client.Clean(r.out), r.out)
	}
	r := w.onTerminal("chat", "--model", "m", "hi", "-o", "json")
	require.Equal(t, client.Clean(r.out), r.out)
	require.Equal(t, strings.ReplaceAll(strings.Join(hostile, ""), testKey, "<key>"), r.object(t)["text"], "the value is the same")
}

func TestChatThatBreaksOff(t *testing.T) {
	t.Parallel()
	g := newFake(t, saying(true, "half of ", "it"))
	w := newWorld(t).at(g.URL)
	file := filepath.Join(w.dir, "c.json")
	r := w.onTerminal("chat", "--model", "m", "hi", "--conversation", file)
	require.Equal(t, kit.ExitFailed, r.code)
	require.Equal(t, "half of it\n", r.out)
	require.Contains(t, r.err, "the answer was cut")
	require.NoFileExists(t, file, "the conversation is as it was")
	require.Equal(t, 1, g.count(), "and nothing is sent again")
	r = w.fails(kit.ExitFailed, []string{"cut"}, "chat", "--model", "m", "hi", "--stream", "-o", "json")
	d := r.object(t)
	require.Equal(t, "half of it", d["text"])
	require.Equal(t, "", d["finish_reason"])
	require.Contains(t, d["error"], "cut")
}

func TestChatRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, code int
		body         string
		says         []string
	}{
		{401, kit.ExitAuth, `{"error":{"code":"bad_key","message":"no \u001b[31m"}}`, []string{"bad_key", "darkroom auth status", "no ␛[31m"}},
		{404, kit.ExitNotFound, `{"error":{"message":"no such model"}}`, []string{"no such model"}},
		{429, kit.ExitFailed, `{"error":{"code":"busy","message":"later"}}`, []string{"busy"}},
		{500, kit.ExitFailed, `<html>`, []string{"500"}},
		{200, kit.ExitFailed, `{"choices":[{"message":{"content":null,"refusal":"I \u202ewill not"},"finish_reason":"stop"}]}`, []string{"refused", "I <U+202E>will not"}},
		{200, kit.ExitFailed, `{"error":{"message":"no credit"}}`, []string{"no credit"}},
	} {
		g := newFake(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		})
		w := newWorld(t).at(g.URL)
		for _, more := range [][]string{nil, {"--stream"}, {"-o", "json"}} {
			r := w.fails(c.code, c.says, append([]string{"chat", "--model", "m", "hi"}, more...)...)
			require.NotContains(t, r.err, testKey)
		}
		require.Equal(t, 3, g.count(), "each was sent once")
	}
	w := newWorld(t)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = "http://127.0.0.1:1", "sk-other-key"
	require.NotContains(t, w.fails(kit.ExitFailed, nil, "chat", "--model", "m", "hi").err, "sk-other-key")
}

func TestChatRemarks(t *testing.T) {
	t.Parallel()
	for finish, says := range map[string]string{"length": "limit of tokens", "content_filter": "filter", "tool_calls": "a tool", "stop": ""} {
		g := newFake(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"content":"x"},"finish_reason":%q}]}`, finish)
		})
		r := newWorld(t).at(g.URL).ok("chat", "--model", "m", "hi")
		require.Equal(t, "x\n", r.out)
		require.Contains(t, r.err, says)
	}
}

// TestTheEmbeddedGatewayHasAModelToTalkTo, which nobody has to name.
func TestTheEmbeddedGatewayHasAModelToTalkTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Contains(t, w.ok("chat", "what is a prompt?").out, "no language model runs here")
	require.NotEmpty(t, w.ok("improve", "a red kite").out)
	require.Contains(t, w.ok("models", "list", "--live", "-o", "json").out, sandbox.ChatModel)
}

func TestChatWrongWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("list.json", `{"role": "user"}`)
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"--model", "m", "hi", "--extra", `{"a": }`}, []string{"--extra", "column 7"}},
		{[]string{"--model", "m", "hi", "--extra", `[1]`}, []string{"JSON object"}},
		{[]string{"--model", "m", "hi", "--extra", `null`}, []string{"JSON object"}},
		{[]string{"--model", "m", "hi", "--set", "x"}, []string{"PLACE=VALUE"}},
		{[]string{"--model", "m", "hi", "--set", "stream=true"}, []string{"--stream"}},
		{[]string{"--model", "m", "hi", "--extra", `{"messages": []}`}, []string{"messages", "--conversation"}},
		{[]string{"--model", "m", "hi", "--stream", "--no-stream"}, []string{"one of them"}},
		{[]string{"--model", "m", " "}, []string{"empty"}},
		{[]string{"--model", "m", "two", "words"}, []string{"quotes"}},
		{[]string{"--model", "m"}, []string{"empty"}},
		{[]string{"--model", "m", "-", "--file", "x"}, []string{"one of them"}},
		{[]string{"--model", "m", "--file", w.file("bin", "\xff\xfe")}, []string{"UTF-8"}},
		{[]string{"--model", "m", "hi", "--conversation", w.file("c1.json", "{\n \"role\": }")}, []string{"c1.json", "line 2, column 10"}},
		{[]string{"--model", "m", "hi", "--conversation", filepath.Join(w.dir, "list.json")}, []string{"list of messages"}},
		{[]string{"--model", "m", "hi", "--conversation", w.file("c2.json", `[{"role":"tool","content":"x"}]`)}, []string{"message 1", `"tool"`, "assistant"}},
		{[]string{"--model", "m", "hi", "--conversation", w.file("c3.json", `[{"role":"user","content":[{"type":"text"}]}]`)}, []string{"message 1", "texts"}},
		{[]string{"--model", "m", "hi", "--conversation", w.file("c4.json", `[{"role":"user","content":"a","name":"b"}]`)}, []string{"message 1", "name"}},
	} {
		r := w.fails(kit.ExitUsage, c.says, append([]string{"chat"}, c.args...)...)
		require.Empty(t, r.out, "%v", c.args)
	}
}

func TestChatReadsItsMessage(t *testing.T) {
	t.Parallel()
	g := newFake(t, saying(false, "ok"))
	w := newWorld(t).at(g.URL)
	file := w.file("notes.txt", "line one\nline two\n")
	for i, c := range []struct {
		args []string
		in   string
		want string
	}{
		{[]string{"--file", file}, "", "line one\nline two"},
		{[]string{"sum up", "--file", file}, "", "sum up\n\nline one\nline two"},
		{[]string{"sum up", "--file", "-"}, "from a pipe\n", "sum up\n\nfrom a pipe"},
		{[]string{"-"}, "from a pipe\n", "from a pipe"},
		{nil, "from a pipe\n", "from a pipe"},
	} {
		w.in = c.in
		w.ok(append([]string{"chat", "--model", "m"}, c.args...)...)
		list, _ := g.body(t, i)["messages"].([]any)
		require.Equal(t, map[string]any{"role": "user", "content": c.want}, list[0], "%v", c.args)
	}
}

func TestChatGoesOnWithAFile(t *testing.T) {
	t.Parallel()
	g := newFake(t, saying(false, "first\x1b answer"))
	w := newWorld(t).at(g.URL)
	file := filepath.Join(w.dir, "talk.json")
	w.ok("chat", "--model", "m", "one", "--conversation", file, "--system", "s1")
	w.ok("chat", "--model", "m", "two", "--conversation", file, "--system", "s2")
	list, _ := g.body(t, 1)["messages"].([]any)
	require.Equal(t, []any{
		map[string]any{"role": "system", "content": "s2"}, map[string]any{"role": "user", "content": "one"},
		map[string]any{"role": "assistant", "content": "first\x1b answer"}, map[string]any{"role": "user", "content": "two"},
	}, list)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var all []client.ChatMessage
	require.NoError(t, json.Unmarshal(b, &all))
	require.Len(t, all, 5)
	require.NotContains(t, string(b), testKey)

	w.fails(kit.ExitFailed, []string{"not written"}, "chat", "--model", "m", "one", "--conversation", "/proc/none.json")
	w.fails(kit.ExitUsage, []string{"--conversation"}, "chat", "--model", "m", "one", "--conversation", w.dir)
}

func TestChatModelOfTheOverlay(t *testing.T) {
	t.Parallel()
	g := newFake(t, saying(false, "ok"))
	w := newWorld(t).at(g.URL)
	w.file("config/catalog.yaml", `version: 1
modes:
  - {id: talk, label: talk, help: messages}
families:
  - token: famY
    kind: chat
    title: Y
    traits: {modality: chat, modes: [talk], formats: [chat]}
    models:
      - {id: famY-1}
`)
	w.ok("chat", "hi")
	require.Equal(t, "famY-1", g.body(t, 0)["model"])
	require.Contains(t, w.ok("__complete", "chat", "--model", "").out, "famY-1")
}
