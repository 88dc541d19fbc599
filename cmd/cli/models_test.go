package cli

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

func TestModelsFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := ids(t, w.ok("models", "list", "-o", "json"))
	require.Equal(t, all, ids(t, w.ok("models", "-o", "json")), "as it was")
	require.Contains(t, all, "famI-omni")
	ofFamily(t, w.ok("models", "list", "--family", "famI", "-o", "json"), "famI", "famI-omni")
	lists := func(with, without string, args ...string) {
		t.Helper()
		found := ids(t, w.ok(append(args, "-o", "json")...))
		require.Contains(t, found, with)
		require.NotContains(t, found, without)
		require.Subset(t, all, found)
	}
	lists("famJq3-turbo", "famI-omni", "models", "--format", "ent")
	require.Contains(t, ids(t, w.ok("models", "list", "--format", "tasks", "-o", "json")), "famC-1.0", "queried through it")
	lists("famN_music", "famI-omni", "models", "list", "--kind", "speech")
	r := w.ok("models", "list", "--kind", "chat")
	require.Contains(t, r.err, "--live")
	for _, c := range [][]string{{"--kind", "film"}, {"--family", "famX"}, {"--format", "x"}} {
		w.fails(kit.ExitUsage, []string{c[1]}, append([]string{"models", "list"}, c...)...)
	}
	w.fails(kit.ExitUsage, []string{"--live"}, "models", "famI-omni", "--live")
	require.NotContains(t, w.ok("models", "list").out, "ORIGIN")
}

// ofFamily checks that a list has a model, and none of another family.
func ofFamily(t *testing.T, r result, family, id string) {
	t.Helper()
	require.Contains(t, ids(t, r), id)
	for _, x := range r.array(t) {
		m, _ := x.(map[string]any)
		require.Equal(t, family, text(t, m, "family"))
	}
}

func ids(t *testing.T, r result) []string {
	t.Helper()
	var out []string
	for _, x := range r.array(t) {
		m, _ := x.(map[string]any)
		out = append(out, text(t, m, "id"))
	}
	return out
}

// lists answers both model lists.
func lists(native, guess string, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1beta/models":
			_, _ = io.WriteString(w, native)
		default:
			w.WriteHeader(status)
			_, _ = io.WriteString(w, guess)
		}
	}
}

func TestModelsLive(t *testing.T) {
	t.Parallel()
	hostile := `chat-\u001b[31m\u202ered`
	g := newFake(t, lists(`{"models":[{"name":"models/famI-omni","displayName":"Omni \u001b]0;x"},{"name":"`+hostile+`"}]}`,
		`{"data":[{"id":"famI-omni"},{"id":"only-guess"}]}`, 200))
	w := newWorld(t).at(g.URL)
	r := w.onTerminal("models", "list", "--live")
	require.Zero(t, r.code, r.err)
	for line, has := range map[string][]string{
		"famI-omni ": {"catalog, v1beta, /v1/models (a guess)", "Omni ␛"}, "famL-2 ": {" catalog"},
		"only-guess": {"/v1/models (a guess)", " - "}, "chat-␛[31m<U+202E>red": {"v1beta"},
	} {
		i := strings.Index(r.out, line)
		require.GreaterOrEqual(t, i, 0, "%q in\n%s", line, r.out)
		row, _, _ := strings.Cut(r.out[i:], "\n")
		for _, s := range has {
			require.Contains(t, row, s)
		}
	}
	require.Equal(t, client.Clean(r.out+r.err), r.out+r.err)
	require.Contains(t, r.err, "(/v1beta/models): 2 models")
	require.Contains(t, r.err, "a guess")

	rows := w.ok("models", "list", "--live", "-o", "json").array(t)
	last, _ := rows[len(rows)-1].(map[string]any)
	require.Equal(t, "only-guess", last["id"])
	require.Equal(t, []any{"v1"}, last["origins"])
	require.Equal(t, "", last["modality"])

	r = w.ok("models", "list", "--live", "--family", "famI", "-o", "json")
	ofFamily(t, r, "famI", "famI-omni")
	require.Contains(t, r.err, "2 models of the gateway's lists are not in the catalog")
}

func TestModelsLiveWithFailures(t *testing.T) {
	t.Parallel()
	g := newFake(t, lists(`{"models":[{"name":"famI-omni"}]}`, "<html>\x1b[31m", 404))
	w := newWorld(t).at(g.URL)
	r := w.ok("models", "list", "--live", "-o", "json")
	require.Contains(t, r.err, "did not answer")
	require.Contains(t, r.err, "404")
	require.Contains(t, ids(t, r), "famL-2", "the rest is there")
	require.Equal(t, client.Clean(r.err), r.err)

	w.env["DARKROOM_API_KEY"] = "sk-wrong-key-2"
	r = w.fails(kit.ExitAuth, []string{"/v1beta/models", "/v1/models", "401"}, "models", "list", "--live", "-o", "json")
	require.Contains(t, ids(t, r), "famL-2", "what the catalog knows is printed all the same")
	require.NotContains(t, r.out+r.err, "sk-wrong-key-2")
}

