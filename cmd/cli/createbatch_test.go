package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

// prompts are those of a batch that is only shown.
func (w *world) prompts(args ...string) []string {
	w.t.Helper()
	r := w.ok(append(append([]string{"create"}, args...), "--dry-run", "-o", "ndjson")...)
	var out []string
	for line := range strings.Lines(r.out) {
		var j struct{ Draft client.Draft }
		require.NoError(w.t, json.Unmarshal([]byte(line), &j), line)
		out = append(out, j.Draft.Prompt)
	}
	return out
}

func TestExpandShowsItsJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/wildcards/colour.txt", "red\nblue\n")
	w.file(".darkroom/wildcards/where.txt", "at sea\n")
	r := w.ok("create", "video", "--expand", "a __colour__ kite __where__ ${when}", "--var", "when={at dawn|at dusk}", "--model", "famI-omni", "--mode", "t2v", "--dry-run")
	require.Equal(t, `4 jobs in one group, limit 200
N  MODEL      PROMPT
1  famI-omni  a red kite at sea at dawn
2  famI-omni  a red kite at sea at dusk
3  famI-omni  a blue kite at sea at dawn
4  famI-omni  a blue kite at sea at dusk
`, r.out)
	require.Equal(t, []string{"{a|b} ${c}"}, w.prompts("image", "{a|b} ${c}", "--count", "1", "--seed-mode", "fixed"), "no template unless asked for")

	args := []string{"video", "--expand=random", "--count", "3", "--seed-mode", "random", "--expand-seed", "7", "a {red|blue|green} {kite|drone}"}
	first := w.ok(append(append([]string{"create"}, args...), "--dry-run", "-o", "json")...)
	require.Equal(t, first.out, w.ok(append(append([]string{"create"}, args...), "--dry-run", "-o", "json")...).out, "the same seed, the same batch")
	v := first.object(t)
	require.EqualValues(t, 3, v["jobs"])
	require.EqualValues(t, 7, v["expand_seed"])
	require.EqualValues(t, 200, v["limit"])
	batch, _ := v["batch"].([]any)
	require.Len(t, batch, 3)

	require.Contains(t, w.ok("create", "video", "--expand", "{a|b} {c", "--dry-run").err, "prompt:1:7: a brace that nothing closes is text")

	// Without a seed one is drawn, and told.
	again := w.ok("create", "video", "--expand=random", "--count", "2", "{a|b|c|d|e|f|g}", "--dry-run").out
	_, seed, ok := strings.Cut(strings.SplitN(again, "\n", 2)[0], "--expand-seed ")
	require.True(t, ok, again)
	seed, _, _ = strings.Cut(seed, " ")
	require.Equal(t, again, w.ok("create", "video", "--expand=random", "--count", "2", "{a|b|c|d|e|f|g}", "--dry-run", "--expand-seed", seed).out)
	require.NoFileExists(t, w.paths().History, "nothing was journalled")
}

func TestBatchIsOneGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("create", "image", "--model", "famL-2", "--expand", "a {red|blue} gate", "-o", "ndjson")
	groups := map[string]bool{}
	var prompts []string
	for line := range strings.Lines(r.out) {
		var j map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &j))
		require.Equal(t, "completed", j["state"])
		groups[text(t, j, "group")] = true
		d, _ := j["draft"].(map[string]any)
		prompts = append(prompts, text(t, d, "prompt"))
	}
	require.Equal(t, []string{"a red gate", "a blue gate"}, prompts)
	require.Len(t, groups, 1)
	for id := range groups {
		require.Contains(t, r.err, "--group "+id)
		require.Len(t, w.ok("jobs", "list", "--group", id, "-o", "json").array(t), 2)
	}
	require.Empty(t, w.ok("jobs", "list", "--group", "other", "-o", "json").array(t))
	require.Len(t, w.ok("create", "image", "one", "--expand", "-o", "json").array(t), 1, "a batch of one is a list all the same")
	require.Contains(t, w.ok("create", "image", "two", "--count", "2").err, "ask for the very same thing")
}

func TestSeedsOfABatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seeds := func(args ...string) (out []string, told string) {
		r := w.ok(append(append([]string{"create"}, args...), "--dry-run", "-o", "ndjson")...)
		for line := range strings.Lines(r.out) {
			var j struct{ Draft client.Draft }
			require.NoError(t, json.Unmarshal([]byte(line), &j))
			s, _ := j.Draft.Values.Text("seed")
			out = append(out, s)
		}
		return out, r.err
	}
	got, told := seeds("video", "x", "--count", "3", "--seed-mode", "count", "--seed", "42")
	require.Equal(t, []string{"42", "43", "44"}, got)
	require.NotContains(t, told, "apart")
	got, told = seeds("video", "x", "--count", "3", "--seed-mode", "fixed", "--seed", "42")
	require.Equal(t, []string{"42", "42", "42"}, got)
	require.Contains(t, told, "ask for the very same thing")
	got, _ = seeds("video", "x", "--count", "3", "--seed-mode", "random")
	require.Len(t, slices.Compact(got), 3)
	for _, args := range [][]string{
		{"image", "x", "--count", "2", "--seed-mode", "random"},                                              // no field of images
		{"video", "x", "--count", "2", "--seed-mode", "random", "--model", "famG-h3", "--format", "content"}, // dropped by the codec
	} {
		got, told = seeds(args...)
		require.Equal(t, []string{"", ""}, got, "%v", args)
		require.Contains(t, told, "takes no seed in this format; its copies ask for the very same thing", "%v", args)
		require.Equal(t, 1, strings.Count(told, "the very same thing"), told)
	}
}

func TestBatchOfATable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	png := w.file("img/kite.png", "\x89PNG\r\n\x1a\n")
	w.in = "\ufeffPrompt;Sekunden;image_url;City\n\"a \"\"red\"\" kite; ${city}\";4;" + png + ";Paris\nb {1|2};;https://x.example/b.png;\n"
	r := w.ok("create", "video", "--batch", "-", "--map", "Sekunden=duration", "--map", "City=$city", "--expand", "--mode", "i2v", "--model", "famA3", "--dry-run", "-o", "json")
	v := r.object(t)
	require.EqualValues(t, 3, v["jobs"])
	all, _ := v["batch"].([]any)
	first, _ := all[0].(map[string]any)
	require.EqualValues(t, 2, first["line"])
	d, _ := first["draft"].(map[string]any)
	require.Equal(t, `a "red" kite; Paris`, d["prompt"])
	values, _ := d["values"].(map[string]any)
	require.EqualValues(t, 4, values["duration"])
	require.Equal(t, "file://"+filepath.ToSlash(png), values["image"])

	lines := w.file("prompts.txt", "a kite\n\na drone\n")
	require.Equal(t, []string{"a kite", "a drone"}, w.prompts("image", "--batch", lines))
	require.Equal(t, []string{"a kite", "a kite", "a drone", "a drone"}, w.prompts("image", "--batch", lines, "--count", "2"))
	table := w.file("shots.csv", "model,prompt,size\nfamL-2,x,1024x1024\nfamM-4-0-250828,y,\n")
	require.Equal(t, []string{"x", "y"}, w.prompts("image", "--batch", table))
	w.in = "x {a|b}\n"
	require.Equal(t, []string{"x a", "x b"}, w.prompts("image", "--batch", "-", "--lines", "--expand"))
}

