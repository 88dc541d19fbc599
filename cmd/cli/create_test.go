package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

// drafted is the body that a create would send.
func (w *world) drafted(args ...string) map[string]any {
	w.t.Helper()
	p := w.ok(append([]string{"create"}, append(args, "--dry-run", "-o", "json")...)...).object(w.t)
	b, ok := p["body"].(map[string]any)
	require.True(w.t, ok, "%v", p)
	return b
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("create", "video", "a red kite", "--duration", "6", "--dry-run")
	require.True(t, strings.HasPrefix(r.out, "POST /v1/videos\n{"), r.out)
	require.Contains(t, r.out, `"prompt": "a red kite"`)
	p := w.ok("create", "video", "a red kite", "--duration", "6", "--dry-run", "-o", "json").object(t)
	require.Equal(t, "POST", p["method"])
	require.Equal(t, "/v1/videos", p["path"])
	require.Equal(t, "videos", p["format"])
	require.NoFileExists(t, w.paths().History, "nothing is journalled")
}

func TestFlagsOfTheCatalog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	png := w.file("kite_one.png", "\x89PNG\r\n\x1a\n")
	body := w.drafted("video", "--prompt", "x", "--seconds", "6", "--seed", "9007199254740993", "--generate-audio", "--ratio", "16:9")
	require.Equal(t, "6", body["seconds"], "an alias is the field: %v", body)
	require.Equal(t, true, body["generate_audio"])
	raw := w.ok("create", "video", "--prompt", "x", "--seed", "9007199254740993", "--extra", `{"big": 9007199254740993}`, "--dry-run").out
	require.Contains(t, raw, `"seed": 9007199254740993`)
	require.Contains(t, raw, `"big": 9007199254740993`)

	body = w.drafted("video", "--mode", "r2v", "--prompt", "x", "--images", png, "--image-urls", "https://x.example/a,b.png", "--images", `["https://x.example/c.png"]`)
	var urls []any
	for _, v := range body {
		if list, ok := v.([]any); ok {
			urls = list
		}
	}
	require.Len(t, urls, 3, "%v", body)
	require.Equal(t, "https://x.example/a,b.png", urls[1], "a comma is part of an address")

	require.Contains(t, w.ok("create", "video", "--prompt", "x", "--duration", "4", "--duration", "6", "--dry-run").out, `"seconds": "6"`, "the last one counts")
	require.Equal(t, false, w.drafted("video", "--prompt", "x", "--generate-audio=false")["generate_audio"])
}

func TestPromptFromInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.in = "first line\nsecond line\r\n"
	require.Equal(t, "first line\nsecond line", w.drafted("video", "--prompt", "-")["prompt"])
	require.Equal(t, "first line\nsecond line", w.drafted("video", "-")["prompt"])
	w.in = strings.Repeat("x", client.MaxPrompt+1)
	w.fails(kit.ExitUsage, []string{"more than 1048576 bytes"}, "create", "video", "--prompt", "-")
	w.fails(kit.ExitUsage, []string{"given twice"}, "create", "video", "--prompt", "a", "b")
}

func TestDraftsThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"video"}, []string{"nothing was sent", "prompt"}},
		{[]string{"video", "--prompt", "x", "--model", "famI-omi"}, []string{"--model", `"famI-omi"`, "famI-omni"}},
		{[]string{"image", "--prompt", "x", "--model", "famI-omni"}, []string{"famI-omni", "video"}},
		{[]string{"video", "--prompt", "x", "--model", "famI-omni", "--mode", "i2v", "--count", "0"}, []string{"--count 0"}},
		{[]string{"image", "--prompt", "x", "--size", "7x7"}, []string{"size", "7x7", "1024x1024"}},
		{[]string{"video", "--prompt", "x", "--seconds", "soon_ish"}, []string{"--seconds", `"soon_ish"`, "number"}},
		{[]string{"video", "--prompt", "x", "--seconds", "4", "--duration", "6"}, []string{"--seconds", "--duration", "same field"}},
		{[]string{"video", "--prompt", "x", "--generate-audio=maybe"}, []string{"--generate-audio", `"maybe"`, "true or false"}},
		{[]string{"video", "--prompt", "x", "--images", "."}, []string{"--images", "not a file"}},
		{[]string{"video", "--prompt", "x", "--camera-control", "[1]"}, []string{"--camera-control", "object"}},
		{[]string{"video", "--prompt", "x", "--image", "no.png", "--fps", "a"}, []string{"--image", "--fps"}},
		{[]string{"video", "--prompt", "x", "--extra", "[]"}, []string{"--extra", "JSON object"}},
		{[]string{"video", "--prompt", "x", "--extra", "null"}, []string{"--extra", "JSON object"}},
		{[]string{"video", "--prompt", "x", "--format", "nope"}, []string{"--format", `"nope"`, "videos"}},
	} {
		r := w.fails(kit.ExitUsage, c.says, append([]string{"create"}, c.args...)...)
		require.Empty(t, r.out)
	}
	require.NoFileExists(t, w.paths().History)
}

// TestEveryModelHasAFormat: where the preferred format is not there yet, the next one is
// taken; where there is none, it is said.
func TestEveryModelHasAFormat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := kit.New(w.stdio(nil, nil), version)
	gw, err := k.Gateway(t.Context())
	require.NoError(t, err)
	defer gw.Close()
	for _, kind := range kit.Kinds() {
		for _, m := range gw.Catalog.Models(client.Modality(kind)) {
			d := client.Draft{Modality: client.Modality(kind), Model: m.ID}
			name := gw.FormatFor(d)
			if name == "" {
				require.ErrorContains(t, gw.NoFormat(d), m.Formats[0])
				continue
			}
			_, ok := gw.Client.Format(name)
			require.True(t, ok, m.ID)
			require.Contains(t, m.Formats, name)
		}
	}
	require.Empty(t, gw.FormatFor(client.Draft{Modality: client.Video, Model: "famZ"}))
	require.ErrorContains(t, gw.NoFormat(client.Draft{Modality: client.Video, Model: "famZ"}), "not in the catalog")
}

func TestCreateAndDownload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := filepath.Join(w.dir, "out")
	job := w.ok("create", "image", "a lighthouse", "--size", "1024x1024", "--download", dir, "-o", "json").object(t)
	require.Equal(t, "completed", job["state"])
	file, ok := job["files"].([]any)[0].(map[string]any)
	require.True(t, ok)
	require.Equal(t, dir, filepath.Dir(text(t, file, "path")), "in the very folder")
	require.FileExists(t, text(t, file, "path"))

	r := w.ok("create", "music", "slow piano", "--title", "Rain", "--download", dir)
	require.Contains(t, r.out, "completed")
	require.Contains(t, r.out, dir)
	require.Contains(t, r.err, "completed", "progress goes to standard error")

	two := strings.Split(strings.TrimSpace(w.ok("create", "music", "two", "--count", "2", "-o", "ndjson").out), "\n")
	require.Len(t, two, 2)
}

func TestCreateThatFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.fails(kit.ExitFailed, []string{"failed"}, "create", "video", "[[sandbox:fail]] x", "--wait", "-o", "json")
	require.Equal(t, "failed", r.object(t)["state"], "the job is printed all the same")
}
