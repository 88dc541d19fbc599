package app

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/formats"
	"darkroom/client/intake"
	"darkroom/client/kept"
	"darkroom/jobs"
	"darkroom/jobs/download"
	"darkroom/jobs/schedule"
	"darkroom/jobs/store"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// evil holds one of everything that text from elsewhere must not do to a terminal: colours,
// a title, the clipboard, 8-bit controls, overwriting, reordering, hiding, and the runes
// that stand for picture cells.
const evil = "\x1b[31mred\x1b]0;owned\x07\x1b]52;c;b3du\x1b\\\x1b_dz:shell:app.quit\x1b\\\u009b2J\u0090x\u009c" +
	"a\rb\bc\x00\x7f\v\f\u202egnp\u2066\u200b\u200d\ufeff\u00ad\u2028\ufe0f\u3164\U000e0041\ue000\U0010eeee\x1b"

const gatewayKey = "sk-hostile-0123456789abcdef"

// hostile is a gateway all of whose texts are evil, and whose key echoes back from
// wherever it can.
type hostile struct {
	*httptest.Server
	n     atomic.Int64
	asked atomic.Int64
}

func newHostile(t *testing.T) *hostile {
	t.Helper()
	h := &hostile{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/videos", h.create)
	mux.HandleFunc("POST /v1/images/generations", h.image)
	mux.HandleFunc("POST /famN/submit/music", func(w http.ResponseWriter, _ *http.Request) {
		h.say(w, 200, map[string]any{"code": "success", "message": evil, "data": "song"})
	})
	mux.HandleFunc("GET /famN/fetch/{id}", h.song)
	mux.HandleFunc("GET /v1/videos/{id}", h.video)
	mux.HandleFunc("GET /v1beta/models", h.models)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) { h.refuse(w, r, 401) })
	mux.HandleFunc("/media/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain"+"\u009b2J")
		w.Header().Set("Content-Disposition", `attachment; filename="../../../../etc/passwd"`)
		_, _ = io.WriteString(w, "no media "+evil)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { h.refuse(w, r, 400) })
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h
}

func (h *hostile) say(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Request-Id", "req\u009b2J\u202e"+gatewayKey)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (h *hostile) refuse(w http.ResponseWriter, r *http.Request, status int) {
	h.say(w, status, map[string]any{"error": map[string]any{
		"message": evil + strings.Repeat("long", 25_000), "code": evil, "type": evil, "param": evil + r.Header.Get("Authorization")}})
}

// create answers each create differently.
func (h *hostile) create(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	switch n := h.n.Add(1); n {
	case 1:
		h.refuse(w, r, 400)
	case 2:
		h.refuse(w, r, 500)
	case 3: // an answer that net/http quotes in its error
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nX-A: "+evil+r.Header.Get("Authorization")+"\r\n\r\n{}")
			_ = conn.Close()
		}
	default:
		h.say(w, 200, map[string]any{"id": fmt.Sprintf("%d%s", n, evil), "task_id": "alt" + evil, "status": evil,
			"model": evil, "object": evil, evil: evil})
	}
}

func (h *hostile) video(w http.ResponseWriter, r *http.Request) {
	h.asked.Add(1)
	// The asked id is evil, too; an answer about another one would not be taken.
	task := map[string]any{"id": r.PathValue("id"), "task_id": "alt" + evil, "model": evil, "title": evil, "progress": 1e300,
		"created_at": evil, "usage": map[string]any{evil: evil}, evil: []any{evil}, "key": r.Header.Get("Authorization")}
	switch id := r.PathValue("id"); id[:min(1, len(id))] {
	case "4":
		task["status"], task["error"] = "failed", map[string]any{"message": evil + strings.Repeat("x", 1<<20), "code": evil, "type": evil, "param": evil}
	case "5":
		task["status"], task["video_url"] = "completed", h.URL+"/media/..%2f..%2f\u009b\u202e.mp4"
		task["cover_url"], task["metadata"] = "javascript:"+evil, map[string]any{"url": "data:video/mp4;base64,AAAA"}
	case "6":
		task["status"] = evil + strings.Repeat("s", 100_000)
	case "7":
		h.refuse(w, r, 404)
		return
	default:
		task["status"] = "failed"
		task["fail_reason"] = `{"error":{"message":` + string(quoted(evil)) + `}}`
	}
	h.say(w, 200, task)
}

