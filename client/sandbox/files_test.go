package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Results carry no key, ranges and conditions work, and the tag is of the bytes.
func TestFiles(t *testing.T) {
	b := newBench(t)
	m := b.video(`{"model":"famA3","prompt":"x",` + small + `}`)
	path := pathOf(t, m["video_url"])
	get := func(method, path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		return b.send(r)
	}
	whole := get("GET", path)
	require.Equal(t, http.StatusOK, whole.Code)
	body, tag := whole.Body.String(), whole.Header().Get("ETag")
	require.Greater(t, len(body), 2000)
	assert.Regexp(t, `^"[0-9a-f]{32}"$`, tag)
	assert.Equal(t, "nosniff", whole.Header().Get("X-Content-Type-Options"))
	assert.NotEmpty(t, whole.Header().Get("Last-Modified"))

	part := get("GET", path, "Range", "bytes=1000-1999", "If-Range", tag)
	require.Equal(t, http.StatusPartialContent, part.Code)
	assert.Equal(t, body[1000:2000], part.Body.String())
	assert.Equal(t, fmt.Sprintf("bytes 1000-1999/%d", len(body)), part.Header().Get("Content-Range"))
	rest := get("GET", path, "Range", "bytes=2000-")
	assert.Equal(t, body[2000:], rest.Body.String())
	assert.Equal(t, http.StatusOK, get("GET", path, "Range", "bytes=5-", "If-Range", `"other"`).Code)
	assert.Equal(t, http.StatusRequestedRangeNotSatisfiable, get("GET", path, "Range", "bytes=99999999-").Code)
	assert.Equal(t, http.StatusNotModified, get("GET", path, "If-None-Match", tag).Code)
	head := get("HEAD", path)
	assert.Equal(t, fmt.Sprint(len(body)), head.Header().Get("Content-Length"))
	assert.Zero(t, head.Body.Len())

	// The content path does the same.
	r := httptest.NewRequest("GET", "/v1/videos/"+m["id"].(string)+"/content", nil)
	r.Header.Set("Authorization", "Bearer "+testKey)
	r.Header.Set("Range", "bytes=10-19")
	w := b.send(r)
	assert.Equal(t, http.StatusPartialContent, w.Code)
	assert.Equal(t, body[10:20], w.Body.String())
}

func TestFileNames(t *testing.T) {
	b := newBench(t)
	m := b.video(`{"model":"famA3","prompt":"x",` + small + `}`)
	path := pathOf(t, m["video_url"])
	dir := strings.TrimSuffix(path, "/video.mp4")
	for _, p := range []string{
		dir + "/song.wav", dir + "/image-1.png", dir + "/..%2f..%2fcreates.log", dir[:len(dir)-1] + "/video.mp4",
		"/files/" + m["id"].(string) + "/video.mp4", "/files/" + m["id"].(string) + "-/video.mp4", "/files/x-y/video.mp4",
	} {
		w := b.send(httptest.NewRequest("GET", p, nil))
		require.Equal(t, http.StatusNotFound, w.Code, p)
		errorOf(t, w)
	}
	// A result is not there before its task is complete.
	id := b.ok("POST", "/v1/videos", t2v+"}")["id"].(string)
	rec := b.s.store.get(id, kindVideo)
	w := b.send(httptest.NewRequest("GET", rec.fileURL("", videoName), nil))
	assert.Equal(t, http.StatusNotFound, w.Code)
}

// URLs are below the address that the client came by, whatever it claims to be.
func TestHosts(t *testing.T) {
	for host, want := range map[string]string{
		"127.0.0.1:8400": "127.0.0.1:8400", "localhost:1": "localhost:1", "[::1]:8400": "[::1]:8400", "[::1]": "[::1]",
		"sandbox.example": "sandbox.example", "evil\"><script>": "127.0.0.1", "a/b:80": "127.0.0.1:80", "": "127.0.0.1",
		"x:99999": "x", "user@host:80": "127.0.0.1:80",
	} {
		assert.Equal(t, want, cleanHost(host), host)
	}
}

