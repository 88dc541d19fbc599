package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/store"
)

// examined runs doctor and returns its findings by what was looked at.
func examined(t *testing.T, w *world, code int, args ...string) map[string][2]string {
	t.Helper()
	r := w.run(append([]string{"doctor", "-o", "json"}, args...)...)
	require.Equal(t, code, r.code, r.err)
	var report struct {
		State    string
		Findings []struct{ Check, State, Found, Do string }
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	out := map[string][2]string{"": {report.State}}
	for _, f := range report.Findings {
		require.Contains(t, []string{"ok", "better", "broken"}, f.State)
		require.NotEmpty(t, f.Found, f.Check)
		if f.State != "ok" {
			require.NotEmpty(t, f.Do, "%s: what to do", f.Check)
		}
		require.NotContains(t, out, f.Check)
		out[f.Check] = [2]string{f.State, f.Found}
	}
	return out
}

func TestDoctorOfAnEmptyMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := examined(t, w, kit.ExitOK)
	require.Equal(t, "better", all[""][0])
	require.Contains(t, all["terminal"][1], "there is none here")
	require.Contains(t, all["gateway"][1], "embedded")
	require.Equal(t, "ok", all["fonts"][0], "make test installs some")
	require.Contains(t, all["history"][1], "none yet")
	require.Equal(t, "ok", all["keyring"][0])
	require.Contains(t, all["settings"][1], "the defaults hold")
	for _, path := range []string{w.paths().History, w.paths().Config, w.paths().Downloads, w.paths().Sandbox} {
		require.NoFileExists(t, path, "nothing is made")
	}
	text := w.ok("doctor").out
	require.Contains(t, text, "can be better  terminal ")
	require.Contains(t, text, "→ run `darkroom doctor` in the terminal you work in")
}

func TestDoctorOfSettingsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/config.yaml", "theme: dark\npreview: crayon\n")
	all := examined(t, w, kit.ExitFailed)
	require.Equal(t, [2]string{"broken", "not known without the settings"}, all["gateway"])
	require.Contains(t, all["settings"][1], `"crayon"`)
	require.Equal(t, "ok", all["results"][0], "the rest is looked at all the same")
}

func TestDoctorOfAGateway(t *testing.T) {
	t.Parallel()
	const key = "sk-0123456789abcdef0123456789"
	var asked, posts atomic.Int32
	good := &atomic.Bool{}
	g := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Method != http.MethodGet {
			posts.Add(1)
		}
		if !good.Load() || r.Header.Get("Authorization") != "Bearer "+key {
			out.WriteHeader(http.StatusUnauthorized)
			_, _ = out.Write([]byte(`{"error":{"message":"Incorrect API key provided: ` + key + `"}}`))
			return
		}
		_, _ = out.Write([]byte(`{"object":"list","data":[{"id":"famI-omni","object":"model"}]}`))
	}))
	t.Cleanup(g.Close)
	w := newWorld(t)
	w.file("config/config.yaml", "profile: team\nprofiles:\n  team:\n    base_url: "+g.URL+"\n")
	all := examined(t, w, kit.ExitFailed)
	require.Equal(t, "broken", all["key"][0], "there is none")
	require.NotContains(t, all, "fonts", "which the embedded gateway alone draws with")
	require.Zero(t, asked.Load())

	_, err := w.stdio(nil, nil).Secret(w.paths(), func(string) string { return "" }).Keep(config.Profile{Name: "team", BaseURL: "https://elsewhere.example"}, key)
	require.NoError(t, err)
	require.Contains(t, examined(t, w, kit.ExitFailed)["key"][1], "elsewhere.example")
	require.Zero(t, asked.Load(), "a key that is kept for another gateway is not sent")

	_, err = w.stdio(nil, nil).Secret(w.paths(), func(string) string { return "" }).Keep(config.Profile{Name: "team", BaseURL: g.URL}, key)
	require.NoError(t, err)
	require.Contains(t, examined(t, w, kit.ExitFailed)["key"][1], "refuses")
	good.Store(true)
	all = examined(t, w, kit.ExitOK)
	require.Equal(t, [2]string{"ok", "the gateway takes it"}, all["key"])
	before := asked.Load()
	require.Contains(t, examined(t, w, kit.ExitOK, "--online=false")["key"][1], "kept in")
	require.Equal(t, before, asked.Load())
	require.Zero(t, posts.Load(), "GETs alone")
	g.Close()
	require.Equal(t, "broken", examined(t, w, kit.ExitFailed)["gateway"][0])
	for _, format := range kit.OutputFormats() {
		r := w.run("doctor", "-o", format)
		require.NotContains(t, r.out+r.err, key)
	}
}

func TestDoctorOfAHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.history(1, func(int, *jobs.Job) {})
	require.Contains(t, examined(t, w, kit.ExitOK)["history"][1], "there is no backup yet")
	w.ok("history", "backup")
	require.Equal(t, "ok", examined(t, w, kit.ExitOK)["history"][0])
	require.NoError(t, os.RemoveAll(store.BackupDir(w.paths().History)))
	require.NoError(t, os.WriteFile(w.paths().History, []byte(strings.Repeat("no database", 1000)), 0o600))
	all := examined(t, w, kit.ExitFailed)
	require.Equal(t, "broken", all["history"][0], all["history"][1])
}
