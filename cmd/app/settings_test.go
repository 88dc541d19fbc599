package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/config"
	"darkroom/jobs/download"
	"darkroom/tui/app"
	"darkroom/tui/screens/settings"
)

// ruled is a desk of settings over real files, and what it was told to do.
type ruled struct {
	*settingsDesk
	dir string
	was []config.Config
}

func newRuled(t *testing.T, text string, env map[string]string) *ruled {
	t.Helper()
	dir := t.TempDir()
	p := config.Paths{Config: filepath.Join(dir, "config.yaml"), Themes: filepath.Join(dir, "themes"), Downloads: filepath.Join(dir, "saved"), Dialects: filepath.Join(dir, "dialects")}
	if text != "" {
		require.NoError(t, os.WriteFile(p.Config, []byte(text), 0o600))
	}
	r := config.Request{Paths: p, Env: func(k string) string { return env[k] }}
	c, err := config.Load(r)
	require.NoError(t, err)
	x := &ruled{dir: dir}
	x.settingsDesk = newSettingsDesk(t.Context(), ConsoleOptions{Config: c, Request: r, Secrets: config.Secrets{Dir: filepath.Join(dir, "keys"), Env: r.Env}, Env: r.Env})
	x.changed = func(was, now config.Config) []func() {
		x.was = append(x.was, now)
		return nil
	}
	x.begin()
	return x
}

// put changes the file as an editor does.
func (x *ruled) put(t *testing.T, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(x.dir, "config.yaml"), []byte(text), 0o600))
	x.Look() // where no inotify is
}

func (x *ruled) next(t *testing.T) app.Applied {
	t.Helper()
	got := make(chan app.Applied, 1)
	go func() {
		a, _ := x.Next()
		got <- a
	}()
	select {
	case a := <-got:
		return a
	case <-time.After(30 * time.Second):
		require.Fail(t, "nothing was told")
		return app.Applied{}
	}
}

func TestSettingsAreFollowed(t *testing.T) {
	t.Parallel()
	x := newRuled(t, "theme: dark\nretention: 3\n", nil)
	x.put(t, "theme: light\nmouse: false\nretention: 30\nkeys:\n  queue.download: [f7]\nprofiles:\n  work: {base_url: https://w.example, banner: PROD}\n")
	a := x.next(t)
	require.Empty(t, a.Wrong)
	require.Equal(t, "light", a.Theme)
	require.Equal(t, "F7", a.Keys.Keys("queue.download"))
	require.Equal(t, "config.yaml was reloaded; at the next start: Keep ended jobs", a.Note)
	require.Len(t, a.Profiles, 2)
	require.Equal(t, "PROD", a.Profiles[1].Banner)
	require.False(t, x.was[0].Mouse)

	x.put(t, "theme: light\nmouse: maybe\n")
	a = x.next(t)
	require.Contains(t, a.Wrong, "config.yaml, line 2, column 8: mouse: give true or false")
	require.Len(t, x.was, 1, "the previous settings stay")
	sheet, err := x.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, sheet.Mistakes[0].Line)
	require.Equal(t, "light", sheet.Rows[0].Value, "of the former ones")
	require.ErrorContains(t, x.Set(t.Context(), "theme", "dark"), "mouse", "a file with a mistake is not written")

	x.put(t, "theme: light\nkeys:\n  queue.download: [q]\n")
	require.Contains(t, x.next(t).Wrong, "line 3, column 19: keys: queue.download: the key q would do both")
	x.put(t, "theme: nope\n")
	require.Contains(t, x.next(t).Wrong, "line 1, column 8: ")
	x.put(t, "theme: dusk\nretention: 3\n")
	a = x.next(t)
	require.Empty(t, a.Wrong)
	require.Equal(t, "dusk", a.Theme)
	require.NotContains(t, a.Note, "next start", "it is as it was when the console began")
}

