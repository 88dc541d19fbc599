package main_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheConsoleAsksBeforeAKeyGoesElsewhere: before its first frame, in the terminal that it is
// about to take.
func TestTheConsoleAsksBeforeAKeyGoesElsewhere(t *testing.T) {
	t.Parallel()
	const key, from = "sk-origin-7c1e", "http://127.0.0.1:1"
	for answer, want := range map[string]struct {
		console, moved bool
	}{"y\r": {true, true}, "n\r": {true, false}, "\r": {true, false}, ctrlC: {false, false}} {
		var keys atomic.Int64
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				keys.Add(1)
			}
			_, _ = io.WriteString(w, `{"object":"list","data":[]}`)
		}))
		t.Cleanup(other.Close)
		h := newHome(t)
		_, errOut, code := h.run(t, key+"\n", "auth", "login", "--base-url", from, "--check=false")
		require.Equal(t, 0, code, errOut)
		settings := h.find(t, ".config", "config.yaml")
		text, err := os.ReadFile(settings)
		require.NoError(t, err)
		require.Contains(t, string(text), from)
		require.NoError(t, os.WriteFile(settings, []byte(strings.Replace(string(text), from, other.URL, 1)), 0o600))

		x := h.open(t, 100, 30)
		x.shows("was kept for "+from, "the settings name "+other.URL, "[y/N]")
		x.keys(answer)
		if want.console {
			x.shows("Draft", "● default")
			x.keys("typed after it")
			x.shows("typed after it")
			x.keys(ctrlC)
			require.Equal(t, 0, x.exit(), "%q: %s", answer, x.bytes())
		} else {
			require.Equal(t, 130, x.exit(), x.bytes())
			require.NotContains(t, x.bytes(), "Draft", "the console is not opened")
		}
		require.NotContains(t, x.bytes(), key)
		if !want.moved {
			require.Zero(t, keys.Load(), "%q: requests with the key", answer)
		}
		out, errOut, code := h.run(t, "", "request", "GET", "/v1/models")
		if want.moved {
			require.Equal(t, 0, code, errOut+out)
			require.Positive(t, keys.Load())
		} else {
			require.Equal(t, 4, code, errOut)
			require.Contains(t, errOut, "is for "+from)
			require.Zero(t, keys.Load())
		}
	}
}