// models is a list of models whose every text is evil, and with the key in some of them.
func (h *hostile) models(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Authorization")
	entry := func(name string) map[string]any {
		return map[string]any{"name": name, "version": evil, "displayName": evil + key, "description": evil + key + strings.Repeat("d", 100_000),
			"inputTokenLimit": 1e300, "outputTokenLimit": evil, "supportedGenerationMethods": []any{evil, key, map[string]any{evil: evil}}}
	}
	h.say(w, 200, map[string]any{"models": []any{entry("models/famA3"), entry("famI-omni" + evil), entry(evil), entry(key), entry(strings.Repeat("n", 100_000)), evil, nil, 7}})
}

func quoted(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return b
}

func (h *hostile) song(w http.ResponseWriter, r *http.Request) {
	h.say(w, 200, map[string]any{"code": "success", "message": evil, "data": map[string]any{
		"task_id": r.PathValue("id"), "status": "SUCCESS", "fail_reason": evil, "progress": evil,
		"data": []any{map[string]any{"id": evil, "title": "../../" + evil + strings.Repeat("t", 100_000), "status": evil,
			"audio_url": h.URL + "/media/song.mp3", "text": evil, "metadata": map[string]any{"tags": evil}}}}})
}

func (h *hostile) image(w http.ResponseWriter, _ *http.Request) {
	png := "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	h.say(w, 200, map[string]any{"created": evil, "data": []any{map[string]any{"b64_json": png, "revised_prompt": evil}}, evil: evil})
}

// desk is a whole console on a hostile gateway, without a terminal.
type desk struct {
	*tuitest.Driver
	model  *Model
	engine *jobs.Engine
	client *client.Client
	dir    string
	checks int // frames looked at, each at another size
}

func newDesk(t *testing.T, h *hostile) *desk {
	t.Helper()
	cat := catalogtest.Catalog(t)
	c, err := client.New(client.Options{BaseURL: h.URL, Formats: formats.All(), WireNames: cat.WireNames, ModelLists: formats.ModelLists(),
		Key: func() (string, error) { return gatewayKey, nil }})
	require.NoError(t, err)
	d := &desk{client: c, dir: t.TempDir()}
	st, err := store.Open(t.Context(), filepath.Join(d.dir, "state", "history.db"))
	require.NoError(t, err)
	saver, err := download.New(download.Options{Dir: filepath.Join(d.dir, "files"), Source: c,
		Template: "{title}/{model}_{task}_{id}_{index}.{ext}"})
	require.NoError(t, err)
	d.engine = jobs.NewEngine(jobs.Options{Store: st, Gateway: c, Saver: saver, Profile: "p", AutoDownload: true,
		FormatFor: cat.DraftFormat, Curve: schedule.Curve{First: 20 * time.Millisecond, Early: 1, Knee: time.Minute, Max: time.Minute},
		Retry: schedule.Backoff{Base: 20 * time.Millisecond, Cap: 50 * time.Millisecond}, Missing: time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.engine.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) { // a short test ends it before it has begun
			assert.NoError(t, err)
		}
		assert.NoError(t, st.Close())
		c.Close()
	})
	theme := func(string) (*themes.Styles, error) { return tuitest.Styles(t), nil }
	d.model = New(Options{
		Services: Services{Catalog: cat, Gateway: shown{c, cat}, Jobs: d.engine, Keys: Keys(), Styles: tuitest.Styles(t),
			Previews: preview.New(preview.Options{Workers: 1, Bytes: 1 << 20}), Drafts: noDrafts{}, Now: time.Now},
		Profile: "p", Origin: c.Origin(), Busy: d.engine.Busy, Theme: theme, Themes: themes.Names(), Start: screen.Compose,
	}, Screens())
	d.Driver = tuitest.New(t, d.model, 120, 34)
	d.Limit = 20 * time.Millisecond // timers are set aside, what matters is waited for
	return d
}

