package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
)

const testKey = "sk-test"

// clock is a settable clock.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

var loadCatalog = sync.OnceValues(catalog.Embedded)

// bench is a server with its clock.
type bench struct {
	t     testing.TB
	s     *Server
	clock *clock
}

func newBench(t testing.TB, change ...func(*Options)) *bench {
	t.Helper()
	cat, err := loadCatalog()
	require.NoError(t, err)
	c := newClock()
	o := Options{Key: testKey, Clock: c.now, Timing: Fast, Catalog: cat}
	for _, f := range change {
		f(&o)
	}
	s, err := New(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return &bench{t, s, c}
}

// do sends a request with the key and returns the answer.
func (b *bench) do(method, path, body string) *httptest.ResponseRecorder {
	b.t.Helper()
	var rd io.Reader
	if body != "" {
		rd = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, "http://127.0.0.1:8400"+path, rd)
	r.Header.Set("Authorization", "Bearer "+testKey)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return b.send(r)
}

func (b *bench) send(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.s.ServeHTTP(w, r)
	return w
}

// ok sends a request that must be answered with 200 and returns its JSON object.
func (b *bench) ok(method, path, body string) map[string]any {
	b.t.Helper()
	w := b.do(method, path, body)
	require.Equal(b.t, http.StatusOK, w.Code, "%s %s: %s", method, path, w.Body)
	return object(b.t, w)
}

// refused sends a request that must be refused, and returns the error object.
func (b *bench) refused(status int, method, path, body string) errorBody {
	b.t.Helper()
	w := b.do(method, path, body)
	require.Equal(b.t, status, w.Code, "%s %s: %s", method, path, w.Body)
	return errorOf(b.t, w)
}

type errorBody struct{ Code, Message, Type, Param string }

func errorOf(t testing.TB, w *httptest.ResponseRecorder) errorBody {
	t.Helper()
	var e struct{ Error errorBody }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &e), "%s", w.Body)
	require.NotEmpty(t, e.Error.Code)
	require.NotEmpty(t, e.Error.Message)
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	return e.Error
}

func object(t testing.TB, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	dec.UseNumber()
	var m map[string]any
	require.NoError(t, dec.Decode(&m), "%s", w.Body)
	return m
}

// at follows a dotted path through objects and lists.
func at(v any, path string) any {
	for _, k := range strings.Split(path, ".") {
		switch t := v.(type) {
		case map[string]any:
			v = t[k]
		case []any:
			var i int
			if _, err := fmt.Sscan(k, &i); err != nil || i >= len(t) {
				return nil
			}
			v = t[i]
		default:
			return nil
		}
	}
	return v
}

// path of a URL, without scheme and host.
func pathOf(t testing.TB, url any) string {
	t.Helper()
	s, ok := url.(string)
	require.True(t, ok, "no URL: %v", url)
	rest, ok := strings.CutPrefix(s, "http://127.0.0.1:8400")
	require.True(t, ok, "URL %s", s)
	return rest
}

const t2v = `{"model":"famI-omni","mode":"t2v","prompt":"a red kite over a salt flat at dawn","seconds":4,"aspect_ratio":"16:9","seed":7`

// small are the fields of a video that costs little to make.
const small = `"seconds":1,"fps":2,"size":"256x144"`

// replace puts text in the place of %s.
func replace(format, text string) string { return strings.Replace(format, "%s", text, 1) }
