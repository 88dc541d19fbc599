package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// with sends a request with fault rules in its header.
func (b *bench) with(rules, method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8400"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+testKey)
	for _, rule := range strings.Split(rules, "|") {
		r.Header.Add("X-Sandbox-Fault", rule)
	}
	return b.send(r)
}

const tiny = `{"model":"famJq3-turbo","mode":"t2v","prompt":"x",` + small + `}`

func (b *bench) tiny(directive string) string {
	return b.ok("POST", "/v1/videos", strings.Replace(tiny, `"x"`, fmt.Sprintf("%q", "x "+directive), 1))["id"].(string)
}

func TestFaultByHeader(t *testing.T) {
	b := newBench(t)
	id := b.tiny("")
	b.clock.advance(time.Minute)
	query := "/v1/videos/" + id

	w := b.with("429 retry-after=7", "GET", query, "")
	assert.Equal(t, http.StatusTooManyRequests, w.Code)
	assert.Equal(t, "7", w.Header().Get("Retry-After"))
	assert.Equal(t, "rate_limit_exceeded", errorOf(t, w).Code)

	w = b.with("503 retry-after=90 date", "GET", query, "")
	assert.Equal(t, "Sun, 01 Mar 2026 12:02:30 GMT", w.Header().Get("Retry-After"), "a date of the server's clock")

	w = b.with("html", "GET", query, "")
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	assert.Contains(t, w.Body.String(), "<!DOCTYPE html>")

	assert.Equal(t, "reticulating", b.json(b.with("unknown-status; stay-running", "GET", query, ""))["status"])
	assert.Equal(t, "queued", b.json(b.with("stay-queued", "GET", query, ""))["status"])
	m := b.json(b.with(`fail code=E1 message="a; b"`, "GET", query, ""))
	assert.Equal(t, map[string]any{"code": "E1", "message": "a; b"}, m["error"])
	assert.Equal(t, "completed", b.ok("GET", query, "")["status"], "a header is about its own request")

	assert.Equal(t, http.StatusBadGateway, b.with("types|502", "GET", query, "").Code, "several headers are one list")
	assert.Equal(t, http.StatusOK, b.with("502 on=create", "GET", query, "").Code)
	for rules, says := range map[string]string{"explode": "allowed: fail", "429 times=x": "whole number", "200": "allowed are 400", "500 on=moon": "create, query"} {
		e := errorOf(t, b.with(rules, "GET", query, ""))
		assert.Contains(t, e.Message, "header X-Sandbox-Fault: ")
		assert.Contains(t, e.Message, says)
	}
	assert.Equal(t, http.StatusUnauthorized, b.send(httptest.NewRequest(http.MethodGet, query, nil)).Code)
}

func (b *bench) json(w *httptest.ResponseRecorder) map[string]any {
	b.t.Helper()
	require.Equal(b.t, http.StatusOK, w.Code, "%s", w.Body)
	return object(b.t, w)
}

// A header at the create scripts the task, and by name later requests about it.
func TestHeaderAtTheCreate(t *testing.T) {
	b := newBench(t)
	id := b.json(b.with("fail code=E9; 500 on=query times=2", "POST", "/v1/videos", tiny))["id"].(string)
	b.clock.advance(time.Minute)
	for range 2 {
		b.refused(http.StatusInternalServerError, "GET", "/v1/videos/"+id, "")
	}
	assert.Equal(t, "E9", at(b.ok("GET", "/v1/videos/"+id, ""), "error.code"))

	assert.Equal(t, http.StatusInternalServerError, b.with("500 after", "POST", "/v1/videos", tiny).Code)
	assert.EqualValues(t, 2, b.s.Creates(), "the answer was lost, the task was not")
	assert.Equal(t, http.StatusInternalServerError, b.with("500", "POST", "/v1/videos", tiny).Code)
	assert.EqualValues(t, 2, b.s.Creates())
}