// shown is the client as screens see it.
type shown struct {
	*client.Client
	cat *catalog.Catalog
}

func (g shown) Preview(d client.Draft, _ string) (client.Preview, error) {
	return g.Client.Preview(d, g.cat.DefaultFormat(d.Model))
}

func (g shown) Body(ctx context.Context, d client.Draft, _ string) ([]byte, error) {
	return g.Client.Body(ctx, d, g.cat.DefaultFormat(d.Model))
}

func (g shown) Curl(d client.Draft, _ string) (string, error) {
	return g.Client.Curl(d, g.cat.DefaultFormat(d.Model))
}

func (g shown) FormatsFor(d client.Draft) []string {
	if f := g.cat.DraftFormat(d); f != "" {
		return []string{f}
	}
	return nil
}

func (g shown) ReadRequest(text string, h intake.Hint) (intake.Result, error) {
	return intake.Reader{Catalog: g.cat, Formats: g.Formats()}.Read(text, h)
}

type noDrafts struct{}

func (noDrafts) Load(client.Modality) (kept.Draft, bool, error) {
	return kept.Draft{}, false, nil
}
func (noDrafts) Save(kept.Draft) error { return nil }

var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// check fails the test when a frame holds anything but text and colours of ours.
func (d *desk) check(t *testing.T, where string) {
	t.Helper()
	sizes := [][2]int{{120, 34}, {80, 24}, {200, 60}, {40, 12}}
	d.checks++
	size := sizes[d.checks%len(sizes)]
	d.Resize(size[0], size[1])
	frame := d.Frame()
	tuitest.CheckFrame(t, frame, size[0], size[1])
	harmless(t, where, sgr.ReplaceAllString(frame, ""))
}

// harmless fails the test when text would do more than stand there.
func harmless(t *testing.T, where, s string) {
	t.Helper()
	if i := strings.Index(s, gatewayKey); i >= 0 {
		t.Fatalf("%s: the key shows: %q", where, s[max(0, i-60):i])
	}
	if clean := client.Clean(s); clean != s {
		i := 0
		for i < len(s) && s[i] == clean[i] {
			i++
		}
		t.Fatalf("%s: %q gets through, after %q", where, s[i:min(len(s), i+12)], s[max(0, i-80):i])
	}
}

func (d *desk) submit(t *testing.T) map[string]jobs.Job {
	t.Helper()
	var subs []jobs.Submission
	add := func(n int, m client.Modality, model, prompt string) {
		for range n {
			subs = append(subs, jobs.Submission{Draft: client.Draft{Modality: m, Model: model, Prompt: prompt}})
		}
	}
	add(8, client.Video, "famA3", "a kite")
	add(1, client.Image, "famL", "a kite "+evil)
	add(1, client.Music, "famN_music", "a tune")
	ids, err := d.engine.Submit(t.Context(), subs)
	require.NoError(t, err)
	out := map[string]jobs.Job{}
	d.Settle(20*time.Second, "all jobs ended", func() bool {
		for _, id := range ids {
			j, err := d.engine.Get(t.Context(), id)
			if err != nil || j.State.Active() && (j.State != jobs.Unknown || len(j.RawStatus) <= 200) || pending(j) && !jobs.Settled(j) {
				return false
			}
			out[id] = j
		}
		return true
	})
	return out
}

func pending(j jobs.Job) bool {
	for _, f := range j.Files {
		if f.State == jobs.FileWanted || f.State == jobs.FileFetching {
			return j.Polls > 0 || f.Error == ""
		}
	}
	return false
}

