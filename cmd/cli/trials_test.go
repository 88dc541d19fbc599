package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/counterpart"
	"darkroom/client/dialect"
	"darkroom/cmd/cli/kit"
)

// trialDialect is that of the counterpart server, as a person would write it.
const trialDialect = `version: 1
title: the counterpart of the tests
segments: {famN: suno, famF: kling}
paths:
  status: {create: /kling/v1/videos/image2video}
  tasks: {create: /api/v1/services/aigc/video-generation/video-synthesis}
models:
  famB-2: sora-2
  famA3.1-fast: halo3.1-fast
  famD-1-0-pro-250528: doubao-seedance-1-0-pro-250528
  famJq3-turbo: joltq3-turbo
  famK-3.0-480p: kay-3.0-480p
  famL-2-4k: pixie-2-4k
  famN_music: suno_music
  famF-video: "{model_name}"
model_names: {famF-v1: kling-v1}
engines: {famO-speech-2.8-hd: talk-2.8}
wire_names:
  music: {upstream_model: mv}
omit: [external_task_id]
`

// trial is one kind of request to a real gateway.
type trial struct {
	name   string
	create []string
	sends  string         // the path of the create
	body   map[string]any // what the create holds, at least
	ext    string         // of the file that is saved
	model  string         // as the catalog has it
	// without is the exit code of the same command without a dialect, and said what it says.
	without int
	said    string
}

func trials() []trial {
	return []trial{
		{"video, common", []string{"video", "--model", "famB-2", "--duration", "4", "--mode", "t2v"}, "/v1/videos",
			map[string]any{"model": "sora-2", "seconds": "4"}, ".mp4", "famB-2", 5, "No available channel for model famB-2"},
		{"video, common, with an address", []string{"video", "--model", "famA3.1-fast", "--mode", "t2v"}, "/v1/videos",
			map[string]any{"model": "halo3.1-fast"}, ".mp4", "famA3.1-fast", 5, "No available channel"},
		{"video, content array", []string{"video", "--model", "famD-1-0-pro-250528", "--format", "content", "--duration", "5"}, "/api/v3/contents/generations/tasks",
			map[string]any{"model": "doubao-seedance-1-0-pro-250528", "duration": float64(5)}, ".mp4", "famD-1-0-pro-250528", 5, "No available channel"},
		{"video, vendor style", []string{"video", "--model", "famJq3-turbo", "--format", "ent"}, "/ent/v2/img2video",
			map[string]any{"model": "joltq3-turbo"}, ".mp4", "famJq3-turbo", 5, "No available channel"},
		{"video, second vendor style", []string{"video", "--model", "famK-3.0-480p", "--format", "tasks", "--mode", "t2v"}, "/api/v1/services/aigc/video-generation/video-synthesis",
			map[string]any{"model": "kay-3.0-480p"}, ".mp4", "famK-3.0-480p", 2, "create_paths.tasks"},
		{"video, status", []string{"video", "--model", "famF-video", "--model-name", "famF-v1", "--mode", "t2v", "--format", "status"}, "/kling/v1/videos/image2video",
			map[string]any{"model": "kling-v1", "model_name": "kling-v1"}, ".mp4", "famF-video", 2, "create_paths.status"},
		{"image", []string{"image", "--model", "famL-2-4k"}, "/v1/images/generations",
			map[string]any{"model": "pixie-2-4k"}, ".png", "famL-2-4k", 5, "No available channel"},
		{"music", []string{"music", "--model", "famN_music", "--title", "Night"}, "/suno/submit/music",
			map[string]any{"model": "suno_music", "title": "Night"}, ".mp3", "famN_music", 5, "most likely it has no such path"},
		{"speech", []string{"speech", "--model", "famN_music", "--upstream-model", "famO-speech-2.8-hd"}, "/suno/submit/music",
			map[string]any{"model": "suno_music", "mv": "talk-2.8"}, ".mp3", "famN_music", 5, "most likely it has no such path"},
	}
}

