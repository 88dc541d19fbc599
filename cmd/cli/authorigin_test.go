package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/kittest"
)

// thief is a host that somebody wrote into the settings; it counts the requests with a key.
func thief(t *testing.T) (base string, got *atomic.Int64) {
	t.Helper()
	got = &atomic.Int64{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			got.Add(1)
		}
		_, _ = io.WriteString(w, `{"object":"list","data":[]}`)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, got
}

// movedProfile is a world whose profile names another host than its key was kept for.
func movedProfile(t *testing.T) (w *world, from, to string, got *atomic.Int64) {
	t.Helper()
	from = gateway(t)
	to, got = thief(t)
	w = newWorld(t)
	w.in = testKey
	w.ok("auth", "login", "-p", "work", "--base-url", from)
	w.in = ""
	w.file("config/config.yaml", "profile: work\nprofiles:\n  work:\n    base_url: "+to+"\n")
	return w, from, to, got
}

func TestAKeyIsNotSentToAnotherHost(t *testing.T) {
	t.Parallel()
	w, from, to, got := movedProfile(t)
	says := []string{from, to, "darkroom auth login --profile work", "--same-key"}
	for _, args := range [][]string{
		{"create", "image", "x"}, {"inspect", "video_1"}, {"models", "list", "--live"}, {"chat", "--model", "m", "x"}, {"request", "GET", "/v1/models"},
		{"poll", "--once"}, {"auth", "status"},
	} {
		r := w.fails(kit.ExitAuth, says, args...)
		require.NotContains(t, r.out+r.err, testKey)
	}
	require.Zero(t, got.Load(), "requests with the key")
	st := w.fails(kit.ExitAuth, nil, "auth", "status", "-o", "json").object(t)
	require.Equal(t, from, st["key_origin"])
	c := w.ok("config", "-o", "json").object(t)
	require.Equal(t, from, c["key_origin"])
	require.Equal(t, "keyring", c["key"])
	require.Contains(t, w.ok("config").out, "keyring, for "+from)

	w.ok("auth", "login", "-p", "work", "--same-key")
	w.ok("auth", "status")
	require.Positive(t, got.Load())
	require.Equal(t, to, w.ok("auth", "logout", "-o", "json").object(t)["forgotten_for"])
}

func TestAKeyForAnotherHostIsAskedForOnce(t *testing.T) {
	t.Parallel()
	for answer, code := range map[string]int{"n\n": kit.ExitAuth, "\n": kit.ExitAuth, "yes\n": kit.ExitOK} {
		w, from, to, got := movedProfile(t)
		y := kittest.NewTypist(t)
		ends := start(t.Context(), y, w, "request", "GET", "/v1/models")
		y.Shows("was kept for " + from + "; the settings name " + to + " now. Send it there? [y/N]")
		y.Types(answer)
		require.Equal(t, code, y.Ends(ends), y.Screen())
		require.Equal(t, 1, strings.Count(y.Screen(), "[y/N]"))
		require.Equal(t, code == kit.ExitOK, got.Load() > 0, "%q", answer)
		require.NotContains(t, y.Screen(), testKey)
		if code == kit.ExitOK {
			w.ok("request", "GET", "/v1/models")
		}
	}
}

// TestTheEnvironmentsKeyIsForTheEnvironmentsGateway: it served every profile before.
func TestTheEnvironmentsKeyIsForTheEnvironmentsGateway(t *testing.T) {
	t.Parallel()
	to, got := thief(t)
	w := newWorld(t)
	w.file("config/config.yaml", "profile: work\nprofiles:\n  work:\n    base_url: "+to+"\n")
	w.env["DARKROOM_API_KEY"] = testKey
	w.fails(kit.ExitAuth, []string{"--key-from-env", "auth login"}, "request", "GET", "/v1/models")
	require.Zero(t, got.Load())
	w.ok("request", "GET", "/v1/models", "--key-from-env")
	require.EqualValues(t, 1, got.Load())
	w.env["DARKROOM_BASE_URL"] = to
	w.env["DARKROOM_PROFILE"] = "env"
	w.ok("request", "GET", "/v1/models")
}