func TestModelsShow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("models", "show", "famI-omni")
	require.Equal(t, r.out, w.ok("models", "famI-omni").out, "as it was")
	for _, s := range []string{"POST /v1/videos", "POST /api/v3/contents/generations/tasks", "1. videos", "2. content", "GET /api/v3/contents/generations/tasks/{id}",
		"mapped to one of 4, 6, 8, 10", "the direction is not documented", "at least one reference image", "image_url, input_reference"} {
		require.Contains(t, r.out, s)
	}
	r = w.ok("models", "show", "famK-3.0-480p")
	for _, s := range []string{"fixed at 480P", "image references  up to 10", "2 to 30 s", "hard", "configured, not documented"} {
		require.Contains(t, r.out, s)
	}
	require.Contains(t, w.ok("models", "show", "famG-h3").out, "usual")
	require.Contains(t, w.ok("models", "show", "famF-video").out, "(required)")
	require.Contains(t, w.ok("models", "show", "famN_music").out, "also speech")
	require.Contains(t, w.ok("models", "show", "famN_music", "--kind", "speech").out, "the text to speak and an engine")
	w.fails(kit.ExitUsage, []string{"famN_music is music, speech"}, "models", "show", "famN_music", "--kind", "video")
	w.fails(kit.ExitNotFound, []string{"famI-omni"}, "models", "show", "famI-omi")

	d := w.ok("models", "show", "famK-3.0", "-o", "json").object(t)
	limits, _ := d["limits"].([]any)
	require.Contains(t, limits, map[string]any{"field": "resolution", "text": "fixed at 720P", "strength": "hard"})
	queries, _ := d["queries"].([]any)
	require.Equal(t, map[string]any{"format": "tasks", "path": "GET /api/v1/tasks/{id}"}, queries[1])
	require.NotEmpty(t, d["fields"])
}

const overlayFile = `version: 1
families:
  - token: famY
    kind: video
    title: Y
    traits: {modality: video, modes: [t2v], formats: [videos], routes: [videos]}
    models:
      - {id: famY-9, note: mine}
  - token: famI
    models:
      - {id: famI-omni, note: slow today}
`

func TestModelsLint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("models", "lint")
	require.Contains(t, r.out, "there is no overlay at")
	require.Equal(t, false, w.ok("models", "lint", "-o", "json").object(t)["found"])

	file := w.file("mine.yaml", overlayFile)
	r = w.ok("models", "lint", file)
	for _, s := range []string{"mine.yaml: ok", "adds     model   famY-9", "changes  model   famI-omni  famI  11    note"} {
		require.Contains(t, r.out, s)
	}
	d := w.ok("models", "lint", file, "-o", "json").object(t)
	require.Equal(t, true, d["ok"])
	require.Len(t, d["changes"], 3)

	bad := w.file("bad.yaml", strings.ReplaceAll(overlayFile, "modes: [t2v]", "modes: [t2v, x\x1b, y2v]"))
	r = w.fails(kit.ExitUsage, []string{"bad.yaml"}, "models", "lint", bad)
	require.Contains(t, r.out, "bad.yaml:6:")
	require.Equal(t, client.Clean(r.out+r.err), r.out+r.err)
	bad = w.file("worse.yaml", strings.Replace(strings.Replace(overlayFile, "t2v", "t2vv", 1), "[videos]", "[vidoes]", 1))
	d = w.fails(kit.ExitUsage, []string{"mistake"}, "models", "lint", bad, "-o", "json").object(t)
	require.Equal(t, false, d["ok"])
	errs, _ := d["errors"].([]any)
	require.NotEmpty(t, errs)
	for _, x := range errs {
		e, _ := x.(map[string]any)
		require.Equal(t, 6.0, e["line"])
		require.NotEmpty(t, e["message"])
	}
	w.in = "version: 1\nfamlies: []\n"
	require.Contains(t, w.fails(kit.ExitUsage, nil, "models", "lint", "-").out, "standard input:2:1:")
	w.in = "version: 1\n"
	require.Contains(t, w.ok("models", "lint", "-").out, "adds nothing")
	w.fails(kit.ExitNotFound, []string{"none.yaml"}, "models", "lint", w.dir+"/none.yaml")
	w.fails(kit.ExitUsage, []string{"folder"}, "models", "lint", w.dir)

	w.file("config/catalog.yaml", "version: 1\nfamlies: []\n")
	require.Contains(t, w.fails(kit.ExitUsage, nil, "models", "lint").out, "catalog.yaml:2:1:")
}

// TestOverlayIsUsedEverywhere: a model of the person's own file is in every command, and a
// mistake in it is told with its place.
func TestOverlayIsUsedEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/catalog.yaml", overlayFile)
	require.Contains(t, w.ok("models", "list").out, "famY-9")
	require.Contains(t, w.ok("models", "show", "famI-omni").out, "slow today")
	require.Contains(t, w.ok("__complete", "create", "video", "--model", "famY").out, "famY-9")
	r := w.ok("create", "video", "--model", "famY-9", "--prompt", "x", "--dry-run")
	require.Contains(t, r.out, "POST /v1/videos")
	require.Contains(t, r.out, "famY-9")
	require.Contains(t, w.ok("create", "video", "--model", "famY-9", "--mode", "t2v", "--prompt", "x", "--wait").out, "completed", "the embedded gateway has it too")

	w.file("config/catalog.yaml", strings.Replace(overlayFile, "t2v", "t2vv", 1))
	place := "catalog.yaml:6:39: "
	for _, args := range [][]string{
		{"models"}, {"models", "list"}, {"models", "show", "famI-omni"}, {"create", "video", "--prompt", "x", "--dry-run"}, {"inspect", "video_1"},
		{"sandbox", "--addr", "127.0.0.1:0"}, {"chat", "hi"}, {"chat", "--model", "m", "hi"}, {"request", "GET", "/x"}, {"demo"},
	} {
		w.fails(kit.ExitUsage, []string{place, `"t2vv"`}, args...)
	}
}