func TestFaultByOption(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Fault = "503 on=query times=1 skip=1; fail code=E5; 404 on=list" })
	id := b.tiny("")
	b.clock.advance(time.Minute)
	assert.Equal(t, "E5", at(b.ok("GET", "/v1/videos/"+id, ""), "error.code"))
	b.refused(http.StatusServiceUnavailable, "GET", "/v1/videos/"+id, "")
	b.ok("GET", "/v1/videos/"+id, "")
	b.refused(http.StatusNotFound, "GET", "/v1beta/models", "")
	assert.Equal(t, "E5", b.refused(http.StatusBadRequest, "POST", "/v1/images/generations", `{"model":"famL","prompt":"x"}`).Code)
	assert.Equal(t, "E5", b.refused(http.StatusBadRequest, "POST", "/v1/chat/completions", `{"model":"x","messages":[{"role":"user","content":"x"}]}`).Code)
	_, err := New(Options{Fault: "explode"})
	assert.ErrorContains(t, err, "explode")
}

// 500 bursts: the first queries, or some in the middle, each task for itself.
func TestBursts(t *testing.T) {
	b := newBench(t)
	first, second := b.tiny("[[sandbox:500 on=query times=2]]"), b.tiny("[[sandbox:502 on=query skip=1 times=2]]")
	codes := func(id string) (out []int) {
		for range 5 {
			out = append(out, b.do("GET", "/v1/videos/"+id, "").Code)
		}
		return out
	}
	assert.Equal(t, []int{500, 500, 200, 200, 200}, codes(first))
	assert.Equal(t, []int{200, 502, 502, 200, 200}, codes(second))
	again := b.tiny("[[sandbox:500 on=query times=2]]")
	assert.Equal(t, []int{500, 500, 200, 200, 200}, codes(again))
	b.clock.advance(time.Minute)
	id := b.tiny("[[sandbox:404 on=content times=1]]")
	b.clock.advance(time.Minute)
	b.refused(http.StatusNotFound, "GET", "/v1/videos/"+id+"/content", "")
	assert.Equal(t, http.StatusOK, b.do("GET", "/v1/videos/"+id+"/content", "").Code)
}

// Success without a URL, in every format.
func TestNoURL(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ path, body, id string }{
		{"/v1/videos", tiny, "id"},
		{contentPath, `{"model":"famI-omni","prompt":"x"}`, "id"},
		{"/v1/videos", `{"model":"famK-3.0","prompt":"x"}`, "id"},
		{"/v1/videos", `{"model":"famF-video","model_name":"famF-v3","mode":"t2v","prompt":"x"}`, "id"},
		{"/famN/submit/music", `{"model":"famN_music","prompt":"x"}`, "data"},
		{"/v1/responses", `{"model":"famL","prompt":"x","background":true}`, "id"},
	} {
		id := b.ok("POST", c.path, strings.Replace(c.body, `"prompt":"x"`, `"prompt":"x [[sandbox:no-url]]"`, 1))[c.id].(string)
		b.clock.advance(time.Minute)
		paths := queryPaths(id)
		paths["music"], paths["responses"] = "/famN/fetch/"+id, "/v1/responses/"+id
		seen := 0
		for _, path := range paths {
			w := b.do("GET", path, "")
			if w.Code == http.StatusNotFound {
				continue
			}
			seen++
			require.Equal(t, http.StatusOK, w.Code)
			assert.NotContains(t, w.Body.String(), "/files/", path)
			assert.Regexp(t, `(?i)completed|succe`, w.Body.String(), path)
		}
		assert.Positive(t, seen, c.path)
	}
	m := b.json(b.with("no-url", "POST", "/v1/images/generations", `{"model":"famL","prompt":"x","aspect_ratio":"8:1","response_format":"b64_json"}`))
	assert.NotContains(t, at(m, "data.0"), "b64_json")
}

