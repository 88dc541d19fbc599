package sandbox

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// discard is an answer that goes nowhere.
type discard struct{ h http.Header }

func (d discard) Header() http.Header       { return d.h }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}

// BenchmarkQuery is one query of a finished video among 10,000 tasks.
func BenchmarkQuery(b *testing.B) {
	s := newBench(b)
	var id string
	for range 10_000 {
		id = s.ok("POST", "/v1/videos", t2v+"}")["id"].(string)
	}
	s.clock.advance(time.Minute)
	r := httptest.NewRequest(http.MethodGet, "/v1/videos/"+id, nil)
	r.Header.Set("Authorization", "Bearer "+testKey)
	b.ReportAllocs()
	for b.Loop() {
		s.s.ServeHTTP(discard{http.Header{}}, r)
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
