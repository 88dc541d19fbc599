package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

func TestThemes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.ok("themes", "list").out
	require.Equal(t, 7, strings.Count(all, "\n"))
	require.Equal(t, 2, strings.Count(all, "  light "))
	require.Contains(t, w.ok("themes", "lint").out, "there is no theme of your own in "+w.paths().Themes)
	require.Equal(t, "dusk: ok\n", w.ok("themes", "lint", "dusk").out)

	dusk := w.ok("themes", "show", "dusk").out
	own := w.file("config/themes/mine.yaml", strings.Replace(dusk, "name: dusk", "name: mine", 1))
	require.Equal(t, own+": ok\n", w.ok("themes", "lint", "mine").out)
	require.Regexp(t, `(?m)^mine +Dusk +dark +`+own+` +ok$`, w.ok("themes", "list").out)
	w.ok("config", "set", "theme", "mine")

	bad := w.file("config/themes/pale.yaml", strings.NewReplacer("name: dusk", "name: pale", `text: "#dfe2f3"`, `text: "#333955"`, "fill: true", "fil: true").Replace(dusk))
	r := w.run("themes", "lint")
	require.Equal(t, kit.ExitUsage, r.code)
	require.Contains(t, r.out, bad+`:5:1: unknown field "fil"; there are name, title,`)
	require.NotContains(t, r.out, "should be", "what cannot be read is not measured")
	require.Contains(t, r.out, own+": ok")
	r = w.run("config", "set", "theme", "pale")
	require.Equal(t, kit.ExitUsage, r.code)
	require.Contains(t, r.err, `theme "pale": [5:1]`)

	w.file("config/themes/pale.yaml", strings.NewReplacer("name: dusk", "name: pale", `text: "#dfe2f3"`, `text: "#333955"`).Replace(dusk))
	r = w.run("themes", "lint", bad, "-o", "json")
	require.Equal(t, kit.ExitUsage, r.code)
	var got []struct {
		OK     bool
		Errors []kit.LintError
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &got))
	require.Equal(t, kit.LintError{File: bad, Line: 11, Column: 9, Message: "text on background: contrast 1.5, should be 4.5"}, got[0].Errors[0])
	w.ok("config", "set", "theme", "pale") // it is only warned about
	require.Contains(t, w.ok("doctor").out, "there are mistakes in pale")

	w.in = dusk
	require.Equal(t, "standard input: ok\n", w.ok("themes", "lint", "-").out)
	require.Equal(t, kit.ExitNotFound, w.run("themes", "lint", "nope").code)
	require.Equal(t, kit.ExitNotFound, w.run("themes", "show", "nope").code)
	require.Equal(t, kit.ExitNotFound, w.run("themes", "lint", filepath.Join(w.dir, "nope.yaml")).code)

	w.file("config/config.yaml", "mouse: true\ntheme: nope\n")
	r = w.run("config", "validate")
	require.Contains(t, r.out, `:2:8: theme "nope": unknown; there are dark, light, high-contrast, safelight, dusk, paper, mine, pale`)
}
