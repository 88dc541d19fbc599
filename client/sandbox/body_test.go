package sandbox

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBodies(t *testing.T) {
	b := newBench(t)
	posts := []string{contentPath, entPath, "/v1/videos", "/v1/images/generations", "/famN/submit/music", "/v1/responses", "/v1/chat/completions"}
	cases := map[string]struct{ body, message string }{
		"empty":      {" ", "empty"},
		"not JSON":   {"{\n  \"model\": x}", "at byte 13 (line 2, column 12)"},
		"cut off":    {`{"model":"famI-omni"`, "unexpected end"},
		"a list":     {`[1]`, "must be a JSON object"},
		"null":       {`null`, "must be a JSON object"},
		"two values": {`{"model":"a"} {}`, "more text at byte 13"},
		"no model":   {`{"prompt":"x"}`, "model"},
		"odd model":  {`{"model":{"a":1},"prompt":"x"}`, "model"},
	}
	for name, c := range cases {
		for _, path := range posts {
			t.Run(name+path, func(t *testing.T) {
				e := b.refused(http.StatusBadRequest, "POST", path, c.body)
				assert.Equal(t, typeInvalid, e.Type)
				assert.Contains(t, e.Message, c.message)
			})
		}
	}
	assert.Zero(t, b.s.Creates())
}

func TestContentTypes(t *testing.T) {
	b := newBench(t)
	for ct, want := range map[string]int{
		"": 200, "application/json": 200, "application/json; charset=utf-8": 200, "application/merge-patch+json": 200,
		"text/plain": 400, "application/x-www-form-urlencoded": 400, "multipart/form-data": 400, "a/b/c": 400,
	} {
		r := httptest.NewRequest(http.MethodPost, "/v1/videos", strings.NewReader(t2v+"}"))
		r.Header.Set("Authorization", "Bearer "+testKey)
		if ct != "" {
			r.Header.Set("Content-Type", ct)
		}
		assert.Equal(t, want, b.send(r).Code, ct)
	}
	r := httptest.NewRequest(http.MethodPost, "/v1/videos", strings.NewReader("x"))
	r.Header.Set("Authorization", "Bearer "+testKey)
	r.Header.Set("Content-Encoding", "gzip")
	assert.Contains(t, errorOf(t, b.send(r)).Message, "uncompressed")
}

// endless is a body of blanks without an end.
type endless struct{}

var blanks = strings.Repeat(" ", 64<<10)

func (endless) Read(p []byte) (int, error) { return copy(p, blanks), nil }

func TestBodyCap(t *testing.T) {
	b := newBench(t)
	b.s.bodyCap = 1 << 20
	r := httptest.NewRequest(http.MethodPost, "/v1/videos", endless{})
	r.Header.Set("Authorization", "Bearer "+testKey)
	w := b.send(r)
	require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	assert.Equal(t, "body_too_large", errorOf(t, w).Code)
}

// Many small values would take many times their length in memory.
func TestBodyOfManyValues(t *testing.T) {
	b := newBench(t)
	head := `{"model":"famI-omni","mode":"t2v","prompt":"x","content":[`
	for _, item := range []string{"0,", "[],", "{},", `"",`, `{"a":`} {
		e := b.refused(http.StatusBadRequest, "POST", "/v1/videos", head+strings.Repeat(item, valuesCap))
		assert.Contains(t, e.Message, "more than 100000 values", item)
	}
	text := strings.Repeat(`,:[{\"\\`, valuesCap)
	b.ok("POST", "/v1/videos", `{"model":"famI-omni","mode":"t2v","prompt":"`+text+`"}`)
}

// Large bodies take turns; small ones wait for none of them. A slot is free again
// whatever became of the request.
func TestLargeBodiesTakeTurns(t *testing.T) {
	b := newBench(t)
	b.s.large = make(chan struct{}, 1)
	b.s.large <- struct{}{}
	large := `{"model":"famI-omni","mode":"t2v","prompt":"` + strings.Repeat("x", bodySmall+1000) + `"}`
	done := make(chan int)
	for range 2 {
		go func() { done <- b.do("POST", "/v1/videos", large).Code }()
	}
	b.ok("POST", "/v1/videos", t2v+"}")
	assert.EqualValues(t, 1, b.s.Creates(), "the large ones wait")
	<-b.s.large
	assert.Equal(t, http.StatusOK, <-done)
	assert.Equal(t, http.StatusOK, <-done)
	b.refused(http.StatusBadRequest, "POST", "/v1/videos", large+"{}")
	b.refused(http.StatusBadRequest, "POST", "/v1/videos", strings.Replace(large, "famI-omni", "famZ", 1))
	b.s.bodyCap = bodySmall + 500
	b.refused(http.StatusRequestEntityTooLarge, "POST", "/v1/videos", large)
	assert.Empty(t, b.s.large)

	b.s.bodyCap = bodyCap
	b.s.large <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequest(http.MethodPost, "/v1/videos", strings.NewReader(large)).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+testKey)
	go func() { done <- b.send(r).Code }()
	cancel()
	assert.Equal(t, http.StatusBadRequest, <-done, "who leaves need not wait")
}

// Not even OPTIONS * is answered otherwise.
func TestOptionsOfEverything(t *testing.T) {
	run, err := Start(t.Context(), Options{Key: testKey}, "")
	require.NoError(t, err)
	defer func() { require.NoError(t, run.Close()) }()
	conn, err := net.Dial("tcp", strings.TrimPrefix(run.URL, "http://"))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "OPTIONS * HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", testKey)
	require.NoError(t, err)
	answer, err := io.ReadAll(conn)
	require.NoError(t, err)
	assert.Contains(t, string(answer), "404 Not Found")
}