// The text of an error where a URL is expected.
func TestErrorURL(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ path, body, query, at string }{
		{"/v1/videos", `{"model":"famA3","prompt":"x"}`, "/v1/videos/", "result_url"},
		{contentPath, `{"model":"famI-omni","prompt":"x"}`, contentPath + "/", "result_url"},
		{"/v1/videos", `{"model":"famK-3.0","prompt":"x"}`, "/api/v1/tasks/", "output.result_url"},
		{"/famN/submit/music", `{"model":"famN_music","prompt":"x"}`, "/famN/fetch/", "data.result_url"},
	} {
		m := b.json(b.with("error-url", "POST", c.path, c.body))
		id, ok := m["id"].(string)
		if !ok {
			id = m["data"].(string)
		}
		b.clock.advance(time.Minute)
		m = b.json(b.with("error-url", "GET", c.query+id, ""))
		assert.Contains(t, at(m, c.at), "asked for this failure", "%v", m)
		assert.Nil(t, m["error"])
	}
}

// Fields of another type than the documented one.
func TestOtherTypes(t *testing.T) {
	b := newBench(t)
	m := b.json(b.with("types", "POST", contentPath, `{"model":"famI-omni","prompt":"x","seconds":4}`))
	assert.Equal(t, json.Number("1772366400"), m["created_at"], "an integer where a string is shown")
	assert.Nil(t, m["items"])
	assert.Contains(t, m, "items")
	id := m["id"].(string)
	b.clock.advance(2 * time.Second)
	m = b.json(b.with("types", "GET", contentPath+"/"+id, ""))
	assert.Equal(t, "1772366400", m["created_at"], "a string where an integer is shown")
	m = b.json(b.with("types", "GET", "/v1/videos/"+id, ""))
	assert.Equal(t, json.Number("4"), m["seconds"])
	assert.Regexp(t, `^\d+%$`, m["progress"])
	b.clock.advance(time.Minute)
	assert.IsType(t, "", at(b.json(b.with("types", "GET", contentPath+"/"+id, "")), "usage.total_tokens"))
	ent := b.tiny("[[sandbox:types]]")
	b.clock.advance(time.Minute)
	text, ok := b.ok("GET", entQuery(ent), "")["creations"].(string)
	require.True(t, ok, "JSON in a string where a list is shown")
	assert.Contains(t, text, "cover_url")
}

// What is unknown can come first, and times in milliseconds.
func TestFirstStatusAndMillis(t *testing.T) {
	b := newBench(t)
	id := b.tiny("[[sandbox:first-status]] [[sandbox:millis]]")
	m := b.ok("GET", "/v1/videos/"+id, "")
	assert.Equal(t, "unknown", m["status"])
	assert.Equal(t, json.Number("1772366400000"), m["created_at"])
	assert.Equal(t, "unknown", b.ok("GET", entQuery(id), "")["state"])
	b.clock.advance(2 * time.Second)
	assert.Equal(t, "in_progress", b.ok("GET", "/v1/videos/"+id, "")["status"])
	assert.Equal(t, "held", b.json(b.with("stay-queued; first-status term=held", "GET", "/v1/videos/"+id, ""))["status"])
}

func TestFlatErrors(t *testing.T) {
	b := newBench(t)
	w := b.with("flat; 429", "POST", "/v1/videos", tiny)
	assert.JSONEq(t, `{"code":"rate_limit_exceeded","message":"a sandbox fault asked for HTTP 429","data":null}`, w.Body.String())
	assert.Equal(t, http.StatusTooManyRequests, w.Code)
	w = b.with("flat", "GET", "/v1/videos/video_aaaaaaaaaaaa", "")
	assert.Equal(t, http.StatusNotFound, w.Code)
	assert.Nil(t, object(t, w)["error"])
	id := b.tiny("[[sandbox:flat]]")
	assert.Equal(t, "task_not_completed", object(t, b.do("GET", "/v1/videos/"+id+"/content", ""))["code"])
	assert.Equal(t, id, b.ok("GET", "/v1/videos/"+id, "")["id"], "only errors are flat")
}