func TestWhatTheConsoleWritesIsFollowedWithoutANote(t *testing.T) {
	t.Parallel()
	x := newRuled(t, "# mine\n", nil)
	ctx := context.Background()
	require.NoError(t, x.Set(ctx, "mouse", "false"))
	require.Empty(t, x.next(t).Note)
	require.NoError(t, x.SetKeys(ctx, map[string][]string{"queue.download": {"x"}, "queue.drop": {"f7"}}))
	a := x.next(t)
	require.Equal(t, "x", a.Keys.Keys("queue.download"))
	require.Error(t, x.SetKeys(ctx, map[string][]string{"queue.drop": nil}), "its built-in key is another action's now")
	require.NoError(t, x.SetKeys(ctx, map[string][]string{"queue.download": nil, "queue.drop": nil}))
	x.next(t)
	note, err := x.KeepTheme("light")
	require.NoError(t, err)
	require.Empty(t, note)
	require.Empty(t, x.next(t).Theme, "it shows already")
	b, err := x.Source(ctx)
	require.NoError(t, err)
	require.Equal(t, "# mine\nmouse: false\ntheme: light\n", b)
	require.ErrorContains(t, x.Replace(ctx, b, "mouse: 7\n"), "line 1, column 8")
	require.FileExists(t, filepath.Join(x.dir, "config.yaml.edited"))
	require.NoError(t, x.Replace(ctx, b, "mouse: true\n"))
	require.True(t, func() bool { x.next(t); return x.was[len(x.was)-1].Mouse }())
}

// TestWhatHoldsIsShownWhereNothingIsSet: each line says what holds, and paths are written as a person does.
func TestWhatHoldsIsShownWhereNothingIsSet(t *testing.T) {
	t.Parallel()
	x := newRuled(t, "profiles:\n  work: {base_url: https://w.example}\n", nil)
	x.request.Env = func(k string) string { return map[string]string{"HOME": x.dir}[k] }
	sheet, err := x.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, "~/config.yaml", sheet.File)
	rows := map[string]settings.Row{}
	for _, r := range append(sheet.Rows, sheet.Profiles[1].Rows...) {
		require.True(t, r.Value+r.Default+r.Usual != "", "%s says what holds", r.Label)
		rows[r.Key] = r
	}
	require.Equal(t, "8 GiB", rows["max_download"].Value)
	require.Equal(t, strconv.Itoa(download.UsualConcurrency), rows["parallel_downloads"].Value)
	require.NotEmpty(t, rows["downloads"].Said)
}

func TestTheEnvironmentIsShownAndNotWrittenOver(t *testing.T) {
	t.Parallel()
	x := newRuled(t, "theme: dark\n", map[string]string{"DARKROOM_THEME": "paper"})
	note, err := x.KeepTheme("light")
	require.NoError(t, err)
	require.Contains(t, note, "DARKROOM_THEME=paper holds at the next start")
	require.Empty(t, x.next(t).Theme)
	sheet, err := x.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"paper", "DARKROOM_THEME", "DARKROOM_THEME"}, []string{sheet.Rows[0].Value, sheet.Rows[0].From, sheet.Rows[0].Outranked})
}

func TestAThemeOfOnesOwnIsFollowed(t *testing.T) {
	t.Parallel()
	x := newRuled(t, "", nil)
	require.NoError(t, os.MkdirAll(filepath.Join(x.dir, "themes"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(x.dir, "themes", "mine.yaml"), []byte("name: [\n"), 0o600))
	x.Look()
	a := x.next(t)
	require.True(t, a.Remake)
	require.Contains(t, a.Themes, "mine")
	_, err := x.library().Get("mine")
	require.ErrorContains(t, err, "[1:")
}

func TestAProfileIsAddedOnlyIfItsGatewayTakesTheKey(t *testing.T) {
	t.Parallel()
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer right" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"object":"list","data":[]}`))
	}))
	defer gateway.Close()
	x := newRuled(t, "# mine\nprofile: sandbox\n", nil)
	p := settings.NewProfile{Name: "lab", Address: gateway.URL, Key: "wr0ng"}
	_, err := x.AddProfile(t.Context(), p)
	require.ErrorContains(t, err, "nothing was kept")
	require.NotContains(t, err.Error(), "wr0ng")
	p.Key = "right"
	where, err := x.AddProfile(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(x.dir, "keys", "lab"), where)
	info, err := os.Stat(where)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	a := x.next(t)
	require.Equal(t, "lab", a.Profiles[1].Name)
	sheet, err := x.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, where, sheet.Profiles[1].Key)
	require.True(t, sheet.Profiles[0].Embedded && sheet.Profiles[0].Default)
	b, err := x.Source(t.Context())
	require.NoError(t, err)
	require.Equal(t, "# mine\nprofile: sandbox\nprofiles:\n  lab:\n    base_url: "+gateway.URL+"\n", b)
	require.NotEmpty(t, x.CheckProfile(settings.NewProfile{Name: "sandbox"}))
	require.NotEmpty(t, x.CheckProfile(settings.NewProfile{Name: "lab", Address: "http://elsewhere.example"}))
	_, err = x.SetKey(t.Context(), "none", "k")
	require.ErrorContains(t, err, "no profile none")
}