// line is a trial in the table of docs/GATEWAYS.md.
func (x trial) line() string {
	return fmt.Sprintf("| %s | `POST %s` | finished, %s saved | exit %d: %s |", x.name, x.sends, x.ext, x.without, x.said)
}

// TestTheTrialsAreInTheDocs: the table says what TestRealGatewayTrials shows.
func TestTheTrialsAreInTheDocs(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "GATEWAYS.md"))
	require.NoError(t, err)
	for _, x := range trials() {
		assert.Contains(t, string(docs), x.line()+"\n")
	}
	for _, name := range dialect.Examples() {
		assert.Contains(t, string(docs), "| `"+name+"` |")
	}
}

// TestTheDialectOfTheDocsIsRight: both files that the docs show can be used.
func TestTheDialectOfTheDocsIsRight(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "GATEWAYS.md"))
	require.NoError(t, err)
	w := newWorld(t)
	seen := 0
	for _, block := range strings.Split(string(docs), "```yaml\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		switch {
		case strings.Contains(text, "families:"):
			w.ok("models", "lint", w.file("catalog.yaml", text))
		case strings.HasPrefix(text, "version: 1"):
			w.ok("gateway", "dialects", "lint", w.file("whole.yaml", text))
		default:
			w.file("config/dialects/ours.yaml", "version: 1\n")
			w.file("config/config.yaml", "profile: default\n"+text)
			w.ok("config")
		}
		seen++
	}
	assert.Equal(t, 3, seen)
}

// onCounterpart is a machine with a profile for the server, and a dialect or none.
func onCounterpart(t *testing.T, s *counterpart.Server, words string) *world {
	t.Helper()
	w := newWorld(t)
	w.file("keys/real", counterpart.Key)
	line := ""
	if words != "" {
		w.file("config/dialects/trial.yaml", words)
		line = "    dialect: trial\n"
	}
	w.file("config/config.yaml", "profile: real\nprofiles:\n  real:\n    base_url: "+s.URL+"/v1\n    rate: 1000\n"+line)
	return w
}

// TestRealGatewayTrials: each kind is created, followed to its end, saved and looked up on a
// server that behaves as public gateways do, in its own words; without the dialect none is.
func TestRealGatewayTrials(t *testing.T) {
	t.Parallel()
	for _, x := range trials() {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			s := counterpart.Start()
			t.Cleanup(s.Close)
			w := onCounterpart(t, s, trialDialect)
			into := filepath.Join(w.dir, "out")
			r := w.run(append(append([]string{"create"}, x.create...), "--prompt", "a red kite", "--download", into, "-o", "json")...)
			require.Zero(t, r.code, "%s\n%s", r.err, r.out)
			made := s.Creates()
			require.Len(t, made, 1)
			assert.Equal(t, x.sends, made[0].Path)
			for k, v := range x.body {
				assert.Equal(t, v, made[0].Body[k], k)
			}
			assert.NotContains(t, made[0].Body, "external_task_id")
			assert.NotContains(t, fmt.Sprint(made[0].Body), "fam", "no token of a family is sent")
			files, err := os.ReadDir(into)
			require.NoError(t, err)
			var saved []string
			for _, f := range files {
				saved = append(saved, filepath.Ext(f.Name()))
			}
			assert.Contains(t, saved, x.ext)
			job := r.object(t)
			draft, _ := job["draft"].(map[string]any)
			assert.Equal(t, x.model, draft["model"], "the history speaks the catalog's names")
			if id, _ := job["task_id"].(string); id != "" {
				found := w.ok("inspect", id, "-o", "json").object(t)
				task, _ := found["task"].(map[string]any)
				assert.Equal(t, "completed", task["status"])
			}
			t.Log(x.line())

			bare := onCounterpart(t, s, "")
			r = bare.run(append(append([]string{"create"}, x.create...), "--prompt", "a red kite", "--wait", "-o", "json")...)
			assert.Equal(t, x.without, r.code, "%s\n%s", r.err, r.out)
			assert.Contains(t, r.err+r.out, x.said)
		})
	}
}

