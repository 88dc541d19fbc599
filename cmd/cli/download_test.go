package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

func TestDownloadTemplateAndOverwrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.ok("create", "video", "waves", "--wait", "-o", "json").object(t)
	id := jobs.ShortID(text(t, job, "id"))
	first := text(t, job["files"].([]any)[0].(map[string]any), "path")
	require.True(t, strings.HasPrefix(first, w.paths().Downloads+string(filepath.Separator)), "results are saved by themselves")
	require.FileExists(t, first)

	for template, says := range map[string][]string{
		"{nope}.{ext}":    {"--template", "{nope}", "{model}", "{index}", "{ext}"},
		"{id}":            {"--template", ".{ext}"},
		"../{id}.{ext}":   {"--template", `".."`},
		"/tmp/{id}.{ext}": {"--template"},
	} {
		w.fails(kit.ExitUsage, says, "jobs", "download", id, "--template", template)
	}

	dir := filepath.Join(w.dir, "got")
	get := func(args ...string) string {
		got := w.ok(append([]string{"jobs", "download", id, "--dir", dir, "--template", "my/{prompt}_{index}.{ext}", "-o", "json"}, args...)...).object(t)
		return text(t, got["files"].([]any)[0].(map[string]any), "path")
	}
	path := get("--overwrite")
	require.Equal(t, filepath.Join(dir, "my", "waves_1.mp4"), path)
	require.NoFileExists(t, filepath.Join(dir, ".parts"))
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	require.NoError(t, os.WriteFile(path+".json", []byte("mine"), 0o600))
	other := get()
	require.Equal(t, filepath.Join(dir, "my", "waves_1-1.mp4"), other, "it is not overwritten without being asked")
	require.Equal(t, path, get("--overwrite"))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Greater(t, info.Size(), int64(1000))
	sidecar, err := os.ReadFile(path + ".json")
	require.NoError(t, err)
	require.Contains(t, string(sidecar), `"sha256"`)
}

func TestAutomaticDownloadsCanBeOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/config.yaml", "auto_download: false\n")
	job := w.ok("create", "video", "waves", "--wait", "-o", "json").object(t)
	require.Nil(t, job["files"])
	w.file("config/config.yaml", "name_template: \"{task}/{kind}.{ext}\"\nsidecars: false\n")
	job = w.ok("jobs", "download", jobs.ShortID(text(t, job, "id")), "-o", "json").object(t)
	path := text(t, job["files"].([]any)[0].(map[string]any), "path")
	require.Equal(t, "video.mp4", filepath.Base(path))
	require.NoFileExists(t, path+".json")
}
