package client_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/transport"
)

func TestQueryKeepsTheIDThatWasAsked(t *testing.T) {
	g := serve(t, answer(200, `{"id":"upstream-9","task_id":"a/b?c","status":"completed","video_url":"/files/a.mp4","zz":1}`))
	task, err := newClient(t, g.URL+"/base").Query(t.Context(), "videos", "a/b?c")
	require.NoError(t, err)
	assert.Equal(t, "a/b?c", task.ID)
	assert.Equal(t, []string{"upstream-9"}, task.AltIDs)
	assert.Equal(t, g.URL+"/base/files/a.mp4", task.Assets[0].URL, "a path is one of the gateway's")
	assert.Equal(t, "/base/v1/videos/a%2Fb%3Fc", g.seen()[0].URL.EscapedPath())
	assert.Contains(t, task.Extra, "zz")
}

func TestQueryTakesTheRequestIDOfTheBody(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"output":{"task_id":"t","task_status":"RUNNING"},"request_id":"body-1"}`))
	})
	task, err := newClient(t, g.URL).Query(t.Context(), "tasks", "t")
	require.NoError(t, err)
	assert.Equal(t, "body-1", task.Meta.RequestID)
}

func TestQueryRefusals(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "12")
		answer(429, `{"code":"busy","message":"slow down (request id: abc-1)","data":null}`)(w, r)
	})
	c := newClient(t, g.URL)
	_, err := c.Query(t.Context(), "videos", "task_1")
	ae := asAPI(t, err)
	assert.Equal(t, 429, ae.HTTPStatus)
	assert.Equal(t, "busy", ae.Code)
	assert.Equal(t, "slow down", ae.Message)
	assert.Equal(t, 12*time.Second, ae.RetryAfter)
	assert.Equal(t, "req-1", ae.RequestID)
	assert.Equal(t, "GET", ae.Method)
	assert.Equal(t, "/v1/videos/task_1", ae.Path)
	assert.Equal(t, 1, g.count("GET"), "the caller schedules")

	_, err = c.Query(t.Context(), "videos", "")
	require.Error(t, err)
	_, err = c.Query(t.Context(), "images", "x")
	require.ErrorContains(t, err, "no query path")
	_, err = c.Query(t.Context(), "nope", "x")
	require.ErrorContains(t, err, "nope")
}

func TestAWebPageIsNoAnswer(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("\n<!DOCTYPE html><title>console</title><body>hi</body>"))
	})
	c := newClient(t, g.URL)
	_, err := c.Query(t.Context(), "videos", "task_1")
	assert.Equal(t, 200, asAPI(t, err).HTTPStatus)
	assert.Contains(t, err.Error(), "web page")
	require.Error(t, c.CheckKey(t.Context()))
}

func TestGETsAreRepeatedQuickly(t *testing.T) {
	reset := &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	for name, k := range map[string]struct {
		fail  func() (*http.Response, error)
		tries int
	}{
		"reset": {func() (*http.Response, error) { return nil, reset }, 3},
		"502":   {func() (*http.Response, error) { return reply(502, nil, "x"), nil }, 3},
		"503":   {func() (*http.Response, error) { return reply(503, nil, "x"), nil }, 3},
		"500":   {func() (*http.Response, error) { return reply(500, nil, "x"), nil }, 1},
		"429":   {func() (*http.Response, error) { return reply(429, http.Header{"Retry-After": {"1"}}, "x"), nil }, 1},
		"404":   {func() (*http.Response, error) { return reply(404, nil, "x"), nil }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				start := time.Now()
				c := offline(t, func(*http.Request) (*http.Response, error) { n++; return k.fail() })
				_, err := c.Query(t.Context(), "videos", "task_1")
				require.Error(t, err)
				assert.Equal(t, k.tries, n)
				assert.Less(t, time.Since(start), 3*time.Second)
			})
		})
	}
}

func TestLookupAsksEveryRouteAtOnce(t *testing.T) {
	arrived := make(chan struct{}, 8)
	all := make(chan struct{})
	go func() {
		for range 7 {
			<-arrived
		}
		close(all)
	}()
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-all // a route after the other would wait for ever
		switch {
		case strings.HasPrefix(r.URL.Path, "/v1/videos/"):
			answer(400, `{"code":"task_not_exist","message":"task_not_exist","data":null}`)(w, r)
		case strings.HasPrefix(r.URL.Path, "/famN/fetch/"):
			answer(200, `{"code":"success","data":{"task_id":"task_1","status":"IN_PROGRESS"}}`)(w, r)
		default:
			answer(200, `<html></html>`)(w, r)
		}
	})
	c := newClient(t, g.URL)
	res := c.Lookup(t.Context(), "task_1")
	require.Len(t, res, 7)
	assert.Equal(t, []string{"videos", "music", "responses"}, []string{res[0].Format, res[1].Format, res[6].Format})
	assert.Equal(t, "GET /v1/videos/task_1", res[0].Path)
	assert.Equal(t, "task_not_exist", asAPI(t, res[0].Err).Code)
	assert.Equal(t, 400, res[0].Meta.HTTPStatus)
	require.NoError(t, res[1].Err)
	assert.Equal(t, client.StatusRunning, res[1].Task.Status)
	assert.Equal(t, "music", res[1].Task.Format)
	require.Error(t, res[2].Err)
	assert.Contains(t, string(res[0].Raw), "task_not_exist", "the body of a refusal is there to be shown")
	assert.Contains(t, string(res[1].Raw), "IN_PROGRESS")

	res = c.Lookup(t.Context(), "task_1", "music", "nope")
	require.Len(t, res, 2)
	require.NoError(t, res[0].Err)
	require.Error(t, res[1].Err)
}

func TestGuess(t *testing.T) {
	c := newClient(t, "http://127.0.0.1:1")
	assert.Equal(t, []string{"responses", "videos", "content", "tasks", "music", "ent", "status"}, c.Guess("resp_1"))
	assert.Equal(t, []string{"videos", "music", "status", "content", "tasks", "ent", "responses"}, c.Guess("task_1"))
	assert.ElementsMatch(t, []string{"videos", "music", "status", "content", "tasks", "ent", "responses"}, c.Guess("?"))
}

func TestThePaceAdapts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status := 200
		c, err := client.New(client.Options{
			BaseURL: "https://gateway.test", Formats: newClient(t, "http://h").Formats(),
			Key:  func() (string, error) { return secret, nil },
			Pace: transport.Pace{Rate: 10, Burst: 1},
			Transport: roundTripper(func(*http.Request) (*http.Response, error) {
				return reply(status, nil, `{"id":"task_1","status":"queued"}`), nil
			}),
		})
		require.NoError(t, err)
		ask := func(n int) time.Duration {
			start := time.Now()
			for range n {
				_, _ = c.Query(t.Context(), "videos", "task_1")
			}
			return time.Since(start)
		}
		ask(1)
		even := ask(20)
		assert.InDelta(t, 2.0, even.Seconds(), 0.1, "10 a second")
		status = 429
		ask(5)
		status = 200
		slow := ask(20)
		assert.Greater(t, slow, 2*even, "five refusals slow it down")
		time.Sleep(2 * time.Minute) //nolint:forbidigo // the bubble's clock, not the wall's
		assert.InDelta(t, 2.0, ask(20).Seconds(), 0.2, "quiet heals it")
	})
}

func TestWaitingForThePaceIsNotSending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		c, err := client.New(client.Options{
			BaseURL: "https://gateway.test", Formats: newClient(t, "http://h").Formats(),
			Key:  func() (string, error) { return secret, nil },
			Pace: transport.Pace{Rate: 0.01, Burst: 1},
			Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
				n++
				_, _ = io.Copy(io.Discard, r.Body)
				return reply(200, nil, `{"id":"task_1"}`), nil
			}),
		})
		require.NoError(t, err)
		_, err = c.Create(t.Context(), video(), "videos")
		require.NoError(t, err)
		ctx, cancel := withTimeout(t, time.Second)
		defer cancel()
		_, err = c.Create(ctx, video(), "videos")
		assert.Equal(t, client.OutcomeNotSent, asCreate(t, err).Outcome)
		assert.Equal(t, 1, n)
	})
}

func TestOnlyAnswersWithMediaMayBeLarge(t *testing.T) {
	pad := strings.Repeat("a", client.QueryMaxBody)
	c := offline(t, func(*http.Request) (*http.Response, error) {
		return reply(200, nil, `{"id":"x","status":"queued","pad":"`+pad+`"}`), nil
	})
	_, err := c.Query(t.Context(), "videos", "x")
	require.ErrorContains(t, err, "larger than the limit of 8 MiB")
	_, err = c.Query(t.Context(), "responses", "x")
	require.NoError(t, err)
}
