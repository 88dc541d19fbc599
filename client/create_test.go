package client_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
)

func TestCreate(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "Bearer "+secret, r.Header.Get("Authorization"))
		assert.Equal(t, "application/json", r.Header.Get("Content-Type"))
		assert.Empty(t, r.Header.Get("Idempotency-Key"))
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.Equal(t, `{"model":"famA3","mode":"t2v","prompt":"a kite"}`, string(body)) //nolint:testifylint // the very bytes
		answer(200, `{"id":"task_1","status":"queued","model":""}`)(w, r)
	})
	c := newClient(t, g.URL+"/prefix/")
	task, err := c.Create(t.Context(), video(), "videos")
	require.NoError(t, err)
	assert.Equal(t, "task_1", task.ID)
	assert.Equal(t, "videos", task.Format)
	assert.Equal(t, "famA3", task.Model, "an empty model in the answer keeps the one that was sent")
	assert.Equal(t, "POST /v1/videos", task.Meta.Path)
	assert.Equal(t, 200, task.Meta.HTTPStatus)
	assert.Equal(t, "req-1", task.Meta.RequestID)
	assert.Positive(t, task.Meta.Latency)
	assert.JSONEq(t, `{"id":"task_1","status":"queued","model":""}`, string(task.Raw))
	assert.Equal(t, "/prefix/v1/videos", g.seen()[0].URL.Path)
}

func TestCreateOutcomes(t *testing.T) {
	for name, k := range map[string]struct {
		status int
		body   string
		want   client.Outcome
	}{
		"bad request":   {400, `{"error":{"code":"x","message":"no prompt"}}`, client.OutcomeRefused},
		"key refused":   {401, `{"error":{"message":"Invalid token"}}`, client.OutcomeRefused},
		"low balance":   {403, `{"code":"insufficient_user_quota","message":"＄0","data":null}`, client.OutcomeRefused},
		"not found":     {404, `{}`, client.OutcomeRefused},
		"timeout":       {408, ``, client.OutcomeAmbiguous},
		"conflict":      {409, ``, client.OutcomeAmbiguous},
		"rate limit":    {429, `{"code":"x","message":"请稍后再试"}`, client.OutcomeRefused},
		"server error":  {500, `{"error":{"message":"panic"}}`, client.OutcomeAmbiguous},
		"bad gateway":   {502, `<html><h1>502</h1></html>`, client.OutcomeAmbiguous},
		"unavailable":   {503, `{"error":{"code":"model_not_found","message":"none"}}`, client.OutcomeAmbiguous},
		"no id":         {200, `{"object":"video"}`, client.OutcomeAmbiguous},
		"no JSON":       {200, `{"id":"task`, client.OutcomeAmbiguous},
		"nothing":       {204, ``, client.OutcomeAmbiguous},
		"a web page":    {200, `<!doctype html><title>console</title>`, client.OutcomeAmbiguous},
		"error at 200":  {200, `{"error":{"message":"no"}}`, client.OutcomeAmbiguous},
		"only data":     {201, `[]`, client.OutcomeAmbiguous},
		"teapot":        {418, `tea`, client.OutcomeRefused},
		"not a gateway": {302, ``, client.OutcomeRefused},
	} {
		t.Run(name, func(t *testing.T) {
			g := serve(t, answer(k.status, k.body))
			_, err := newClient(t, g.URL).Create(t.Context(), video(), "videos")
			ce := asCreate(t, err)
			assert.Equal(t, k.want, ce.Outcome)
			assert.Equal(t, 1, g.count("POST"), "a create was sent again")
			assert.Equal(t, k.body, string(ce.Raw))
			assert.Equal(t, "req-1", ce.Meta.RequestID)
		})
	}
}

// A server that reads the request and closes the connection leaves the fate open, and
// must see the request once, also on a connection that was used before.
func TestPOSTIsNotSentAgainOnADeadConnection(t *testing.T) {
	var posts atomic.Int32
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			answer(200, `{"id":"task_1","status":"queued"}`)(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		posts.Add(1)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	})
	for name, transport := range map[string]http.RoundTripper{"own": nil, "given": &http.Transport{}} {
		t.Run(name, func(t *testing.T) {
			posts.Store(0)
			c := newClient(t, g.URL, func(o *client.Options) { o.Transport = transport })
			for range 3 { // keep-alive connections are there to be used
				_, err := c.Query(t.Context(), "videos", "task_1")
				require.NoError(t, err)
			}
			_, err := c.Create(t.Context(), video(), "videos")
			assert.Equal(t, client.OutcomeAmbiguous, asCreate(t, err).Outcome)
			assert.EqualValues(t, 1, posts.Load())
		})
	}
}

func TestResetInTheMiddleOfTheAnswerIsAmbiguous(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"id":"task_`))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	_, err := newClient(t, g.URL).Create(t.Context(), video(), "videos")
	ce := asCreate(t, err)
	assert.Equal(t, client.OutcomeAmbiguous, ce.Outcome)
	assert.Equal(t, `{"id":"task_`, string(ce.Raw))
	assert.Equal(t, 1, g.count("POST"))
}

func TestNobodyListeningIsNotSent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := l.Addr().String()
	require.NoError(t, l.Close())
	_, err = newClient(t, "http://"+addr).Create(t.Context(), video(), "videos")
	assert.Equal(t, client.OutcomeNotSent, asCreate(t, err).Outcome)
}

