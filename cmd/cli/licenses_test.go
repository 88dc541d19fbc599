package cli

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

func TestLicenses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/config.yaml", "them: light\n") // no settings are needed
	table := w.ok("licenses").out
	require.Regexp(t, `^MODULE +VERSION +LICENCE\n`, table)
	require.Regexp(t, `\ngithub\.com/spf13/cobra +v[0-9.]+ +Apache-2\.0\n`, table)
	require.Regexp(t, `\nstd +`+runtime.Version()+` +BSD-3-Clause\n`, table)
	require.NotContains(t, table, "Permission is hereby granted")

	one := w.ok("licenses", "github.com/spf13/cobra").out
	require.Contains(t, one, "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION")
	require.NotContains(t, one, "charmbracelet")
	all := w.ok("licenses", "--text").out
	require.Contains(t, all, one[:strings.Index(one, "\n")])
	require.Greater(t, strings.Count(all, "\n--- LICENSE"), 40)

	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(w.ok("licenses", "-o", "json").out), &list))
	require.Equal(t, strings.Count(table, "\n")-1, len(list))
	require.NotContains(t, list[0], "texts")
	require.NoError(t, json.Unmarshal([]byte(w.ok("licenses", "std", "-o", "json").out), &list))
	require.Len(t, list, 1)
	require.Contains(t, list[0], "texts")

	w.fails(kit.ExitNotFound, []string{`"cobra"`, "github.com/spf13/cobra"}, "licenses", "cobra")
	w.fails(kit.ExitNotFound, []string{`"xyzzy"`, "darkroom licenses"}, "licenses", "xyzzy")
}
