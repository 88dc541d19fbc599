package client_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// raw answers with bytes as they stand, on a connection of its own.
func raw(w http.ResponseWriter, answer string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_, _ = io.WriteString(conn, answer)
		_ = conn.Close()
	}
}

// What net/http quotes of an answer in its errors, and headers that echo the key, reach
// no error text and no log as they came.
func TestTransportErrorsAreCleanAndWithoutTheKey(t *testing.T) {
	evil := "\x1b]0;owned\x07\u009b2J\u202e"
	for name, answer := range map[string]string{
		"a header":       "HTTP/1.1 200 OK\r\nX-A: " + evil + secret + "\r\n\r\n{}",
		"a name":         "HTTP/1.1 200 OK\r\nX" + evil + secret + ": 1\r\n\r\n{}",
		"a status line":  evil + secret + "\r\n\r\n{}",
		"a status":       "HTTP/1.1 " + evil + secret + "\r\n\r\n",
		"a length":       "HTTP/1.1 200 OK\r\nContent-Length: " + evil + secret + "\r\n\r\n",
		"a chunk":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + evil + secret + "\r\n",
		"a trailer":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX" + evil + secret + "\r\n\r\n",
		"a long header":  "HTTP/1.1 200 OK\r\nX-A " + strings.Repeat(secret, 4000) + "\r\n\r\n",
		"endless header": "HTTP/1.1 200 OK\r\nX-A: " + strings.Repeat("a", 2<<20) + "\r\n\r\n{}",
	} {
		t.Run(name, func(t *testing.T) {
			g := serve(t, func(w http.ResponseWriter, r *http.Request) {
				assert.Equal(t, "Bearer "+secret, r.Header.Get("Authorization"))
				raw(w, answer)
			})
			c := newClient(t, g.URL)
			_, create := c.Create(t.Context(), video(), "videos")
			_, query := c.Query(t.Context(), "videos", "task_1")
			_, open := c.Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, 0, "")
			assert.Equal(t, client.OutcomeAmbiguous, asCreate(t, create).Outcome)
			if name == "endless header" {
				require.ErrorContains(t, query, "head of the answer is larger than 1 MiB")
				require.ErrorContains(t, open, "head of the answer is larger than 1 MiB")
			}
			texts := []string{}
			for _, err := range []error{create, query, open} {
				if err != nil {
					texts = append(texts, err.Error())
				}
			}
			for _, e := range c.Exchanges() {
				texts = append(texts, e.Err)
			}
			for _, s := range texts {
				assert.Equal(t, client.CleanLine(s), s)
				assert.NotContains(t, s, secret)
				assert.Less(t, len(s), 3000)
			}
		})
	}
}

func TestAKeyInAHeaderIsHidden(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "for "+r.Header.Get("Authorization"))
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		w.Header().Set("ETag", `"`+secret+`"`)
		if r.URL.Path == "/v1/videos/moved" {
			w.Header().Set("Location", "http://127.0.0.1:1/"+secret)
			w.WriteHeader(http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, `{"id":"task_1","status":"queued"}`)
	})
	c := newClient(t, g.URL)
	task, err := c.Query(t.Context(), "videos", "task_1")
	require.NoError(t, err)
	assert.NotContains(t, task.Meta.RequestID, secret)
	assert.Contains(t, task.Meta.RequestID, "<key>")
	_, err = c.Query(t.Context(), "videos", "moved")
	require.Error(t, err)
	assert.NotContains(t, err.Error(), secret)
	for _, e := range c.Exchanges() {
		assert.NotContains(t, e.RequestID+headerText(e.RespHeader), secret)
	}
}

// A key with characters that JSON and addresses escape is found in each of their forms.
func TestAnEscapedKeyIsHidden(t *testing.T) {
	const key = "sk/test+0123&4567="
	forms := []string{
		key, `sk\/test+0123&4567=`, `sk/test+0123\u00264567=`, `sk\/test\u002B0123\u00264567\u003D`, `sk%2Ftest%2b0123%264567%3D`,
	}
	for _, form := range forms {
		t.Run(form, func(t *testing.T) {
			g := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("X-Echo", form)
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = io.WriteString(w, `{"error":{"message":"no such key: `+form+form+`, that is all"}}`)
			})
			c := newClient(t, g.URL, func(o *client.Options) { o.Key = func() (string, error) { return key, nil } })
			_, err := c.Query(t.Context(), "videos", "task_1")
			assert.Equal(t, "no such key: <key><key>, that is all", asAPI(t, err).Message)
			for _, e := range c.Exchanges() {
				assert.Equal(t, "<key>", e.RespHeader.Get("X-Echo"))
				assert.Contains(t, e.RespBody, `{"error":{"message":"no such key: <key><key>, that is all"}}`)
			}
		})
	}
}