// TestBatchesThatAreRefused: nothing is sent while anything is wrong with any of the jobs.
func TestBatchesThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bad := w.file("bad.csv", "prompt,size\nok,1024x1024\nx,7x7\ny,8x8\n")
	cells := w.file("cells.csv", "prompt,seconds,colour\na,soon,red\n")
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"video", "--expand", "a {b|c"}, []string{"prompt:1:3", "not closed"}},
		{[]string{"video", "--expand", "${x}"}, []string{"${x} has no value"}},
		{[]string{"video", "--expand", "__nope__"}, []string{"no wildcard file nope.txt"}},
		{[]string{"video", "--expand", strings.Repeat("{a|b}", 8)}, []string{"256 jobs", "at most 200", "up to 2000", "--max-jobs"}},
		{[]string{"video", "--expand", strings.Repeat("{a|b}", 200)}, []string{"some 1.6 x 10^60 jobs"}},
		{[]string{"video", "--count", "3", "--max-jobs", "2", "x"}, []string{"3 jobs", "at most 2"}},
		{[]string{"video", "--max-jobs", "2001", "x"}, []string{"--max-jobs 2001", "1 to 2000"}},
		{[]string{"video", "--expand=most", "x"}, []string{`--expand "most"`, "all, random, off"}},
		{[]string{"video", "--expand", "random"}, []string{"--expand=random is meant"}},
		{[]string{"video", "--seed-mode", "any", "x"}, []string{"fixed, random, count"}},
		{[]string{"video", "--var", "x", "--expand", "y"}, []string{`--var "x"`, "NAME=VALUE"}},
		{[]string{"video", "--var", "1=x", "--expand", "y"}, []string{"--var", "a letter first"}},
		{[]string{"video", "--map", "a=b", "x"}, []string{"--batch, which is missing"}},
		{[]string{"video", "--batch", cells}, []string{"cells.csv:1", `"colour"`, "--map", "allowed: prompt"}},
		{[]string{"video", "--batch", cells, "--map", "colour=-"}, []string{"cells.csv:2: column seconds", "soon"}},
		{[]string{"video", "--batch", cells, "--map", "colour"}, []string{"COLUMN=FIELD"}},
		{[]string{"video", "--batch", cells, "--separator", "x"}, []string{"--separator"}},
		{[]string{"image", "--batch", bad}, []string{"nothing was sent", "job 2 (line 3)", "7x7", "job 3 (line 4)", "8x8"}},
		{[]string{"image", "--batch", "-", "-"}, []string{"standard input is asked for twice"}},
		{[]string{"image", "--count", "2", "x", "-o", "curl", "--dry-run"}, []string{"-o curl prints one request"}},
		{[]string{"video", "--count", "2"}, []string{"all 2 jobs: prompt"}},
	} {
		r := w.fails(kit.ExitUsage, c.says, append([]string{"create"}, c.args...)...)
		require.Empty(t, r.out, "%v", c.args)
	}
	require.NoFileExists(t, w.paths().History)

	// What is too much is shown by its beginning, and is an error all the same.
	r := w.fails(kit.ExitUsage, []string{"256 jobs"}, "create", "video", "--expand", strings.Repeat("{a|b}", 8), "--dry-run")
	require.Contains(t, r.out, "256 jobs in one group, limit 200")
	require.Equal(t, 2+10, strings.Count(r.out, "\n"))
}

func TestPresets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Contains(t, w.ok("presets").err, "no presets in")
	path := strings.TrimSpace(w.ok("create", "video", "a {red|blue} kite ${where:}", "--expand", "--model", "famI-omni", "--mode", "t2v", "--duration", "6", "--var", "where=at sea", "--save-preset", "kites").out)
	require.Equal(t, filepath.Join(w.dir, "config", "presets", "kites.yaml"), path)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, `modality: "video"
model: "famI-omni"
mode: "t2v"
prompt: "a {red|blue} kite ${where:}"
expand: "all"
variables:
  where: "at sea"
values:
  duration: 6
`, string(b))
	require.Equal(t, string(b), w.ok("presets", "show", "kites").out)
	require.Equal(t, []string{"a red kite at sea", "a blue kite at sea"}, w.prompts("video", "--preset", "kites"))
	require.Equal(t, []string{"a red kite on land", "a blue kite on land"}, w.prompts("video", "--preset", "kites", "--var", "where=on land"))
	require.Equal(t, "another ${x}", w.drafted("video", "--preset", "kites", "--expand=off", "another ${x}")["prompt"], "flags win")
	require.Equal(t, "6", w.drafted("video", "--preset", "kites", "--expand=off")["seconds"])
	w.fails(kit.ExitUsage, []string{"for video, not for image"}, "create", "image", "--preset", "kites")
	w.fails(kit.ExitUsage, []string{"there is a preset of that name", "presets rm"}, "create", "video", "x", "--save-preset", "kites")
	w.fails(kit.ExitNotFound, []string{`"kite"`, "darkroom presets"}, "create", "video", "--preset", "kite")

	// The project's is taken before one's own, and it is said.
	w.in = strings.Replace(string(b), "kite", "drone", 1)
	w.ok("presets", "save", "kites", "--from", "-", "--project")
	w.fails(kit.ExitUsage, []string{"--expand=all makes them", "--expand=off"}, "create", "video", "--preset", "kites")
	require.Equal(t, []string{"a red drone at sea", "a blue drone at sea"}, w.prompts("video", "--preset", "kites", "--expand"))
	r := w.ok("create", "video", "--preset", "kites", "--expand=off", "--dry-run")
	require.Contains(t, r.out, "drone")
	require.Contains(t, r.err, "preset kites is the project's")
	require.Contains(t, r.err, "taken instead of your own")
	list := w.ok("presets", "list", "-o", "json").array(t)
	require.Len(t, list, 1)
	require.Equal(t, true, list[0].(map[string]any)["project"])
	w.ok("presets", "rm", "kites", "--project")
	require.NotContains(t, w.ok("presets").out, "project")

	w.file("config/presets/bad.yaml", "model: a\nmodell: b\n")
	require.Contains(t, w.ok("presets").out, "not usable")
	w.fails(kit.ExitUsage, []string{"bad.yaml:2:1", `"modell"`}, "presets", "show", "bad")
	w.fails(kit.ExitUsage, []string{"bad.yaml:2:1"}, "create", "video", "--preset", "bad", "x")
	w.fails(kit.ExitNotFound, []string{"no such preset"}, "presets", "rm", "nope")
	w.fails(kit.ExitUsage, []string{"--from FILE or --job JOB"}, "presets", "save", "x")
	w.fails(kit.ExitUsage, []string{"letters, digits"}, "presets", "show", "../x")
	w.fails(kit.ExitUsage, []string{"one of them"}, "create", "video", "--preset", "kites", "--body", "-")
	for _, words := range [][]string{{"presets", "show", ""}, {"create", "video", "--preset", ""}} {
		require.Contains(t, w.ok(append([]string{"__complete"}, words...)...).out, "kites")
	}
	require.Contains(t, w.ok("__complete", "create", "video", "--seed-mode", "").out, "random\n")

	id := text(t, w.ok("create", "image", "a gate", "--size", "1024x1024", "-o", "json").object(t), "id")
	w.ok("presets", "save", "gate", "--job", id)
	require.Equal(t, "1024x1024", w.drafted("image", "--preset", "gate")["size"])
}

