package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func TestDownloadTemplateAndOverwrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.ok("create", "video", "waves", "--wait", "-o", "json").object(t)
	id := shortID(text(t, job, "id"))
	first := text(t, job["files"].([]any)[0].(map[string]any), "path")
	require.True(t, within(w.paths().Downloads, first), "results are saved by themselves")
	require.FileExists(t, first)

	for template, says := range map[string][]string{
		"{nope}.{ext}":    {"--template", "{nope}", "{model}", "{index}", "{ext}"},
		"{id}":            {"--template", ".{ext}"},
		"../{id}.{ext}":   {"--template", `".."`},
		"/tmp/{id}.{ext}": {"--template"},
	} {
		w.fails(ExitUsage, says, "jobs", "download", id, "--template", template)
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
	job = w.ok("jobs", "download", shortID(text(t, job, "id")), "-o", "json").object(t)
	path := text(t, job["files"].([]any)[0].(map[string]any), "path")
	require.Equal(t, "video.mp4", filepath.Base(path))
	require.NoFileExists(t, path+".json")
}

func TestTransfers(t *testing.T) {
	t.Parallel()
	job := func(files ...jobs.File) jobs.Job {
		return jobs.Job{ID: "j", State: jobs.Completed, Draft: client.Draft{Modality: client.Video, Model: "famA3"}, Files: files}
	}
	fetching := jobs.File{State: jobs.FileFetching, Bytes: 2_000_000, Total: 8_000_000}
	text := func(rate float64, files ...jobs.File) string { return transferText(jobs.TransferOf(files), rate) }
	require.Equal(t, "2.0 MB of 8.0 MB, 1.0 MB/s, 6.0 s left", text(1e6, fetching))
	require.Equal(t, "2.0 MB", text(0, fetching, jobs.File{State: jobs.FileWanted, Total: -1, Error: "reset"}))

	l := newLive(newWorld(t).stdio(nil, nil), []string{"a", "b"})
	l.byID["a"], l.byID["b"] = job(fetching), job(fetching)
	require.Contains(t, l.line(job(fetching)), "█████░░░░░░░░░░░░░░░ downloading  2.0 MB of 8.0 MB")
	require.Contains(t, l.sum(), "2 files to come, 4.0 MB of 16 MB")
	l.byID["b"] = job()
	require.Empty(t, l.sum())
	require.True(t, strings.HasSuffix(l.line(job(jobs.File{State: jobs.FileWanted, Bytes: 2_000_000, Total: 8_000_000, Error: "the disk is full"})),
		"2.0 MB of 8.0 MB, waiting: the disk is full"))
}

func TestSpeed(t *testing.T) {
	t.Parallel()
	var s speed
	now := time.Unix(1000, 0)
	require.Zero(t, s.see(now, 5_000_000), "what was there is no speed")
	require.Zero(t, s.see(now.Add(100*time.Millisecond), 5_100_000))
	require.InDelta(t, 1e6, s.see(now.Add(time.Second), 6_000_000), 1)
	require.InDelta(t, 1.3e6, s.see(now.Add(2*time.Second), 8_000_000), 1)
	require.Zero(t, s.see(now.Add(3*time.Second), 100), "it began again")
}