// However many ask at once, a result is made once.
func TestOneMakingForManyDownloads(t *testing.T) {
	b := newBench(t, instant)
	m := b.ok("POST", "/v1/images/generations", `{"model":"famL","prompt":"x","aspect_ratio":"8:1"}`)
	path := pathOf(t, at(m, "data.0.url"))
	var wg sync.WaitGroup
	bodies := make([]string, 8)
	for i := range bodies {
		wg.Go(func() { bodies[i] = b.do("GET", path, "").Body.String() })
	}
	wg.Wait()
	for _, x := range bodies {
		assert.True(t, x == bodies[0] && len(x) > 1000)
	}
	assert.EqualValues(t, 1, b.s.Stats().Made)
}

// A task whose source has vanished is still made.
func TestVanishedSource(t *testing.T) {
	b := newBench(t)
	m := b.video(`{"model":"famA3","prompt":"x",` + small + `}`)
	ext := b.video(`{"model":"famF-video","model_name":"famF-v2-6","mode":"extend",` + small + `,"video_id":"` + m["id"].(string) + `"}`)
	b.s.store.forget(m["id"].(string))
	assert.Equal(t, http.StatusOK, b.do("GET", pathOf(t, ext["video_url"]), "").Code)
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, inDir(t.TempDir()), instant)
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			id := b.ok("POST", "/v1/videos", fmt.Sprintf(`{"model":"famA3","prompt":"x%d",%s}`, i%3, small))["id"].(string)
			m := b.ok("GET", "/v1/videos/"+id, "")
			assert.Equal(t, "completed", m["status"])
			assert.Equal(t, http.StatusOK, b.do("GET", "/v1/videos/"+id+"/content", "").Code)
			b.s.Stats()
		})
	}
	wg.Wait()
	assert.EqualValues(t, 6, b.s.Creates())
}

func TestStart(t *testing.T) {
	r, err := Start(t.Context(), Options{Timing: Instant}, "")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(r.URL, "http://127.0.0.1:"))
	get := func() (*http.Response, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+"/v1beta/models", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+r.Key)
		return http.DefaultClient.Do(req)
	}
	res, err := get()
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusOK, res.StatusCode)
	require.NoError(t, r.Close())
	require.NoError(t, r.Close(), "a second close does nothing")
	res, err = get()
	if err == nil {
		_ = res.Body.Close()
	}
	require.Error(t, err)
	_, err = Start(t.Context(), Options{}, "256.0.0.1:0")
	require.Error(t, err)
}

// A server ends with its context, also while somebody waits for an image.
func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Start(ctx, Options{Timing: Real}, "")
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL+"/v1/images/generations", strings.NewReader(`{"model":"famL","prompt":"x","aspect_ratio":"8:1"}`))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+r.Key)
	failed := make(chan error, 1)
	go func() {
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			_ = res.Body.Close()
		}
		failed <- err
	}()
	require.Eventually(t, func() bool { return r.Server.Creates() == 1 }, time.Minute, time.Millisecond)
	cancel()
	select {
	case <-r.done:
	case <-time.After(5 * time.Second):
		t.Fatal("the server did not end")
	}
	require.NoError(t, r.Close())
	require.Error(t, <-failed)
}

// A mistake of ours costs one answer, never the program around the server.
func TestPanicsAreAnswered(t *testing.T) {
	b := newBench(t)
	boom := on(http.MethodGet, "/boom", func(http.ResponseWriter, *http.Request, []string) error { panic("oh no") })
	late := on(http.MethodGet, "/late", func(w http.ResponseWriter, _ *http.Request, _ []string) error {
		w.WriteHeader(http.StatusOK)
		panic("oh no")
	})
	b.s.routes = append(b.s.routes, boom, late)
	e := b.refused(http.StatusInternalServerError, "GET", "/boom", "")
	assert.Contains(t, e.Message, "oh no")
	assert.PanicsWithError(t, http.ErrAbortHandler.Error(), func() { b.do("GET", "/late", "") })

	// A record without its plan makes the studio panic; its caller gets an error.
	_, err := b.s.studio.file(t.Context(), &record{ID: "video_aaaaaaaaaa", Kind: kindVideo}, videoName)
	require.ErrorContains(t, err, "panic")
}
