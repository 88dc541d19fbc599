package sandbox

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// discard is an answer that goes nowhere.
type discard struct{ h http.Header }

func (d discard) Header() http.Header       { return d.h }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}

// BenchmarkHandler is one query of a finished video among 10,000 tasks, without HTTP.
func BenchmarkHandler(b *testing.B) {
	s, id := newCrowded(b)
	r := httptest.NewRequest(http.MethodGet, "/v1/videos/"+id, nil)
	r.Header.Set("Authorization", "Bearer "+testKey)
	b.ReportAllocs()
	for b.Loop() {
		s.s.ServeHTTP(discard{http.Header{}}, r)
	}
}

// newCrowded is a server with 10,000 tasks, all of them finished.
func newCrowded(t testing.TB) (*bench, string) {
	s := newBench(t)
	var id string
	for range 10_000 {
		id = s.ok("POST", "/v1/videos", t2v+"}")["id"].(string)
	}
	s.clock.advance(time.Minute)
	return s, id
}

// loopback serves a handler on a socket of this machine, and returns its address.
func loopback(t testing.TB, h http.Handler) string {
	ts := httptest.NewServer(h)
	t.Cleanup(ts.Close)
	return ts.URL
}

// caller asks for one URL over a connection of its own that is kept alive.
func caller(t testing.TB, url string) func() {
	c := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(c.CloseIdleConnections)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+testKey)
	return func() {
		res, err := c.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		_, err = io.Copy(io.Discard, res.Body)
		if err = errors.Join(err, res.Body.Close()); err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("HTTP %d, %v", res.StatusCode, err)
		}
	}
}

// pairOf is a crowded server and a bare handler that answers the same bytes, on
// sockets, and the path to ask for.
func pairOf(t testing.TB) (gateway, bare string) {
	s, id := newCrowded(t)
	path := "/v1/videos/" + id
	body := s.do("GET", path, "").Body.Bytes()
	plain := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})
	return loopback(t, s.s) + path, loopback(t, plain) + path
}

// BenchmarkQuery is one query over HTTP of a finished video among 10,000 tasks.
func BenchmarkQuery(b *testing.B) {
	gateway, _ := pairOf(b)
	ask := caller(b, gateway)
	for b.Loop() {
		ask()
	}
}

// BenchmarkBare is what net/http takes for the same bytes.
func BenchmarkBare(b *testing.B) {
	_, bare := pairOf(b)
	ask := caller(b, bare)
	for b.Loop() {
		ask()
	}
}

// BenchmarkQueryAgainstBare asks both in turns, over several connections at once, and
// reports the rate of queries as a share of the bare one, which must be 0.5 or more.
func BenchmarkQueryAgainstBare(b *testing.B) {
	gateway, bare := pairOf(b)
	const callers = 8
	asks := [2][]func(){}
	for i, url := range []string{gateway, bare} {
		for range callers {
			asks[i] = append(asks[i], caller(b, url))
		}
	}
	var took [2]time.Duration
	for b.Loop() {
		for i := range asks {
			began := time.Now()
			var all sync.WaitGroup
			for _, ask := range asks[i] {
				all.Go(func() {
					for range 10 {
						ask()
					}
				})
			}
			all.Wait()
			took[i] += time.Since(began)
		}
	}
	ratio := float64(took[1]) / float64(took[0])
	b.ReportMetric(ratio, "ratio")
	b.ReportMetric(0, "ns/op")
	if b.N > 50 && ratio < 0.5 {
		b.Errorf("queries run at %.2f of a bare handler's rate", ratio)
	}
}

// BenchmarkCreate is one create without a state folder.
func BenchmarkCreate(b *testing.B) {
	s := newBench(b)
	for b.Loop() {
		s.ok("POST", "/v1/videos", t2v+"}")
	}
}

// BenchmarkCreateDurable is one create with a state folder.
func BenchmarkCreateDurable(b *testing.B) {
	s := newBench(b, inDir(b.TempDir()))
	for b.Loop() {
		s.ok("POST", "/v1/videos", t2v+"}")
	}
}

// BenchmarkStart is what listening costs a program's start, with a folder of 2,000
// tasks.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	s := newBench(b, inDir(dir))
	for range 2000 {
		s.ok("POST", "/v1/videos", t2v+"}")
	}
	for b.Loop() {
		r, err := Start(b.Context(), Options{Dir: dir}, "")
		require.NoError(b, err)
		b.StopTimer()
		require.NoError(b, r.Close())
		b.StartTimer()
	}
}
