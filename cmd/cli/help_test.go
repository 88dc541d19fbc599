package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

func TestHelp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, args := range map[string][]string{
		"root": {"--help"}, "create": {"create", "--help"}, "jobs": {"help", "jobs"},
		"jobs-list": {"jobs", "list", "--help"}, "inspect": {"inspect", "--help"}, "auth": {"auth"}, "auth-login": {"auth", "login", "--help"},
		"sandbox": {"help", "sandbox"}, "chat": {"chat", "--help"}, "improve": {"improve", "--help"}, "models-star": {"models", "star", "--help"}, "request": {"request", "--help"}, "models": {"models", "--help"},
		"models-list": {"models", "list", "--help"}, "models-show": {"models", "show", "--help"}, "models-lint": {"models", "lint", "--help"}, "exit-codes": {"exit-codes"}, "licenses": {"licenses", "--help"},
		"poll": {"poll", "--help"}, "history-move": {"history", "move", "--help"},
		"history": {"history"}, "history-export": {"history", "export", "--help"}, "history-import": {"history", "import", "--help"},
		"gateway": {"gateway"}, "gateway-probe": {"gateway", "probe", "--help"}, "gateway-dialects": {"gateway", "dialects", "--help"},
		"gateway-dialects-lint": {"gateway", "dialects", "lint", "--help"}, "config": {"config", "--help"}, "doctor": {"doctor", "--help"}, "themes": {"themes", "--help"}, "themes-lint": {"themes", "lint", "--help"}, "config-set": {"config", "set", "--help"}, "config-edit": {"config", "edit", "--help"}, "config-validate": {"config", "validate", "--help"}, "config-schema": {"config", "schema", "--help"},
		"presets": {"presets", "--help"}, "presets-save": {"presets", "save", "--help"},
		"compare": {"compare"}, "compare-run": {"compare", "run", "--help"}, "compare-report": {"compare", "report", "--help"}, "compare-diff": {"compare", "diff", "--help"},
		"history-doctor": {"history", "doctor", "--help"}, "jobs-prune": {"jobs", "prune", "--help"},
	} {
		r := w.ok(args...)
		require.Empty(t, r.err)
		golden(t, "help-"+name+".txt", r.out)
	}
	r := w.ok("create", "music", "--help") // not golden: the flags are the catalog's
	for _, s := range []string{"--sample-rate", "--lyrics", "--prompt", "--download", "[Hz]"} {
		require.Contains(t, r.out, s)
	}
	require.NotContains(t, r.out, "customLyrics", "aliases are not listed")
}

// TestEveryCommandIsExplained walks the whole tree.
func TestEveryCommandIsExplained(t *testing.T) {
	t.Parallel()
	root := newRoot(kit.New(newWorld(t).stdio(nil, nil), version), []string{"help", "create"})
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Name() == "completion" || c.Name() == "help" { // cobra's own
			return
		}
		path := c.CommandPath()
		require.NotEmpty(t, c.Short, path)
		require.NotEmpty(t, c.Long, path)
		require.NotEmpty(t, c.Example, path)
		require.Contains(t, c.Example, "darkroom", path)
		require.False(t, strings.HasSuffix(c.Short, "."), path)
		for _, x := range c.Commands() {
			walk(x)
		}
	}
	walk(root)
}

// TestOnlyWhatIsNeededIsMade: a command line has the noun that it is about, and the names by which nouns
// are found are those of their commands.
func TestOnlyWhatIsNeededIsMade(t *testing.T) {
	t.Parallel()
	made := func(args ...string) (names []string) {
		for _, c := range newRoot(kit.New(newWorld(t).stdio(nil, nil), version), args).Commands() {
			if c.Name() != "completion" && c.Name() != "help" {
				names = append(names, c.Name())
			}
		}
		return names
	}
	require.Empty(t, made())
	require.Empty(t, made("--version"))
	all := nouns(nil)
	require.Len(t, made("--help"), len(all))
	require.Len(t, made("--profile", "sandbox", "jobs"), len(all))
	require.Len(t, made("job"), len(all), "a mistake is told with what was meant")
	for _, n := range all {
		require.Equal(t, []string{n.name}, made(n.name))
	}
}

// TestFlagsNameTheirValues walks the whole tree: what is between backquotes in the words on a flag stands as
// the name of its value, which is one word.
func TestFlagsNameTheirValues(t *testing.T) {
	t.Parallel()
	root := newRoot(kit.New(newWorld(t).stdio(nil, nil), version), []string{"help", "create"})
	seen := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			seen++
			name, usage := pflag.UnquoteUsage(f)
			require.NotContains(t, name, " ", "%s --%s", c.CommandPath(), f.Name)
			require.NotContains(t, usage, "`", "%s --%s", c.CommandPath(), f.Name)
			if strings.Contains(f.Usage, "`") {
				require.NotEqual(t, "bool", f.Value.Type(), "%s --%s takes no value", c.CommandPath(), f.Name)
			}
		})
		for _, x := range c.Commands() {
			walk(x)
		}
	}
	walk(root)
	require.Greater(t, seen, 100)
}

// TestCatalogIsReadOnlyWhenNeeded: the flags of create cost more than all the rest.
func TestCatalogIsReadOnlyWhenNeeded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/catalog.yaml", "version: [")
	for _, args := range [][]string{{"version"}, {"--help"}, {"jobs", "list"}, {"config", "path"}, {"create", "video", "--help"}} {
		w.ok(args...)
	}
	for _, args := range [][]string{{"models"}, {"create", "video", "--prompt", "x"}, {"create", "video", "--duration", "4"}, {"inspect", "video_1"}} {
		w.fails(kit.ExitUsage, []string{"catalog.yaml"}, args...)
	}
}

func TestWrongWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		args []string
		says []string
	}{
		{nil, []string{"needs a terminal", "darkroom demo"}},
		{[]string{"creat"}, []string{`"darkroom creat"`, "create"}},
		{[]string{"xyzzy"}, []string{`"darkroom xyzzy"`, "darkroom --help"}},
		{[]string{"jobs", "lsit"}, []string{`"darkroom jobs lsit"`, "list"}},
		{[]string{"auth", "xyzzy"}, []string{"darkroom auth --help"}},
		{[]string{"jobs", "show"}, []string{"darkroom jobs show", "1 arg", "JOB"}},
		{[]string{"inspect"}, []string{"darkroom inspect", "ID..."}},
		{[]string{"version", "x"}, []string{"darkroom version", "x"}},
		{[]string{"create", "video", "--durration", "4"}, []string{"--durration", "--duration"}},
		{[]string{"create", "video", "--xyzzy"}, []string{"--xyzzy", "darkroom create video --help"}},
		{[]string{"create", "video", "--count", "some"}, []string{"--count", "some"}},
		{[]string{"create", "video", "--count", "2001"}, []string{"--count 2001", "1 to 2000"}},
		{[]string{"jobs", "list", "-o", "xml"}, []string{`"xml"`, "table, json, ndjson, yaml"}},
		{[]string{"jobs", "list", "--state", "runing"}, []string{`"runing"`, "running"}},
		{[]string{"jobs", "list", "--kind", "text"}, []string{`"text"`, "video, image, music, speech, chat"}},
		{[]string{"jobs", "list", "--limit", "-1"}, []string{"-1", "0 for all"}},
		{[]string{"models", "--kind", "text"}, []string{`"text"`, "video, image, music"}},
		{[]string{"inspect", "x", "--format", "vidoes"}, []string{`"vidoes"`, "videos"}},
		{[]string{"sandbox", "--addr", "8400"}, []string{`"8400"`, "host:port"}},
		{[]string{"sandbox", "--addr", ":8400"}, []string{`":8400"`, "--allow-remote"}},
		{[]string{"sandbox", "--timing", "slow"}, []string{`"slow"`, "instant"}},
		{[]string{"--profile", "wrok", "jobs", "list"}, []string{`"wrok"`, "--profile", "sandbox"}},
		{[]string{"auth", "login"}, []string{"--base-url"}},
		{[]string{"auth", "logout"}, []string{"embedded"}},
	} {
		r := w.fails(kit.ExitUsage, c.says, c.args...)
		require.Empty(t, r.out, "%v", c.args)
		require.True(t, strings.HasPrefix(r.err, "darkroom: "), "%v: %s", c.args, r.err)
	}
	w.fails(kit.ExitNotFound, []string{"famI-omi", "famI-omni"}, "models", "famI-omi")
}

func TestBrokenSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/config.yaml", "theme: dark\nthem: light\n")
	w.fails(kit.ExitUsage, []string{"config.yaml", "[2:1]", "them"}, "jobs", "list")
	require.Contains(t, w.ok("config", "path").out, "config.yaml", "where to look works all the same")
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	complete := func(args ...string) []string {
		r := w.ok(append([]string{"__complete"}, args...)...)
		return strings.Split(strings.TrimSpace(r.out), "\n")
	}
	require.Contains(t, complete("models", ""), "famI-omni")
	require.Contains(t, complete("create", "image", "--model", "famL"), "famL-2")
	require.NotContains(t, complete("create", "image", "--model", ""), "famI-omni")
	require.Contains(t, complete("create", "video", "--model", "famI-omni", "--mode", ""), "t2v")
	require.Contains(t, complete("create", "video", "--mode", ""), "t2v", "of the default model")
	require.Contains(t, complete("create", "video", "--generate-audio="), "true")
	require.Contains(t, complete("create", "image", "--format", ""), "images\tPOST /v1/images/generations")
	require.Contains(t, strings.Join(complete("create", "video", "--dur"), "\n"), "--duration")
	require.Contains(t, complete("jobs", "list", "--state", ""), "ambiguous")
	require.Contains(t, complete("jobs", "list", "-o", ""), "ndjson")
	require.Contains(t, complete("sandbox", "--timing", ""), "instant")
	require.Contains(t, complete("--profile", ""), "sandbox")
	require.Equal(t, []string{":4"}, complete("jobs", "show", ""), "without a history there is nothing to offer")
	require.NoFileExists(t, w.paths().History, "and none is made")

	id := text(t, w.ok("create", "image", "--prompt", "a gate", "-o", "json").object(t), "id")
	got := complete("jobs", "show", "")
	require.Contains(t, got[0], jobs.ShortID(id)+"\t")
	require.Contains(t, got[0], "a gate")
	require.NotContains(t, strings.Join(complete("jobs", "drop", ""), "\n"), jobs.ShortID(id), "it has ended")
	w.fails(kit.ExitUsage, []string{`completion "bogus"`, "bash, fish, powershell, zsh"}, "completion", "bogus")
	require.Contains(t, w.ok("completion").out, "powershell", "alone it explains itself")
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		require.NotEmpty(t, w.ok("completion", shell).out)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, args := range [][]string{{"version"}, {"--version"}} {
		require.Equal(t, "darkroom "+version+"\n", w.ok(args...).out)
		require.JSONEq(t, `{"version":"`+version+`"}`, w.ok(append(args, "-o", "json")...).out)
	}
	require.Equal(t, kit.ExitUsage, w.run("--version", "-o", "xml").code)
}
