package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// TestForeignFilesNeedAPersonsWord: a row that another person wrote names files of this
// machine. Nothing sends or opens them by itself; the paths are shown, and a flag sends them.
func TestForeignFilesNeedAPersonsWord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	picture := filepath.Join(w.dir, "kite.png")
	require.NoError(t, os.WriteFile(picture, []byte("\x89PNG\r\n\x1a\n"), 0o600))
	ids := w.history(3, func(i int, j *jobs.Job) {
		j.Draft.Values = client.Values{"image": client.FileURL(picture)}
		j.Draft.Mode = "i2v"
		switch i {
		case 0:
			j.State = jobs.Planned
		case 1:
			j.State = jobs.Refused
		case 2:
			j.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/etc/passwd", Bytes: 1}}
		}
	})
	w.fails(ExitPaused, []string{picture, "jobs resume", "--with-files"}, "jobs", "resume", ids[0])
	w.fails(ExitPaused, []string{picture, "--with-files"}, "jobs", "repoll", ids[0])
	w.fails(ExitPaused, []string{"--with-files"}, "jobs", "watch", ids[0])
	w.fails(ExitPaused, []string{picture, "jobs resend", "--with-files"}, "jobs", "resend", ids[1])
	shown := w.ok("jobs", "show", ids[0]).out
	require.Contains(t, shown, "image: "+picture)
	require.Contains(t, shown, "--with-files")
	require.Contains(t, w.ok("jobs", "show", ids[2]).out, "saved by another installation")
	w.fails(ExitNotFound, []string{"nothing of job"}, "jobs", "open", ids[2], "--player", "true")

	r := w.ok("jobs", "resume", ids[0], "--with-files")
	require.Contains(t, r.err, picture)
	job := w.ok("jobs", "show", ids[0], "-o", "json").object(t)["job"].(map[string]any)
	require.NotEmpty(t, job["installation"])
	require.Nil(t, job["foreign_files"])
	w.fails(ExitUsage, []string{"name the jobs"}, "jobs", "resume", "--all", "--with-files")
}