func TestCreateTimesOut(t *testing.T) {
	release := make(chan struct{})
	g := serve(t, func(http.ResponseWriter, *http.Request) { <-release })
	t.Cleanup(func() { close(release) })
	c := newClient(t, g.URL, func(o *client.Options) { o.Timeout = 50 * time.Millisecond })
	_, err := c.Create(t.Context(), video(), "videos")
	ce := asCreate(t, err)
	assert.Equal(t, client.OutcomeAmbiguous, ce.Outcome)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Contains(t, err.Error(), "within 50ms")
	_, err = c.Query(t.Context(), "videos", "task_1")
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestACancelledCreateIsAmbiguousOnceItLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	g := serve(t, func(http.ResponseWriter, *http.Request) { cancel(); <-release })
	t.Cleanup(func() { close(release) })
	_, err := newClient(t, g.URL).Create(ctx, video(), "videos")
	assert.Equal(t, client.OutcomeAmbiguous, asCreate(t, err).Outcome)

	_, err = newClient(t, g.URL).Create(ctx, video(), "videos")
	assert.Equal(t, client.OutcomeNotSent, asCreate(t, err).Outcome, "cancelled before it left")
	assert.Equal(t, 1, g.count("POST"))
}

// roundTripper answers without a network, so that time can be faked.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func reply(status int, header http.Header, body string) *http.Response {
	if header == nil {
		header = http.Header{"Content-Type": {"application/json"}}
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

func offline(t *testing.T, rt roundTripper) *client.Client {
	c, err := client.New(client.Options{
		BaseURL: "https://gateway.test", Formats: formats.All(), Transport: rt,
		Key: func() (string, error) { return secret, nil },
	})
	require.NoError(t, err)
	return c
}

func TestA429IsNeverSentAgain(t *testing.T) {
	for name, h := range map[string]string{"none": "", "short": "1", "long": "600", "date": "Fri, 20 Nov 2099 13:29:06 GMT", "nonsense": "soon"} {
		t.Run(name, func(t *testing.T) {
			n := 0
			c := offline(t, func(*http.Request) (*http.Response, error) {
				n++
				return reply(429, http.Header{"Retry-After": {h}}, "{}"), nil
			})
			_, err := c.Create(t.Context(), video(), "videos")
			assert.Equal(t, client.OutcomeRefused, asCreate(t, err).Outcome)
			assert.Equal(t, 1, n)
			if h == "600" {
				assert.Equal(t, 10*time.Minute, asAPI(t, err).RetryAfter)
			}
		})
	}
}

func TestNothingIsSentAgainByTheTransport(t *testing.T) {
	refuse := &net.OpError{Op: "dial", Err: errors.New("refused")}
	reset := &net.OpError{Op: "read", Err: io.ErrUnexpectedEOF}
	for name, k := range map[string]struct {
		err   error
		tries int
		want  client.Outcome
	}{
		"a failed dial": {refuse, 1, client.OutcomeNotSent},
		"no such host":  {&net.DNSError{Err: "no such host", Name: "x"}, 1, client.OutcomeNotSent},
		"a reset":       {reset, 1, client.OutcomeAmbiguous},
		"anything else": {errors.New("odd"), 1, client.OutcomeAmbiguous},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				c := offline(t, func(*http.Request) (*http.Response, error) { n++; return nil, k.err })
				_, err := c.Create(t.Context(), video(), "videos")
				assert.Equal(t, k.want, asCreate(t, err).Outcome)
				assert.Equal(t, k.tries, n)
			})
		})
	}
}

func TestImagesWaitLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(5 * time.Minute):
				return reply(200, nil, `{"created":1,"data":[{"url":"https://cdn.test/a.png"}]}`), nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}
		c := offline(t, slow)
		task, err := c.Create(t.Context(), client.Draft{Modality: client.Image, Model: "famL", Prompt: "x"}, "images")
		require.NoError(t, err)
		assert.Equal(t, client.StatusCompleted, task.Status)
		start := time.Now()
		_, err = c.Create(t.Context(), video(), "videos")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, client.DefaultTimeout, time.Since(start))
	})
}

func TestAnswersAreCapped(t *testing.T) {
	big := strings.Repeat("a", 1<<20)
	packed := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(`{"id":"task_1","status":"queued","pad":"` + big + `"}`))
		_ = z.Close()
	}
	g := serve(t, packed)
	c := newClient(t, g.URL, func(o *client.Options) { o.MaxBody = 1 << 19 })
	_, err := c.Create(t.Context(), video(), "videos")
	ce := asCreate(t, err)
	assert.Equal(t, client.OutcomeAmbiguous, ce.Outcome)
	assert.Contains(t, err.Error(), "larger than the limit")
	_, err = c.Query(t.Context(), "videos", "task_1")
	require.ErrorContains(t, err, "larger than the limit")

	task, err := newClient(t, g.URL).Query(t.Context(), "videos", "task_1")
	require.NoError(t, err, "gzip is undone")
	assert.Equal(t, client.StatusQueued, task.Status)
}

func TestUnknownFormat(t *testing.T) {
	_, err := newClient(t, "http://127.0.0.1:1").Create(t.Context(), video(), "nope")
	ce := asCreate(t, err)
	assert.Equal(t, client.OutcomeNotSent, ce.Outcome)
	assert.Contains(t, err.Error(), "videos, content, ent, tasks, status, images, music, responses, chat, native")
}