// TestRealGatewayFails: a task that fails there is told as failed, with its reason.
func TestRealGatewayFails(t *testing.T) {
	t.Parallel()
	for _, x := range trials() {
		if strings.HasPrefix(x.name, "image") {
			continue // it is refused, or it is there
		}
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			s := counterpart.Start()
			t.Cleanup(s.Close)
			w := onCounterpart(t, s, trialDialect)
			r := w.run(append(append([]string{"create"}, x.create...), "--prompt", counterpart.Fail+" please", "--wait", "-o", "json")...)
			assert.Equal(t, kit.ExitFailed, r.code, "%s\n%s", r.err, r.out)
			assert.Equal(t, "failed", r.object(t)["state"])
		})
	}
}

// TestRealGatewayChatModelsAndLookups are the trials that make no task.
func TestRealGatewayChatModelsAndLookups(t *testing.T) {
	t.Parallel()
	s := counterpart.Start()
	t.Cleanup(s.Close)
	w := onCounterpart(t, s, trialDialect)
	r := w.ok("chat", "--model", "small-talk-1", "hi")
	assert.Contains(t, r.out, "Hello there")
	assert.Contains(t, r.err, "/v1", "that the address ends in /v1 is said")

	rows := w.ok("models", "list", "--live", "-o", "json").array(t)
	seen := map[string]any{}
	for _, x := range rows {
		m, _ := x.(map[string]any)
		seen[text(t, m, "id")] = m["origins"]
	}
	assert.Equal(t, []any{"catalog", "v1beta", "v1"}, seen["famB-2"], "matched through the dialect")
	assert.Equal(t, []any{"v1beta", "v1"}, seen["small-talk-1"])
	assert.NotContains(t, seen, "sora-2")

	for _, format := range []string{"videos", "music", "status", "content", "ent"} {
		w.fails(kit.ExitNotFound, []string{"no query path knows"}, "inspect", "task_nobody-made-this", "--format", format)
	}
	r = w.run("inspect", "task_nobody-made-this", "-o", "json")
	assert.NotEqual(t, kit.ExitFailed, r.code, "%s %s", r.err, r.out)
	var paths []string
	routes, _ := r.object(t)["routes"].([]any)
	for _, x := range routes {
		m, _ := x.(map[string]any)
		paths = append(paths, text(t, m, "path"))
	}
	assert.Contains(t, paths, "GET /suno/fetch/task_nobody-made-this")
	assert.Contains(t, paths, "GET /kling/v1/videos/image2video/task_nobody-made-this")

	r = w.ok("create", "video", "--model", "sora-2", "--mode", "t2v", "--prompt", "rain", "--dry-run")
	assert.Contains(t, r.err, "sora-2 is the gateway's name for famB-2")
	assert.Contains(t, r.out, `"model": "sora-2"`)
	r = w.ok("create", "music", "--model", "famN_music", "--prompt", "rain", "--dry-run")
	assert.Contains(t, r.out, "POST /suno/submit/music")
	assert.NotContains(t, r.out, "famN")
	curl := w.ok("create", "music", "--model", "famN_music", "--prompt", "rain", "--dry-run", "-o", "curl").out
	assert.Contains(t, curl, "/suno/submit/music")
	w.in = curl
	r = w.ok("create", "music", "--from", "-", "--dry-run", "-o", "json")
	assert.Equal(t, "/suno/submit/music", r.object(t)["path"])
	w.in = ""
	w.fails(kit.ExitNotFound, []string{"task_not_exist"}, "request", "GET", "/suno/fetch/task_x")
	page := w.ok("request", "GET", "/famN/fetch/task_x")
	assert.Contains(t, page.out, "<html>", "paths are asked as they are typed")

	r = w.ok("config")
	for _, says := range []string{"trial (", "suno", "small-talk"}[:2] {
		assert.Contains(t, r.out, says)
	}
	d, _ := w.ok("config", "-o", "json").object(t)["dialect"].(map[string]any)
	assert.Equal(t, "trial", d["name"])
	assert.Len(t, s.Creates(), 1, "the chat alone")
}