// TestHostileGateway drives text that is all evil from the gateway through the client, the
// engine, the history and every screen.
func TestHostileGateway(t *testing.T) {
	d := newDesk(t, newHostile(t))
	all := d.submit(t)
	states := map[jobs.State]int{}
	for _, j := range all {
		states[j.State]++
	}
	assert.Equal(t, map[jobs.State]int{jobs.Refused: 1, jobs.Ambiguous: 2, jobs.Failed: 2, jobs.Completed: 3, jobs.Unknown: 1, jobs.Lost: 1}, states)

	d.Send(newsMsg{})
	d.Key("alt+2")
	for i := range len(all) {
		for pane := range 4 {
			d.check(t, fmt.Sprintf("queue, row %d, pane %d", i, pane))
			d.Key("tab")
		}
		d.Key("esc", "down")
	}
	for _, overlay := range []string{"ctrl+p", "?"} {
		d.Key(overlay)
		d.check(t, "queue under "+overlay)
		d.Key("esc")
	}
	for _, j := range all {
		for _, id := range []string{cmp.Or(j.TaskID, j.ID)} {
			d.Send(screen.OpenMsg{Screen: screen.Inspect, Payload: screen.InspectID{ID: id}})
			d.Settle(10*time.Second, "looked up", func() bool { return !strings.Contains(d.View(), "asking") })
			for pane := range 3 {
				d.check(t, fmt.Sprintf("inspect %q, pane %d", id[:min(len(id), 8)], pane))
				d.Key("w")
				d.check(t, fmt.Sprintf("inspect %q, raw, pane %d", id[:min(len(id), 8)], pane))
				d.Key("w", "tab")
			}
		}
		d.Send(screen.OpenMsg{Screen: screen.Compose, Payload: screen.ComposeDraft{Draft: j.Draft}})
		for _, view := range []string{"f2", "f3", "f4"} {
			d.Key(view)
			d.check(t, "compose "+view)
		}
		d.Send(screen.OpenMsg{Screen: screen.Compare, Payload: screen.CompareDraft{Draft: j.Draft}})
		d.check(t, "compare")
	}
	d.checkModels(t)
	for _, l := range []screen.Level{screen.Info, screen.Bad} {
		d.Send(screen.ToastMsg{Level: l, Text: evil + strings.Repeat("toast", 200_000)})
		d.check(t, "toast")
	}
}

// checkModels looks at what the gateway's lists say of each model.
func (d *desk) checkModels(t *testing.T) {
	t.Helper()
	d.Send(screen.OpenMsg{Screen: screen.Models})
	d.Settle(10*time.Second, "lists asked", func() bool { return strings.Contains(d.View(), "● both") })
	d.Key("L")
	for i := range 8 {
		d.check(t, fmt.Sprintf("models, row %d", i))
		d.Key("enter", "G")
		d.check(t, fmt.Sprintf("models, row %d, page", i))
		d.Key("esc", "down")
	}
}

// TestHostileFiles: what lies on the disk afterwards is where it belongs, private, and
// neither names nor sidecars hold anything evil or the key.
func TestHostileFiles(t *testing.T) {
	d := newDesk(t, newHostile(t))
	d.submit(t)
	root := filepath.Join(d.dir, "files")
	saved := 0
	require.NoError(t, filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		if e.IsDir() {
			if path != d.dir {
				assert.Equal(t, fs.FileMode(0o700), info.Mode().Perm(), path)
			}
			return nil
		}
		assert.Equal(t, fs.FileMode(0o600), info.Mode().Perm(), path)
		harmless(t, "name", e.Name())
		rel, err := filepath.Rel(root, path)
		if err != nil || strings.HasPrefix(rel, "..") {
			return err
		}
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.NotContains(t, string(b), gatewayKey)
		if strings.HasSuffix(path, ".json") {
			saved++
			harmless(t, e.Name(), string(b))
			assert.True(t, json.Valid(b))
		}
		return nil
	}))
	assert.NotZero(t, saved, "no sidecar was written")
	db, err := os.ReadFile(filepath.Join(d.dir, "state", "history.db-wal")) //nolint:gosec // the test's own, nobody writes
	require.NoError(t, err)
	assert.NotContains(t, string(db), gatewayKey)
	assert.NotContains(t, string(db), base64.StdEncoding.EncodeToString([]byte(gatewayKey)))
	for _, e := range d.client.Exchanges() {
		b, err := json.Marshal(e)
		require.NoError(t, err)
		assert.NotContains(t, string(b), gatewayKey)
	}
}
