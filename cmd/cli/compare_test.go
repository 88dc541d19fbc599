package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

const kitesSuite = `name: kites
kind: image
prompts: [a red kite]
models: [famL, famM-4-0-250828]
repeats: 2
concurrency: 8
seed: none
expect:
  - status is completed
`

func TestASuiteIsPlannedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.file("kites.yaml", strings.Replace(kitesSuite, "[a red kite]", "[a red kite, {id: city, text: a tram}]", 1)+"warmups: 1\naxes: {size: \"1024x1024,\"}\nformats: all\n")
	r := w.ok("compare", "run", file, "--dry-run", "--seed", "7")
	golden(t, "compare-dry-run.txt", r.out)
	require.Empty(t, r.err)
	v := w.ok("compare", "run", file, "--dry-run", "--seed", "7", "-o", "json").object(t)
	forecast, _ := v["forecast"].(map[string]any)
	order, _ := v["order"].([]any)
	require.Len(t, order, int(forecast["trials"].(float64)+forecast["warmups"].(float64)))
	require.Contains(t, order[0], ".w1", "warm-ups first")
	again := w.ok("compare", "run", file, "--dry-run", "--seed", "7", "-o", "json").object(t)
	require.Equal(t, v["order"], again["order"])
	require.NotEqual(t, v["order"], w.ok("compare", "run", file, "--dry-run", "--seed", "8", "-o", "json").object(t)["order"])
	require.NoFileExists(t, w.paths().History, "nothing was sent")
	require.Contains(t, w.run("compare", "list").err, "no runs yet")
}

func TestMistakesInASuite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for text, says := range map[string]string{
		kitesSuite + "colour: red\n":                                        "kites.yaml:10:1: unknown key \"colour\"; allowed: name, about,",
		kitesSuite + "values: {sizes: 1}\n":                                 "kites.yaml:10:10: sizes is not a field of image; there are size",
		kitesSuite + "limit: 2\n":                                           "4 trials, warm-ups included; the suite allows 2, see its limit; --limit raises it",
		strings.Replace(kitesSuite, "[famL, famM-4-0-250828]", "[famZ]", 1): "none of the cells can run",
		kitesSuite + "values: {image: kite.png}\n":                          "kites.yaml:10:10: there is no file ",
	} {
		w.fails(kit.ExitUsage, []string{says}, "compare", "run", w.file("kites.yaml", text))
	}
	w.fails(kit.ExitNotFound, []string{"none.yaml"}, "compare", "run", "none.yaml")
	w.fails(kit.ExitUsage, []string{"--repeats 51"}, "compare", "run", w.file("kites.yaml", kitesSuite), "--repeats", "51")
	w.fails(kit.ExitUsage, []string{"--by \"colour\""}, "compare", "run", w.file("kites.yaml", kitesSuite), "--by", "colour")
	w.fails(kit.ExitNotFound, []string{"there is no run yet"}, "compare", "show", "last")
	require.NoFileExists(t, w.paths().History)
}