// TestPresetHoldsNoKey: the key of the profile cannot be saved into one.
func TestPresetHoldsNoKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["DARKROOM_API_KEY"] = "a-key-nobody-sees"
	r := w.fails(kit.ExitUsage, []string{"the key of the gateway is in it"}, "create", "video", "my key: a-key-nobody-sees", "--save-preset", "x")
	require.NotContains(t, r.err, "nobody")
	require.NoDirExists(t, filepath.Join(w.dir, "config", "presets"))
	w.fails(kit.ExitUsage, []string{"looks like a key"}, "create", "video", "x", "--set", "api_key=1", "--save-preset", "x")
}

// TestProjectPresetNamesItsOwnFiles: a project cannot have a file of the person's sent.
func TestProjectPresetNamesItsOwnFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := w.file("secret.png", "\x89PNG\r\n\x1a\n")
	for i, ref := range []string{"file://" + secret, secret, "../../secret.png"} {
		w.file(".darkroom/presets/p.yaml", fmt.Sprintf("mode: i2v\nvalues: {image: %q}\n", ref))
		w.fails(kit.ExitUsage, []string{"preset p: image"}, "create", "video", "--preset", "p", "x", "--dry-run")
		require.Less(t, i, 3)
	}
	w.file(".darkroom/presets/p.yaml", "model: famA3\nmode: i2v\nvalues: {image: in.png}\n")
	w.file(".darkroom/presets/in.png", "\x89PNG\r\n\x1a\n")
	w.ok("create", "video", "--preset", "p", "x", "--dry-run")
}

// A key that cannot be read cannot be looked for: nothing is written, as on the console.
func TestAPresetIsNotSavedWhereTheKeyIsUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const key = "plain-words-as-a-key"
	w.file("config/config.yaml", "profiles:\n  work:\n    base_url: https://gateway.example\nprofile: work\n")
	w.file("keys/work", key+"\n")
	require.NoError(t, os.Chmod(w.paths().Secrets, 0o700)) //nolint:gosec // a folder of secrets
	require.NoError(t, os.Chmod(filepath.Join(w.paths().Secrets, "work"), 0o644))
	for _, args := range [][]string{
		{"create", "video", "a kite", "--model", "famI-omni", "--set", "note=" + key, "--save-preset", "kites"},
		{"presets", "save", "kites", "--from", "-"},
	} {
		w.in = "prompt: " + key + "\n"
		r := w.fails(kit.ExitUsage, []string{"preset kites was not saved: the key could not be compared with it"}, args...)
		require.NotContains(t, r.err, "::")
		require.NoFileExists(t, filepath.Join(w.dir, "config", "presets", "kites.yaml"))
	}
	require.NoError(t, os.Chmod(filepath.Join(w.paths().Secrets, "work"), 0o600))
	r := w.fails(kit.ExitUsage, []string{"preset kites was not saved: "}, "presets", "save", "kites", "--from", "-")
	require.NotContains(t, r.err, "::")
	w.in = "prompt: a kite\n"
	w.ok("presets", "save", "kites", "--from", "-")
	r = w.fails(kit.ExitUsage, []string{"preset kites was not saved: ", "there is a preset of that name"}, "presets", "save", "kites", "--from", "-")
	require.NotContains(t, r.err, "::")
}
