package cli

import (
	"archive/zip"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoKeyInABundleOfAHostileHistory: the gateway says the key back wherever it can, in what a job keeps
// and in what a look-up is told.
func TestNoKeyInABundleOfAHostileHistory(t *testing.T) {
	t.Parallel()
	nested, err := json.Marshal(map[string]string{"authorization": "Bearer " + testKey})
	require.NoError(t, err)
	echo := func(status string) string {
		b, err := json.Marshal(map[string]any{
			"id": "vid_echo", "status": status, "title": "for " + testKey, testKey: "a name", "log": string(nested), "video_url": "https://cdn.example/v.mp4?key=" + testKey,
			"error": map[string]any{"code": "E-" + testKey, "message": "the key " + testKey + " may not, Bearer " + testKey},
		})
		require.NoError(t, err)
		return string(b)
	}
	polls := 0
	g := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "req-"+testKey)
		switch {
		case r.Method == http.MethodPost:
			_, _ = io.WriteString(w, echo("queued"))
		case strings.HasPrefix(r.URL.Path, "/v1/videos/vid_echo"):
			if polls++; polls == 1 {
				_, _ = io.WriteString(w, echo("in_progress"))
				return
			}
			_, _ = io.WriteString(w, echo("failed"))
		default:
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, "<html><title>"+testKey+"</title>"+testKey)
		}
	}))
	t.Cleanup(g.Close)
	w := newWorld(t)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = g.URL, testKey
	w.run("create", "video", "a secret wish", "--wait")
	require.Contains(t, w.ok("jobs", "list").out, "failed")
	file := filepath.Join(t.TempDir(), "hostile.zip")
	w.run("inspect", "vid_echo", "nobody-knows-it", "--save", file)
	z, err := zip.OpenReader(file)
	require.NoError(t, err)
	defer func() { _ = z.Close() }()
	all := ""
	for _, f := range z.File {
		in, err := f.Open()
		require.NoError(t, err)
		b, err := io.ReadAll(in)
		require.NoError(t, err)
		all += f.Name + "\n" + string(b)
	}
	for _, want := range []string{"request.json", "newest-answer.json", "vid_echo", "a secret wish", "answer-"} {
		require.Contains(t, all, want)
	}
	for _, form := range []string{testKey, testKey[4:], base64.StdEncoding.EncodeToString([]byte(testKey)), base64.RawURLEncoding.EncodeToString([]byte("Bearer " + testKey))} {
		require.False(t, strings.Contains(all, form), "the key is in the bundle as %q", form)
	}
}
