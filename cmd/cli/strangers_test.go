package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
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
	w.fails(kit.ExitPaused, []string{picture, "jobs resume", "--with-files"}, "jobs", "resume", ids[0])
	w.fails(kit.ExitPaused, []string{picture, "--with-files"}, "jobs", "repoll", ids[0])
	w.fails(kit.ExitPaused, []string{"--with-files"}, "jobs", "watch", ids[0])
	w.fails(kit.ExitPaused, []string{picture, "jobs resend", "--with-files"}, "jobs", "resend", ids[1])
	shown := w.ok("jobs", "show", ids[0]).out
	require.Contains(t, shown, "image: "+picture)
	require.Contains(t, shown, "--with-files")
	require.Contains(t, w.ok("jobs", "show", ids[2]).out, "saved by another installation")
	w.fails(kit.ExitNotFound, []string{"nothing of job"}, "jobs", "open", ids[2], "--player", "true")

	r := w.ok("jobs", "resume", ids[0], "--with-files")
	require.Contains(t, r.err, picture)
	job := w.ok("jobs", "show", ids[0], "-o", "json").object(t)["job"].(map[string]any)
	require.NotEmpty(t, job["installation"])
	require.Nil(t, job["foreign_files"])
	w.fails(kit.ExitUsage, []string{"name the jobs"}, "jobs", "resume", "--all", "--with-files")
}

// TestWhatWasMadeHereStaysKnown: what a history held before there were proofs is signed when it
// is taken out, so that it is this installation's where it is taken in again; at another one it
// is a stranger's.
func TestWhatWasMadeHereStaysKnown(t *testing.T) {
	t.Parallel()
	w, other := newWorld(t), newWorld(t)
	id := w.history(1, func(_ int, j *jobs.Job) {
		j.CreatedAt, j.UpdatedAt = time.UnixMilli(1), time.UnixMilli(1)
		j.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/d/x.mp4", Bytes: 1, Proof: jobs.ProofBefore}}
	})[0]
	file := filepath.Join(w.dir, "jobs.ndjson")
	w.ok("history", "export", file)
	require.NoError(t, os.Remove(w.paths().History))
	w.ok("history", "import", file)
	require.NotContains(t, w.ok("jobs", "show", id).out, "another installation")
	other.ok("history", "import", file)
	require.Contains(t, other.ok("jobs", "show", id).out, "saved by another installation")
}
