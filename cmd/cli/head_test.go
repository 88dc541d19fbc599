package cli

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// TestHead: what servers say is told, the key goes to none of them, and one that refuses
// makes the command fail.
func TestHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var keys atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			keys.Add(1)
		}
		switch r.URL.Path {
		case "/kite.png":
			rw.Header().Set("Content-Type", "image/png")
			rw.Header().Set("Content-Length", "1500")
		case "/moved":
			http.Redirect(rw, r, "/kite.png?sig=secret", http.StatusFound)
		default:
			http.NotFound(rw, r)
		}
	}))
	defer srv.Close()
	r := w.ok("head", srv.URL+"/kite.png", srv.URL+"/moved", "-o", "json").array(t)
	require.Len(t, r, 2)
	first, second := r[0].(map[string]any), r[1].(map[string]any)
	require.InDelta(t, 200, first["status"], 0)
	require.Equal(t, "image/png", first["media_type"])
	require.InDelta(t, 1500, first["bytes"], 0)
	require.Equal(t, []any{srv.URL + "/kite.png?sig=…"}, second["hops"])
	require.Contains(t, w.ok("head", srv.URL+"/kite.png").out, "200 OK  image/png  1.5 kB")
	got := w.fails(kit.ExitFailed, []string{"1 of 2 did not answer"}, "head", srv.URL+"/kite.png", srv.URL+"/none")
	require.Contains(t, got.out, "404 Not Found")
	got = w.fails(kit.ExitFailed, []string{"not an http or https URL"}, "head", "file:///etc/passwd")
	require.Contains(t, got.out, "no answer")
	w.fails(kit.ExitUsage, []string{"requires at least 1 arg"}, "head")
	require.Zero(t, keys.Load())
}
