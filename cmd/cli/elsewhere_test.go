package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// finished is a gateway whose videos are at an address of the test's choice.
func finished(t *testing.T, result func(host string) string, more http.HandlerFunc) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			_, _ = fmt.Fprint(w, `{"id":"video_1","status":"queued"}`)
		case r.URL.Path == "/v1/videos/video_1":
			_, _ = fmt.Fprintf(w, `{"id":"video_1","status":"completed","video_url":%q}`, result(r.Host))
		case more != nil:
			more(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

// TestAResultAtAPrivateAddressIsRefusedOnce: it says which address, why, and how to allow it.
func TestAResultAtAPrivateAddressIsRefusedOnce(t *testing.T) {
	t.Parallel()
	for address, says := range map[string]string{
		"http://10.255.255.1/v.mp4":                "10.255.255.1 is a private address",
		"http://169.254.169.254/latest/meta-data/": "169.254.169.254 is where clouds keep the keys",
	} {
		w := newWorld(t).at(finished(t, func(string) string { return address }, nil).URL)
		job := w.run("create", "video", "waves", "--wait", "-o", "json").object(t)
		file := job["files"].([]any)[0].(map[string]any)
		assert.Equal(t, "failed", file["state"])
		assert.Contains(t, file["error"], says)
		if strings.Contains(address, "10.255") {
			assert.Contains(t, file["error"], "`private_results: true`")
		}
		assert.NotContains(t, file["error"], "tries", "once is enough")
		w.fails(kit.ExitFailed, []string{says}, "head", address)
	}
}

// TestA401OfAResultIsNoWordAboutTheKey, which was not sent there.
func TestA401OfAResultIsNoWordAboutTheKey(t *testing.T) {
	t.Parallel()
	var keys atomic.Int32
	w := newWorld(t).at(finished(t, func(host string) string { return "http://" + host + "/files/v.mp4" }, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/files/v.mp4" && r.Header.Get("Authorization") != "" {
			keys.Add(1)
		}
		rw.WriteHeader(http.StatusUnauthorized)
	}).URL)
	id := text(t, w.run("create", "video", "waves", "--wait", "-o", "json").object(t), "id")
	r := w.run("jobs", "download", id)
	require.Equal(t, kit.ExitFailed, r.code, r.err)
	show := w.ok("jobs", "show", id).out
	require.Contains(t, show, "results are asked for without the key")
	require.Contains(t, show, "fetching the file again asks the gateway for a fresh one")
	require.Zero(t, keys.Load())
}

func TestPrivateResultsAreShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Contains(t, w.ok("config", "show").out, "`private_results: true`")
	require.Equal(t, false, w.ok("config", "show", "-o", "json").object(t)["private_results"])
	w.file("config/config.yaml", "profile: work\nprofiles:\n  work:\n    base_url: https://gateway.example\n    private_results: true\n")
	require.Contains(t, w.ok("config", "show").out, "private ones among them")
	require.Equal(t, true, w.ok("config", "show", "-o", "json").object(t)["private_results"])
}
