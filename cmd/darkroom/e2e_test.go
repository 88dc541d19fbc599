package main_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithoutATerminalItSaysWhatToDo(t *testing.T) {
	t.Parallel()
	out, errOut, code := newHome(t).run(t, "")
	require.Equal(t, 2, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "needs a terminal")
	require.Contains(t, errOut, "darkroom demo")
}

// TestMainJob is what the console is for: compose, submit, follow, look, have the file.
func TestMainJob(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(t, 120, 34)
	x.shows("1 Compose", "● sandbox", "Prompt")
	x.keys("a red kite over 盐田 at dawn")
	x.shows("a red kite over 盐田 at dawn", `"prompt": "a red kite over 盐田 at dawn"`)
	x.keys(ctrlS)
	x.shows("Latest", "✓ a red kite", "play")
	x.shows("▀") // the poster, in blocks
	x.keys(alt + "2")
	x.shows("Jobs", "✓", ".mp4")
	x.shows("▀")
	x.keys("q")
	require.Equal(t, 0, x.exit())
	require.Contains(t, x.bytes(), "\x1b[?1049l", "the alternate screen is left")

	mp4 := h.find(t, "Downloads", ".mp4")
	require.Equal(t, "h264", probe(t, mp4, "stream=codec_name"))
	sidecar := readJSON(t, h.find(t, "Downloads", ".mp4.json"))
	sum, err := os.ReadFile(mp4)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%x", sha256.Sum256(sum)), sidecar["file"].(map[string]any)["sha256"])
	require.Equal(t, "a red kite over 盐田 at dawn", sidecar["request"].(map[string]any)["prompt"])
}

func TestSizesAndResize(t *testing.T) {
	t.Parallel()
	x := newHome(t).open(t, 200, 60)
	x.shows("Draft", "Request", "Checks")
	for _, size := range [][2]int{{80, 24}, {40, 12}, {120, 34}} {
		x.resize(size[0], size[1])
		x.shows("Draft")
		x.until("a frame that fits", func(s string) bool { return !strings.Contains(s, "needs 40x12") })
	}
	x.resize(30, 8)
	x.shows("darkroom needs 40x12")
	x.resize(80, 24)
	x.shows("Draft")
	x.keys(ctrlP)
	x.shows("Command palette")
	x.keys("quit" + enter)
	require.Equal(t, 0, x.exit())
}

func TestSignalsGiveTheTerminalBack(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP} {
		x := newHome(t).open(t, 80, 24)
		x.shows("Draft")
		require.NoError(t, x.cmd.Process.Signal(sig))
		require.Equal(t, 128+int(sig), x.exit(), name)
		require.Contains(t, x.bytes(), "\x1b[?1049l", name)
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	dir := filepath.Join(h.dir, "out")

	out, errOut, code := h.run(t, "", "create", "image", "--model", "famL-2", "--prompt", "a lighthouse", "--size", "1024x1792", "--download", dir, "-o", "json")
	require.Equal(t, 0, code, errOut)
	job := decode(t, out)
	require.Equal(t, "completed", job["state"])
	png, _ := job["files"].([]any)[0].(map[string]any)["path"].(string)
	require.Equal(t, "1024", probe(t, png, "stream=width"))
	require.Equal(t, "1792", probe(t, png, "stream=height"))

	out, errOut, code = h.run(t, "", "create", "music", "--prompt", "slow piano", "--sample-rate", "22050", "--download", dir, "-o", "json")
	require.Equal(t, 0, code, errOut)
	job = decode(t, out)
	wav, _ := job["files"].([]any)[0].(map[string]any)["path"].(string)
	require.Equal(t, "22050", probe(t, wav, "stream=sample_rate"))

	out, errOut, code = h.run(t, "", "create", "video", "--prompt", "waves", "--duration", "4", "-o", "json")
	require.Equal(t, 0, code, errOut)
	job = decode(t, out)
	require.NotEmpty(t, job["task_id"], "it returns with the id, before the task has ended")

	out, errOut, code = h.run(t, "", "jobs", "watch", job["id"].(string), "-o", "json")
	require.Equal(t, 0, code, errOut)
	require.Equal(t, "completed", decode(t, out)["state"])

	out, errOut, code = h.run(t, "", "jobs", "download", job["id"].(string), "--dir", dir, "-o", "json")
	require.Equal(t, 0, code, errOut)
	mp4, _ := decode(t, out)["files"].([]any)[0].(map[string]any)["path"].(string)
	require.True(t, strings.HasPrefix(probe(t, mp4, "format=duration"), "4.0"))

	out, _, code = h.run(t, "", "jobs", "list", "-o", "ndjson")
	require.Equal(t, 0, code)
	require.Equal(t, 3, strings.Count(out, "\n"))

	out, errOut, code = h.run(t, "", "jobs", "show", job["id"].(string))
	require.Equal(t, 0, code, errOut)
	require.Contains(t, out, "submitting")
	require.Contains(t, out, `"prompt": "waves"`)

	out, errOut, code = h.run(t, "", "inspect", job["task_id"].(string), "-o", "json")
	require.Equal(t, 0, code, errOut)
	require.Equal(t, "videos", decode(t, out)["format"])
}