// Delays pass in real time, and end when the client leaves.
func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		began := time.Now()
		require.Equal(t, http.StatusOK, b.with("delay ms=1500", "GET", "/v1beta/models", "").Code)
		assert.Equal(t, 1500*time.Millisecond, time.Since(began))
		id := b.tiny("[[sandbox:delay]]")
		assert.Equal(t, 1500*time.Millisecond, time.Since(began), "a prompt is about the queries")
		b.ok("GET", "/v1/videos/"+id, "")
		assert.Equal(t, 2500*time.Millisecond, time.Since(began))
	})
}

// What breaks the transport, over real sockets: truncated and reset bodies of media
// and of JSON.
func TestBrokenTransport(t *testing.T) {
	t.Parallel()
	r, err := Start(t.Context(), Options{Timing: Instant, Key: testKey}, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	send := func(method, path, body, rules string) (*http.Response, []byte, error) {
		req, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+testKey)
		if rules != "" {
			req.Header.Set(faultHeader, rules)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, nil, err
		}
		b, err := io.ReadAll(res.Body)
		require.NoError(t, res.Body.Close())
		return res, b, err
	}
	create := func(directive string) string {
		_, b, err := send("POST", "/v1/videos", strings.Replace(tiny, `"x"`, `"x `+directive+`"`, 1), "")
		require.NoError(t, err)
		var m struct{ ID string }
		require.NoError(t, json.Unmarshal(b, &m))
		return m.ID
	}
	whole := create("")

	check := func(name, path, rules string, cut func(error) bool) {
		t.Run(name, func(t *testing.T) {
			res, got, err := send("GET", path, "", rules)
			require.Error(t, err)
			assert.True(t, cut(err), "%v", err)
			if res != nil {
				assert.Greater(t, res.ContentLength, int64(len(got)))
			}
		})
	}
	truncated := func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }
	reset := func(err error) bool {
		return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
	}
	check("truncated media by header", "/v1/videos/"+whole+"/content", "truncated", truncated)
	check("truncated media by directive", "/v1/videos/"+create("[[sandbox:truncated]]")+"/content", "", truncated)
	check("truncated JSON", "/v1/videos/"+whole, "truncated", truncated)
	check("reset media by header", "/v1/videos/"+whole+"/content", "reset", reset)
	check("reset media by directive", "/v1/videos/"+create("[[sandbox:reset]]")+"/content", "", reset)
	check("reset query by directive", "/v1/videos/"+create("[[sandbox:reset on=query]]"), "", reset)

	once := create("[[sandbox:truncated times=1]]")
	_, _, err = send("GET", "/v1/videos/"+once+"/content", "", "")
	require.Error(t, err)
	res, got, err := send("GET", "/v1/videos/"+once+"/content", "", "")
	require.NoError(t, err)
	assert.EqualValues(t, len(got), res.ContentLength)
	assert.Equal(t, "ftyp", string(got[4:8]))
	_, _, err = send("POST", "/v1/videos", tiny, "reset")
	require.Error(t, err)
	assert.EqualValues(t, 6, r.Server.Creates(), "the create behind a reset answer happened")
}

// TestDateWithoutSeconds: the rule would send no Retry-After at all, without a word.
func TestDateWithoutSeconds(t *testing.T) {
	require.ErrorContains(t, CheckFault("429 date"), "retry-after=3 date")
	require.NoError(t, CheckFault("429 retry-after=3 date; stay-queued"))
	require.ErrorContains(t, CheckFault("bogus"), `"bogus" is unknown`)
	require.NoError(t, CheckFault(""))
}

// A scripted term shows under every timing, also where its phase takes no time.
func TestTermsShowAtOnce(t *testing.T) {
	b := newBench(t, instant)
	first := b.create("x [[sandbox:first-status]]")
	term := b.create("x [[sandbox:unknown-status term=odd]]")
	plain := b.create("x")
	status := func(id string) any { return b.ok("GET", "/v1/videos/"+id, "")["status"] }
	assert.Equal(t, "unknown", status(first))
	assert.Equal(t, "odd", status(term))
	assert.Equal(t, "completed", status(plain))
	b.clock.advance(termMS * time.Millisecond)
	assert.Equal(t, "completed", status(first))
	assert.Equal(t, "completed", status(term))
}