func TestASuiteIsRunFromPlanToReport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.file("kites.yaml", kitesSuite)
	r := w.ok("compare", "run", file, "--seed", "7", "--junit", filepath.Join(w.dir, "kites.xml"))
	require.Contains(t, r.err, "4 trials of 2 cells")
	require.Contains(t, r.err, "seed 7")
	require.Contains(t, r.err, "(4 of 4 over)")
	require.Contains(t, r.out, "4 of 4 trials completed")
	require.Contains(t, r.out, "famM-4-0-250828  2  2 of 2")
	xml, err := os.ReadFile(filepath.Join(w.dir, "kites.xml"))
	require.NoError(t, err)
	require.Contains(t, string(xml), `failures="0"`)

	list := w.ok("compare", "list", "-o", "json").array(t)
	require.Len(t, list, 1)
	id := text(t, list[0].(map[string]any), "id")
	shown := w.ok("compare", "show", id[len(id)-8:], "-o", "json").object(t)
	require.Equal(t, id, shown["id"])
	require.Len(t, shown["trials"], 4)
	require.Equal(t, kitesSuite, shown["suite"], "byte for byte")
	require.Contains(t, w.ok("compare", "show", "last", "--cells").out, "completed")
	w.fails(kit.ExitUsage, []string{"nothing is left to be sent"}, "compare", "resume", "last")
	w.fails(kit.ExitNotFound, []string{"no run has the id"}, "compare", "show", "ffffffff")

	at := func(name string) string { return filepath.Join(w.dir, name) }
	r = w.ok("compare", "report", "last", "--html", at("k.html"), "--csv", at("k.csv"), "--json", at("k.json"), "--md", at("k.md"), "--junit", at("k.xml"))
	require.Contains(t, r.err, "wrote "+at("k.html"))
	for _, name := range []string{"k.html", "k.csv", "k.json", "k.md", "k.xml"} {
		info, err := os.Stat(at(name))
		require.NoError(t, err)
		require.NotZero(t, info.Size(), name)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	require.Contains(t, w.ok("compare", "report", "last").out, "kites")
	require.True(t, json.Valid([]byte(w.ok("compare", "report", "last", "-o", "json").out)))

	w.fails(kit.ExitNotFound, []string{"kites.baseline.json"}, "compare", "diff", "last")
	require.Contains(t, w.ok("compare", "bless", "last").out, "kites.baseline.json is the baseline")
	w.fails(kit.ExitUsage, []string{"--replace"}, "compare", "bless", "last")
	require.FileExists(t, at("kites.baseline.json"), "beside the suite")
	w.ok("compare", "bless", "last", "--replace", "--remark", "again")
	require.Contains(t, w.ok("compare", "diff", "last").out, "2 cells against the baseline")
	require.Contains(t, w.ok("compare", "report", "last", "--baseline", at("kites.baseline.json")).out, "baseline")
	require.Contains(t, w.ok("compare", "diff", "last", "last").out, "2 cells")

	require.Contains(t, w.ok("compare", "votes", "last").err, "nobody has voted yet")
	w.fails(kit.ExitUsage, []string{"--judge"}, "compare", "vote", "last", "--judge", "a/b", "--no-browser")
	w.ok("compare", "rm", "last")
	require.Contains(t, w.run("compare", "list").err, "no runs yet")
}

func TestExpectationsThatAreNotMetHaveTheirExitCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.file("kites.yaml", strings.Replace(kitesSuite, "  - status is completed\n", "  - width is 7\n  - success >= 2/2\n", 1))
	r := w.fails(kit.ExitChecks, []string{"4 expectations are not met"}, "compare", "run", file, "--junit", "-")
	require.Contains(t, r.out, "<testsuites")
	require.Contains(t, r.out, `failures="4"`)
	r = w.ok("compare", "show", "last")
	require.Contains(t, r.out, "not met:\n")
	require.Contains(t, r.out, "famL: width is 7: ")
	require.Contains(t, r.out, "(2 trials, as ", "what is the same of a group is one line")

	// One cell got worse: the baseline says that its expectation was met.
	w.ok("compare", "bless", "last")
	path := filepath.Join(w.dir, "kites.baseline.json")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	better := bytes.Replace(b, []byte(`"verdict": "fail"`), []byte(`"verdict": "pass"`), 1)
	require.NotEqual(t, b, better)
	require.NoError(t, os.WriteFile(path, better, 0o600))
	r = w.fails(kit.ExitChecks, []string{"1 regression since the baseline"}, "compare", "diff", "last")
	require.Contains(t, r.out, "worse: ")
	require.Equal(t, 1, strings.Count(r.out, "may be chance"), r.out)
	w.ok("compare", "diff", "last", "--shown")
}

