package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

func TestConfigSetAndGet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("config", "set", "theme", "light")
	require.Contains(t, r.out, "theme is set in "+w.paths().Config+", line 1")
	require.Equal(t, "light\n", w.ok("config", "get", "theme").out)
	require.Equal(t, "true\n", w.ok("config", "get", "mouse").out, "a default")
	w.env["DARKROOM_THEME"] = "dark"
	r = w.ok("config", "set", "theme", "high-contrast")
	require.Contains(t, r.err, "DARKROOM_THEME is set, and overrides it")
	require.Equal(t, "dark\n", w.ok("config", "get", "theme").out)
	all := w.ok("config", "get").out
	require.Regexp(t, `(?m)^theme +dark +environment DARKROOM_THEME$`, all)
	require.Regexp(t, `(?m)^mouse +true +default$`, all)

	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"set", "mouse", "maybe"}, kit.ExitUsage, "mouse: give true or false"},
		{[]string{"set", "them", "x"}, kit.ExitNotFound, "near it: theme"},
		{[]string{"set", "profile", "nope"}, kit.ExitUsage, `there is no profile "nope"; there are sandbox`},
		{[]string{"set", "keys.nothing.like", "d"}, kit.ExitUsage, "nothing.like"},
		{[]string{"get", "them"}, kit.ExitNotFound, "near it: theme"},
		{[]string{"set", "theme"}, kit.ExitUsage, "accepts 2 arg(s)"},
	} {
		r := w.run(append([]string{"config"}, c.args...)...)
		require.Equal(t, c.code, r.code, "%v: %s", c.args, r.err)
		require.Contains(t, r.err, c.says)
	}
	b, err := os.ReadFile(w.paths().Config)
	require.NoError(t, err)
	require.Equal(t, "theme: high-contrast\n", string(b))
}

func TestConfigUnset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.file("config/config.yaml", "# mine\ntheme: light # why\nkeys:\n  queue.download: [x, d]\n  queue.drop: [f7]\n")
	require.Contains(t, w.ok("config", "unset", "theme").out, "theme is removed from "+path+"; the default is auto")
	require.Contains(t, w.ok("config", "unset", "theme").out, "theme is not set in")
	r := w.run("config", "unset", "keys.queue.drop")
	require.Equal(t, kit.ExitUsage, r.code, "its built-in key is another action's now")
	require.Contains(t, r.err, "nothing was written")
	w.env["DARKROOM_PREVIEW"] = "none"
	require.Contains(t, w.ok("config", "unset", "preview").err, "DARKROOM_PREVIEW is set, and overrides it")
	require.Equal(t, kit.ExitNotFound, w.run("config", "unset", "them").code)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(w.ok("config", "unset", "keys.queue.download", "-o", "json").out), &got))
	require.Equal(t, map[string]any{"key": "keys.queue.download", "file": path, "stood": true}, got)
	w.ok("config", "unset", "keys.queue.drop")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "# mine\n", string(b))
}

func TestConfigValidate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Equal(t, kit.ExitNotFound, w.run("config", "validate").code, "there is none")
	path := w.file("config/config.yaml", "theme: dark\nkeys:\n  queue.nothing: [d]\nprofile: nope\n")
	r := w.run("config", "validate")
	require.Equal(t, kit.ExitUsage, r.code)
	require.Contains(t, r.out, path+":3:18: keys: ")
	require.Contains(t, r.out, path+`:4:10: profile: there is no profile "nope"; there are sandbox`)
	require.Contains(t, r.err, "2 mistakes")
	other := w.file("new.yaml", "mouse: [1\n")
	r = w.run("config", "validate", other, "-o", "json")
	require.Equal(t, kit.ExitUsage, r.code)
	var got struct {
		OK     bool
		Errors []kit.LintError
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &got))
	require.False(t, got.OK)
	require.Equal(t, 1, got.Errors[0].Line)
	w.in = "theme: light\n"
	require.Contains(t, w.ok("config", "validate", "-").out, "ok")
	b, err := os.ReadFile("../../docs/config.example.yaml")
	require.NoError(t, err)
	w.in = string(b)
	w.ok("config", "validate", "-")
}

func TestConfigSchema(t *testing.T) {
	t.Parallel()
	var schema struct {
		Schema     string `json:"$schema"`
		Properties map[string]struct{ Properties map[string]any }
	}
	r := newWorld(t).ok("config", "schema")
	require.NoError(t, json.Unmarshal([]byte(r.out), &schema))
	require.Equal(t, "https://json-schema.org/draft/2020-12/schema", schema.Schema)
	require.Contains(t, schema.Properties["keys"].Properties, "queue.download", "the actions of the console")
}

func TestConfigEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.file("config/config.yaml", "theme: dark # mine\n")
	editor := func(script string) {
		w.env["EDITOR"] = w.file("editor", "#!/bin/sh\n"+script+"\n")
		require.NoError(t, os.Chmod(w.env["EDITOR"], 0o700)) // #nosec G302 -- it is run
	}
	kept := path + ".edited"
	content := func(path string) string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	editor("true")
	require.Equal(t, "nothing was changed\n", w.ok("config", "edit").out)
	editor(`echo 'mouse: false' >>"$1"`)
	require.Contains(t, w.ok("config", "edit").out, "is changed")
	require.Equal(t, "theme: dark # mine\nmouse: false\n", content(path))

	editor(`echo 'mose: false' >>"$1"`)
	r := w.run("config", "edit")
	require.Equal(t, kit.ExitUsage, r.code)
	require.Contains(t, r.err, "3:1: mose: there is no such setting; near it: mouse")
	require.Contains(t, r.err, "the former settings stay: 1 mistake")
	require.Contains(t, r.out, "what you wrote is kept in "+kept)
	require.Equal(t, "theme: dark # mine\nmouse: false\n", content(path))
	require.Equal(t, "theme: dark # mine\nmouse: false\nmose: false\n", content(kept))

	editor(`echo 'theme: light' >` + path + `; echo 'notify: off' >>"$1"`)
	r = w.run("config", "edit")
	require.Equal(t, kit.ExitFailed, r.code)
	require.Contains(t, r.err, "changed by another program meanwhile")
	require.Equal(t, "theme: light\n", content(path))

	editor("exit 3")
	require.Contains(t, w.run("config", "edit").err, "nothing was changed: exit status 3")
	w.env["EDITOR"] = filepath.Join(w.dir, "no-such-editor")
	require.Equal(t, kit.ExitUsage, w.run("config", "edit").code)

	none := newWorld(t)
	none.env["EDITOR"] = w.file("editor", "#!/bin/sh\necho 'theme: light' >>\"$1\"\n")
	require.NoError(t, os.Chmod(none.env["EDITOR"], 0o700)) // #nosec G302 -- it is run
	none.ok("config", "edit")
	require.Equal(t, "light\n", none.ok("config", "get", "theme").out, "a file that was not there")
}
