package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store"
)

// TestCommandsBackUp: a command that writes leaves a backup of the day where none is there, one
// that looks leaves none, and a prune makes it before it removes anything.
func TestCommandsBackUp(t *testing.T) {
	t.Parallel()
	backups := func(w *world) []store.Backup {
		all, err := store.Backups(w.paths().History)
		require.NoError(t, err)
		return all
	}
	w := newWorld(t)
	w.kept(3, jobs.Completed)
	w.ok("jobs", "list")
	r := w.ok("history", "doctor")
	require.Contains(t, r.out, "no good backup")
	require.Contains(t, r.out, "`darkroom history backup`")
	require.NotContains(t, r.out, "all is well")
	require.Empty(t, backups(w))
	w.ok("jobs", "prune", "--older", "0d", "--dry-run")
	require.Empty(t, backups(w))
	w.ok("jobs", "prune", "--older", "0d", "--yes")
	require.Len(t, backups(w), 1)
	n, err := store.CheckBackup(t.Context(), backups(w)[0].Path)
	require.NoError(t, err)
	require.Equal(t, 3, n, "what was removed is in it")
	require.Contains(t, w.ok("history", "doctor").out, "all is well")
	require.Empty(t, w.ok("history", "doctor", "-o", "json").object(t)["warnings"])

	w = newWorld(t)
	w.ok("create", "image", "--model", "famL-2", "--wait", "a lighthouse")
	require.Len(t, backups(w), 1)
	export := w.ok("history", "export").out
	w = newWorld(t)
	w.ok("history", "import", w.file("jobs.ndjson", export))
	require.Len(t, backups(w), 1)
}