func TestWhatASuiteOfSomebodyElseMayNotDoUnasked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 300, 300))))
	w.file("private.png", picture.String())
	file := w.file("theirs/kites.yaml", "name: k\nkind: image\nprompts: [a]\nmodels: [famL]\nvalues: {images: [../private.png]}\nscore: {command: [touch, started]}\n")
	w.fails(kit.ExitUsage, []string{"sends files from outside its folder: " + filepath.Join(w.dir, "private.png"), "--attach-files"}, "compare", "run", file)
	require.NoFileExists(t, w.paths().History)
	w.ok("compare", "run", file, "--dry-run")
	r := w.run("compare", "run", file, "--attach-files")
	require.Contains(t, r.err, "the suite starts touch started to score results: --allow-scorer says that it may; it is not started")
	require.NoFileExists(t, filepath.Join(w.dir, "theirs", "started"))
	r = w.run("compare", "run", file, "--attach-files", "--allow-scorer")
	require.FileExists(t, filepath.Join(w.dir, "theirs", "started"), r.err)

	large := w.file("large.yaml", "name: k\nkind: image\nprompts: ['{a|b|c|d|e|f|g|h|i|j|k} {1|2}']\nmodels: [famL]\nrepeats: 50\nlimit: 50000\n")
	w.fails(kit.ExitUsage, []string{"1100 trials, and there is no terminal to ask on: --yes says that so many are meant"}, "compare", "run", large)
}

// ending ends a command as ctrl+c does, once it has written a text.
type ending struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	text string
	end  func()
}

func (e *ending) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n, err := e.buf.Write(b)
	if strings.Contains(e.buf.String(), e.text) {
		e.end()
	}
	return n, err
}

func TestARunThatIsInterruptedGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.file("kites.yaml", strings.Replace(kitesSuite, "concurrency: 8", "concurrency: 1", 1))
	ctx, cancel := context.WithCancelCause(t.Context())
	errOut := &ending{text: "(1 of 4 over", end: func() { cancel(kit.Interrupted(2)) }}
	var out bytes.Buffer
	code := run(ctx, w.stdio(&out, errOut), []string{"compare", "run", file})
	require.Equal(t, kit.ExitCancelled, code, errOut.buf.String())
	require.Contains(t, errOut.buf.String(), "darkroom compare resume ")
	require.Contains(t, w.ok("compare", "list").out, "open")
	shown := w.ok("compare", "show", "last")
	require.Contains(t, shown.out, "`darkroom compare resume ")

	r := w.ok("compare", "resume", "last")
	require.Contains(t, r.err, "goes on: ")
	require.Contains(t, r.out, "4 of 4 trials completed")
	jobs := w.ok("jobs", "list", "--limit", "100", "-o", "json").array(t)
	require.Len(t, jobs, 4, "nothing was sent twice")
	assert.Contains(t, w.ok("compare", "list").out, "ended")
	w.ok("compare", "bless", "last")
	ctx, cancel = context.WithCancelCause(t.Context())
	errOut = &ending{text: "(1 of 4 over", end: func() { cancel(kit.Interrupted(2)) }}
	require.Equal(t, kit.ExitCancelled, run(ctx, w.stdio(&out, errOut), []string{"compare", "run", file}))
	w.fails(kit.ExitFailed, []string{"only ", "of 4 trials of the run are over", "darkroom compare resume "}, "compare", "diff", "last")
}

// TestAPausedRunDoesNotWaitForEver: nobody may be there to resume it.
func TestAPausedRunDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.file("kites.yaml", kitesSuite+"  - \"famX*: latency < 1s\"\n  - p95 latency < 30s\n")
	w.ok("jobs", "pause", "--all")
	w.fails(kit.ExitPaused, []string{"everything is paused: `darkroom jobs resume --all`", "then `darkroom compare resume "}, "compare", "run", file)
	w.fails(kit.ExitPaused, []string{"everything is paused"}, "compare", "resume", "last")
	require.Contains(t, w.ok("compare", "list").out, "open")
	w.run("jobs", "resume", "--all")
	r := w.ok("compare", "resume", "last")
	assert.Contains(t, r.out, "4 of 4 trials completed")
	assert.Contains(t, r.out, "left open:\n  p95 latency < 30s: 2 of the 20 that a p95 needs (2 of 2)\n")
	assert.Contains(t, r.out, "PASS^2")
	require.Len(t, w.ok("jobs", "list", "--limit", "100", "-o", "json").array(t), 4, "nothing was sent twice")
	r = w.ok("compare", "run", file, "--dry-run")
	assert.Contains(t, r.out, "famX*: latency < 1s: this expectation concerns no model of the suite")
	assert.Contains(t, r.out, "p95 latency < 30s: a p95 needs 20 trials, and here are 2 trials")
}