// An answer that never ends, unpacks to far more than it is, nests without end or drips
// is given up, at the cap or at the time limit; a create's fate is then open.
func TestBombs(t *testing.T) {
	var bomb bytes.Buffer // packed once: that takes time under load
	z := gzip.NewWriter(&bomb)
	_, err := z.Write(make([]byte, 16<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	for name, k := range map[string]struct {
		h    http.HandlerFunc
		want string
	}{
		"gzip bomb": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb.Bytes())
		}, "larger than the limit"},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}, "larger than the limit"},
		"deep": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"id":`+strings.Repeat("[", 1<<20))
		}, "not understood"},
		"deep and whole": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat(`{"data":`, 20_000)+"1"+strings.Repeat("}", 20_000))
		}, "not understood"},
		"packed in packed": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip, gzip")
		}, "not asked for"},
		"dripping": {func(w http.ResponseWriter, r *http.Request) {
			drip := time.NewTicker(10 * time.Millisecond)
			defer drip.Stop()
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, " ")
				_ = http.NewResponseController(w).Flush()
				<-drip.C
			}
		}, "within 1s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				k.h(w, r)
			})
			c := newClient(t, g.URL, func(o *client.Options) {
				o.MaxBody, o.Timeout = 4<<20, 5*time.Minute
				if name == "dripping" {
					o.Timeout = time.Second
				}
			})
			_, err := c.Create(t.Context(), video(), "videos")
			assert.Equal(t, client.OutcomeAmbiguous, asCreate(t, err).Outcome)
			require.ErrorContains(t, err, k.want)
			assert.Less(t, len(asCreate(t, err).Raw), 4<<20+1)
			_, err = c.Query(t.Context(), "videos", "task_1")
			require.ErrorContains(t, err, k.want)
		})
	}
}

// Texts of any length are bounded, ids that no path carries are none.
func TestLongTextsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	g := serve(t, answer(200, `{"id":"task_1","video_id":"`+long+`","status":"`+long+`","model":"`+long+`","title":"`+long+`"}`))
	c := newClient(t, g.URL)
	task, err := c.Query(t.Context(), "videos", "task_1")
	require.NoError(t, err)
	assert.Less(t, len(task.RawStatus)+len(task.Model)+len(task.Title), 2000)
	assert.Empty(t, task.AltIDs)
	assert.Greater(t, len(task.Raw), 400_000, "the body is whole")

	g = serve(t, answer(200, `{"status":"failed","id":"task_1","error":{"message":"`+long+`","code":"`+long+`","param":"`+long+`"}}`))
	task, err = newClient(t, g.URL).Query(t.Context(), "videos", "task_1")
	require.NoError(t, err)
	assert.Less(t, len(task.Error.Message)+len(task.Error.Code)+len(task.Error.Param), 3000)

	g = serve(t, answer(200, `{"id":"`+long+`","status":"queued"}`))
	_, err = newClient(t, g.URL).Create(t.Context(), video(), "videos")
	assert.Equal(t, client.OutcomeAmbiguous, asCreate(t, err).Outcome)
	assert.Contains(t, err.Error(), "100000 bytes")
}

// Nothing is left running by exchanges that ended, in whichever way, once the client is
// closed.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	stop := make(chan struct{})
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/content") {
			w.Header().Set("Content-Type", "video/mp4")
			_, _ = w.Write(make([]byte, 100))
			_ = http.NewResponseController(w).Flush()
			<-stop
			return
		}
		answer(200, `{"id":"task_1","status":"queued"}`)(w, r)
	})
	c := newClient(t, g.URL, func(o *client.Options) { o.Timeout = 100 * time.Millisecond })
	for range 5 {
		_, err := c.Create(t.Context(), video(), "videos")
		require.NoError(t, err)
		_ = c.Lookup(t.Context(), "task_1")
		ctx, cancel := context.WithCancel(t.Context())
		m, err := c.Open(ctx, "videos", "task_1", client.Asset{Content: true}, 0, "")
		require.NoError(t, err)
		cancel()
		_, err = io.Copy(io.Discard, m.Body)
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, m.Body.Close())
		m, err = c.Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, 0, "")
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, m.Body)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NoError(t, m.Body.Close())
	}
	close(stop)
	c.Close()
	g.Close()
	left := runtime.NumGoroutine()
	for end := time.Now().Add(5 * time.Second); left > before && time.Now().Before(end); left = runtime.NumGoroutine() {
		<-time.After(5 * time.Millisecond)
	}
	if left > before {
		stacks := make([]byte, 1<<16)
		t.Fatalf("%d goroutines, %d before:\n%s", left, before, stacks[:runtime.Stack(stacks, true)])
	}
}

// fragile is a format whose codec breaks on every answer.
type fragile struct{ client.Format }

func (fragile) DecodeCreate(client.Response) (client.Task, error) { panic("broken") }
func (fragile) DecodeQuery(client.Response) (client.Task, error)  { panic("broken") }

func TestWhatBreaksACodecIsKept(t *testing.T) {
	g := serve(t, answer(200, `{"id":"task_1"}`))
	c := newClient(t, g.URL, func(o *client.Options) { o.Formats = []client.Format{fragile{o.Formats[0]}} })
	name := c.Formats()[0].Name()
	_, err := c.Create(t.Context(), video(), name)
	ce := asCreate(t, err)
	assert.Equal(t, client.OutcomeAmbiguous, ce.Outcome)
	assert.JSONEq(t, `{"id":"task_1"}`, string(ce.Raw), "a person finds the id in it")
	require.ErrorContains(t, err, "internal error: broken")

	res := c.Lookup(t.Context(), "task_1", name)
	require.ErrorContains(t, res[0].Err, "internal error: broken")
	assert.JSONEq(t, `{"id":"task_1"}`, string(res[0].Raw))
}
