package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/cmd/library"
)

func TestImprove(t *testing.T) {
	t.Parallel()
	g := newFake(t, saying(false, "```\na crimson\x1b[2J kite ", "at dusk\n```"))
	w := newWorld(t).at(g.URL)
	w.fails(kit.ExitUsage, []string{"give --model"}, "improve", "a red kite at dawn")
	require.Zero(t, g.count())

	r := w.ok("improve", "--model", "m-1", "a red kite at dawn")
	assert.Equal(t, "a crimson␛[2J kite at dusk\n", r.out)
	assert.Contains(t, r.err, "a [-red-]{+crimson")
	assert.Contains(t, r.err, "at [-dawn-]{+dusk+}")
	require.Equal(t, 1, g.count(), "asked once")
	g.mu.Lock()
	assert.Contains(t, g.bodies[0], "generative video model")
	assert.Contains(t, g.bodies[0], "a red kite at dawn")
	g.mu.Unlock()

	_, err := library.OpenMarks(w.paths().Marks).Improve("m-remembered")
	require.NoError(t, err)
	d := w.ok("improve", "--kind", "image", "a red kite at dawn", "-o", "json").object(t)
	assert.Equal(t, "a crimson␛[2J kite at dusk", d["improved"])
	assert.Equal(t, "a red kite at dawn", d["prompt"])
	assert.Equal(t, "req-9", d["request_id"])
	parts, ok := d["parts"].([]any)
	require.True(t, ok)
	assert.Equal(t, map[string]any{"old": "a ", "new": "a "}, parts[0])
	g.mu.Lock()
	assert.Contains(t, g.bodies[1], `"model":"m-remembered"`)
	assert.Contains(t, g.bodies[1], "generative image model")
	g.mu.Unlock()
	w.fails(kit.ExitUsage, []string{"film"}, "improve", "--kind", "film", "x")
	w.fails(kit.ExitUsage, []string{"one argument"}, "improve", "a", "kite")
}

func TestAnAnswerOfImproveThatIsLostIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	g := newFake(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	w := newWorld(t).at(g.URL)
	r := w.run("improve", "--model", "m-1", "a red kite")
	assert.NotZero(t, r.code)
	assert.Empty(t, r.out)
	assert.Contains(t, r.err, "not sent again by itself")
	assert.Equal(t, 1, g.count())
}

func TestStars(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("models", "star", "famI-omni", "my-own")
	assert.Contains(t, r.out, "famI-omni  starred")
	assert.Contains(t, r.err, `"my-own" is not in the catalog`)
	w.ok("models", "star", "famI-omni")
	starred := func() []string {
		var out []string
		for _, x := range w.ok("models", "list", "-o", "json").array(t) {
			if m, _ := x.(map[string]any); m["starred"] == true {
				out = append(out, text(t, m, "id"))
			}
		}
		return out
	}
	assert.Equal(t, []string{"famI-omni"}, starred())
	assert.Contains(t, w.ok("models", "list").out, "★")
	info, err := os.Stat(w.paths().Marks)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	assert.Equal(t, []any{map[string]any{"id": "famI-omni", "starred": false}}, w.ok("models", "unstar", "famI-omni", "-o", "json").array(t))
	assert.Empty(t, starred())
	assert.NotContains(t, w.ok("models", "list").out, "★")
	w.fails(kit.ExitFailed, []string{"not the name of a model"}, "models", "star", "a\x1b[2J")

	require.NoError(t, os.WriteFile(w.paths().Marks, []byte("{"), 0o600))
	w.fails(kit.ExitFailed, []string{"cannot be read", filepath.Base(w.paths().Marks)}, "models", "star", "famL-2")
	r = w.ok("models", "list", "-o", "json")
	assert.Contains(t, r.err, "cannot be read", "the list is good all the same")
	b, err := os.ReadFile(w.paths().Marks)
	require.NoError(t, err)
	assert.Equal(t, "{", string(b), "nothing is written over it")
}

func TestOriginsOfTheList(t *testing.T) {
	t.Parallel()
	g := newFake(t, lists(`{"models":[{"name":"models/famI-omni"},{"name":"models/only-live"}]}`, `{}`, 404))
	w := newWorld(t).at(g.URL)
	require.NoError(t, os.MkdirAll(filepath.Dir(w.paths().Catalog), 0o700))
	require.NoError(t, os.WriteFile(w.paths().Catalog, []byte("version: 1\nfamilies:\n  - token: famL\n    models:\n      - {id: famL-2, note: mine}\n"), 0o600))
	origins := map[string]string{}
	for _, x := range w.ok("models", "list", "--live", "-o", "json").array(t) {
		m, _ := x.(map[string]any)
		origins[text(t, m, "id")] = text(t, m, "origin")
	}
	for id, want := range map[string]string{"famI-omni": "both", "only-live": "live", "famL-2": "overlay", "famA3": "catalog"} {
		assert.Equal(t, want, origins[id], id)
	}
}
