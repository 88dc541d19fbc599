package client_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHeadShowsWhatIsThereWithoutTheKey(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, http.MethodHead, r.Method)
		assert.Empty(t, r.Header.Get("Authorization"), "not even to the gateway")
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/new?token=secret", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/away":
			w.Header().Set("Location", "ftp://elsewhere.invalid/x")
			w.WriteHeader(http.StatusFound)
		case "/none":
			w.WriteHeader(http.StatusNotFound)
		default:
			w.Header().Set("Content-Type", "image/png; charset=x")
			w.Header().Set("Content-Length", "1234")
		}
	})
	c := newClient(t, g.URL)
	h, err := c.Head(t.Context(), g.URL+"/old#x")
	require.NoError(t, err)
	assert.Equal(t, "200 OK", h.Status())
	assert.Equal(t, "image/png", h.MediaType)
	assert.EqualValues(t, 1234, h.Bytes)
	require.Len(t, h.Hops, 1)
	assert.Contains(t, h.Hops[0], "/new?token=…")
	h, err = c.Head(t.Context(), g.URL+"/none")
	require.NoError(t, err)
	assert.Equal(t, "404 Not Found", h.Status())
	h, err = c.Head(t.Context(), g.URL+"/away")
	require.NoError(t, err)
	assert.Equal(t, 302, h.StatusCode, "it is followed to the web only")
	_, err = c.Head(t.Context(), g.URL+"/round")
	require.ErrorContains(t, err, "more than")
}

func TestHeadRefuses(t *testing.T) {
	g := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("nothing is to be asked") })
	c := newClient(t, g.URL)
	for _, bad := range []string{"file:///etc/passwd", "data:image/png;base64,AA", "http://", "x", "http://user:pass@h.invalid/", "gopher://h.invalid/"} {
		_, err := c.Head(t.Context(), bad)
		assert.ErrorContains(t, err, "not an http or https URL", bad)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := c.Head(ctx, g.URL)
	require.Error(t, err)
}
