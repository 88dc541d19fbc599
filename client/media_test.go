package client_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func readAll(t *testing.T, m *client.Media) string {
	t.Helper()
	b, err := io.ReadAll(m.Body)
	require.NoError(t, err)
	require.NoError(t, m.Body.Close())
	return string(b)
}

func TestOpenRangesAndChangedFiles(t *testing.T) {
	const whole = "0123456789"
	etag := `"v1"`
	ranges := true
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "identity", r.Header.Get("Accept-Encoding"))
		w.Header().Set("ETag", etag)
		w.Header().Set("Content-Type", "video/mp4; codecs=avc1")
		if !ranges {
			r.Header.Del("Range")
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader([]byte(whole)))
	})
	c := newClient(t, g.URL)
	open := func(from int64, tag string) *client.Media {
		m, err := c.Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, from, tag)
		require.NoError(t, err)
		return m
	}
	m := open(0, "")
	assert.Equal(t, whole, readAll(t, m))
	assert.EqualValues(t, 10, m.Total)
	assert.Equal(t, `"v1"`, m.ETag)
	assert.Equal(t, "video/mp4", m.MediaType)
	assert.Equal(t, "/v1/videos/task_1/content", m.FinalURL)

	m = open(4, `"v1"`)
	assert.EqualValues(t, 4, m.From)
	assert.EqualValues(t, 10, m.Total)
	assert.Equal(t, "456789", readAll(t, m))

	etag = `"v2"`
	m = open(4, `"v1"`)
	assert.Zero(t, m.From, "a changed file starts again")
	assert.Equal(t, whole, readAll(t, m))

	ranges = false
	m = open(4, `"v2"`)
	assert.Zero(t, m.From, "a server may ignore ranges")
	assert.Equal(t, whole, readAll(t, m))

	ranges = true
	_, err := c.Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, 99, `"v2"`)
	assert.Equal(t, http.StatusRequestedRangeNotSatisfiable, asAPI(t, err).HTTPStatus)
}

// TestOpenByDate: a date is a validator where the file was a minute old when it was sent.
func TestOpenByDate(t *testing.T) {
	changed := time.Now().Add(-time.Hour)
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "a.mp4", changed, strings.NewReader("0123456789"))
	})
	c := newClient(t, g.URL)
	open := func(from int64, validator string) *client.Media {
		m, err := c.Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, from, validator)
		require.NoError(t, err)
		return m
	}
	m := open(0, "")
	assert.Equal(t, changed.UTC().Format(http.TimeFormat), m.Modified)
	assert.Equal(t, "0123456789", readAll(t, m))
	date := m.Modified
	m = open(4, date)
	assert.EqualValues(t, 4, m.From)
	assert.Equal(t, "456789", readAll(t, m))
	changed = time.Now().Add(-10 * time.Second)
	m = open(4, date)
	assert.Zero(t, m.From, "a changed file starts again")
	assert.Empty(t, m.Modified, "it may change again within the same second")
	assert.Equal(t, "0123456789", readAll(t, m))
}

func TestOpenRefuses(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/html":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<h1>Please log in</h1>"))
		case "/json":
			answer(200, `{"error":{"message":"not ready"}}`)(w, r)
		case "/early":
			answer(400, `{"error":{"message":"Task is not completed yet"}}`)(w, r)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		case "/part":
			w.Header().Set("Content-Range", "bytes 7-9/10")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write([]byte("789"))
		case "/lies":
			w.Header().Set("Content-Range", "bytes 5-9/10")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write([]byte("0123456789"))
		case "/packed":
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "video/mp4")
			_, _ = w.Write([]byte("x"))
		}
	})
	c := newClient(t, g.URL)
	for u, want := range map[string]string{
		g.URL + "/html": "Please log in", g.URL + "/json": "not ready", g.URL + "/early": "not completed",
		g.URL + "/loop": "redirects", g.URL + "/file": "302", g.URL + "/part": "asked for bytes from 5", g.URL + "/lies": "has 10 bytes", g.URL + "/packed": "gzip",
		"ftp://h/x": "http", "file:///etc/passwd": "http", "data:video/mp4;base64,AA": "http", "http://u:p@h/x": "http", "%": "http",
	} {
		_, err := c.Open(t.Context(), "videos", "task_1", client.Asset{URL: u}, 5, "")
		require.ErrorContains(t, err, want, u)
	}
	_, err := c.Open(t.Context(), "music", "task_1", client.Asset{}, 0, "")
	require.ErrorContains(t, err, "no content path")
}

func TestOpenElsewhere(t *testing.T) {
	cdn := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Empty(t, r.Header.Get("Authorization"))
		assert.Empty(t, r.Header.Get("Referer"))
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte("png"))
	})
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "Bearer "+secret, r.Header.Get("Authorization"))
		http.Redirect(w, r, cdn.URL+"/a.png?signature=abc", http.StatusFound)
	})
	c := newClient(t, g.URL)
	m, err := c.Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, 0, "")
	require.NoError(t, err)
	assert.Equal(t, "png", readAll(t, m))
	assert.Equal(t, cdn.URL+"/a.png?signature=…", m.FinalURL)
	for _, e := range c.Exchanges() {
		assert.NotContains(t, e.URL, "abc")
	}
}

func TestOpenInline(t *testing.T) {
	c := newClient(t, "http://127.0.0.1:1")
	m, err := c.Open(t.Context(), "images", "", client.Asset{Inline: []byte("picture"), MediaType: "image/png"}, 3, "")
	require.NoError(t, err)
	assert.EqualValues(t, 3, m.From)
	assert.EqualValues(t, 7, m.Total)
	assert.Equal(t, "ture", readAll(t, m))
}

func TestAStalledDownloadEnds(t *testing.T) {
	release := make(chan struct{})
	g := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(strings.Repeat("x", 10)))
		_ = http.NewResponseController(w).Flush()
		<-release
	})
	t.Cleanup(func() { close(release) })
	c := newClient(t, g.URL, func(o *client.Options) { o.Timeout = 50 * time.Millisecond })
	m, err := c.Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, 0, "")
	require.NoError(t, err)
	b, err := io.ReadAll(m.Body)
	require.ErrorContains(t, err, "nothing came within 50ms")
	assert.Len(t, b, 10)
	require.NoError(t, m.Body.Close())
}
