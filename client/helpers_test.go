package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
)

const secret = "sk-test-0123456789abcdef"

// gateway is a test server that notes what it was sent.
type gateway struct {
	*httptest.Server
	mu   sync.Mutex
	reqs []*http.Request
}

func serve(t *testing.T, h http.HandlerFunc) *gateway {
	t.Helper()
	g := &gateway{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.reqs = append(g.reqs, r)
		g.mu.Unlock()
		h(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *gateway) seen() []*http.Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]*http.Request(nil), g.reqs...)
}

func (g *gateway) count(method string) int {
	n := 0
	for _, r := range g.seen() {
		if r.Method == method {
			n++
		}
	}
	return n
}

func newClient(t *testing.T, base string, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{
		BaseURL: base, Formats: formats.All(), Timeout: 5 * time.Second,
		Key: func() (string, error) { return secret, nil },
	}
	for _, f := range change {
		f(&o)
	}
	c, err := client.New(o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func video() client.Draft {
	return client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v", Prompt: "a kite"}
}

func asCreate(t *testing.T, err error) *client.CreateError {
	t.Helper()
	var ce *client.CreateError
	require.ErrorAs(t, err, &ce)
	require.NotContains(t, err.Error(), secret)
	return ce
}

func asAPI(t *testing.T, err error) *client.APIError {
	t.Helper()
	var ae *client.APIError
	require.ErrorAs(t, err, &ae)
	return ae
}

func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Oneapi-Request-Id", "req-1")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func withTimeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}