func TestExitCodesAndErrors(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, c := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"create", "video"}, 2, []string{"nothing was sent", "prompt"}},
		{[]string{"create", "image", "--model", "famL", "--prompt", "x", "--size", "7x7"}, 2, []string{"size", "7x7", "1024x1024"}},
		{[]string{"create", "video", "--model", "famK-3.0", "--prompt", "x", "--duration", "99"}, 2, []string{"duration", "99", "30"}},
		{[]string{"create", "video", "--model", "famZ", "--prompt", "x"}, 2, []string{"famZ", "not in the catalog"}},
		{[]string{"create", "video", "--prompt", "x", "--image", "no-such.png"}, 3, []string{"no-such.png"}},
		{[]string{"create", "video", "--prompt", "x", "--duration", "soon"}, 2, []string{"duration", "soon", "number"}},
		{[]string{"inspect", "video_none"}, 3, []string{"video_none"}},
		{[]string{"jobs", "show", "nothing"}, 3, []string{"nothing"}},
		{[]string{"jobs", "list", "-o", "xml"}, 2, []string{"xml", "ndjson"}},
		{[]string{"frobnicate"}, 2, []string{"frobnicate"}},
		{[]string{"--profile", "work", "auth", "status"}, 2, []string{"work", "auth login"}},
		{[]string{"sandbox", "--addr", "0.0.0.0:0"}, 2, []string{"--allow-remote"}},
		{[]string{"create", "video", "--prompt", "[[sandbox:fail]] x", "--wait"}, 1, []string{"failed"}},
	} {
		_, errOut, code := h.run(t, "", c.args...)
		require.Equal(t, c.code, code, "%v: %s", c.args, errOut)
		for _, s := range c.says {
			require.Contains(t, errOut, s, "%v", c.args)
		}
	}
}

func TestDemo(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	out, errOut, code := h.run(t, "", "demo", "-o", "json")
	require.Equal(t, 0, code, errOut)
	var files []map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &files))
	kinds := map[string]bool{}
	for _, f := range files {
		kinds[f["kind"].(string)] = true
		info, err := os.Stat(f["path"].(string))
		require.NoError(t, err)
		require.EqualValues(t, f["bytes"], info.Size())
	}
	require.True(t, kinds["video"] && kinds["image"] && kinds["audio"], "%v", kinds)

	x := newHome(t).open(t, 100, 50, "demo")
	x.shows("done in")
	require.Equal(t, 0, x.exit())
	require.Contains(t, x.text(), "▀", "a thumbnail on a terminal")
}

// TestProfile uses the sandbox as another program's gateway, with a key of its own.
func TestProfile(t *testing.T) {
	t.Parallel()
	const key = "sk-e2e-5f2b9c1d7a"
	server := newHome(t, "DARKROOM_SANDBOX_KEY="+key)
	x := server.open(t, 80, 24, "sandbox", "--addr", "127.0.0.1:0")
	x.shows("DARKROOM_BASE_URL=", "serving until interrupted")
	require.NotContains(t, x.bytes(), key, "a key that was given is not printed")
	_, base, _ := strings.Cut(x.text(), "DARKROOM_BASE_URL=")
	base, _, _ = strings.Cut(base, "\n")

	h := newHome(t)
	_, errOut, code := h.run(t, "sk-wrong\n", "auth", "login", "--base-url", base)
	require.Equal(t, 4, code, errOut)
	require.NotContains(t, errOut, "sk-wrong")
	out, errOut, code := h.run(t, key+"\n", "auth", "login", "--base-url", base)
	require.Equal(t, 0, code, errOut)
	require.NotContains(t, out+errOut, key)
	out, errOut, code = h.run(t, "", "auth", "status", "-o", "json")
	require.Equal(t, 0, code, errOut)
	require.Equal(t, true, decode(t, out)["checked"])

	y := h.open(t, 120, 34)
	y.shows("● default")
	y.keys("through a profile")
	y.shows(`"prompt": "through a profile"`)
	y.keys(ctrlS)
	y.shows("Latest", "✓ through a profile")
	y.keys(alt + "2")
	y.shows("Jobs", ".mp4")
	y.keys("q")
	require.Equal(t, 0, y.exit())

	require.NotContains(t, y.bytes(), key)
	for name, info := range h.files(t) {
		b, err := os.ReadFile(filepath.Join(h.dir, name))
		require.NoError(t, err)
		if strings.Contains(name, "/keys/") {
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
			continue
		}
		require.NotContains(t, string(b), key, name)
		require.Zero(t, info.Mode().Perm()&0o077, "%s is private", name)
	}
	_, errOut, code = h.run(t, "", "auth", "logout")
	require.Equal(t, 0, code, errOut)
	_, _, code = h.run(t, "", "auth", "status")
	require.Equal(t, 4, code)
}

func probe(t *testing.T, path, entry string) string {
	t.Helper()
	out, err := exec.Command("ffprobe", "-v", "error", "-select_streams", "0", "-show_entries", entry, "-of", "csv=p=0", path).CombinedOutput()
	require.NoError(t, err, "ffprobe (make test installs ffmpeg): %s", out)
	return strings.Trim(strings.TrimSpace(string(out)), ",")
}

func decode(t *testing.T, s string) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(s), &v), s)
	return v
}

func readJSON(t *testing.T, path string) map[string]any {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return decode(t, string(b))
}
