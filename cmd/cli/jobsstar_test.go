package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// TestStar: a star is found, survives prunes that do not name it, and goes with unstar.
func TestStar(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := time.Now().AddDate(0, 0, -100)
	ids := w.history(3, func(_ int, j *jobs.Job) { j.EndedAt, j.UpdatedAt = old, old })
	require.Len(t, w.ok("jobs", "star", ids[0], ids[1], "-o", "json").array(t), 2)
	require.Equal(t, []any{"starred"}, w.ok("jobs", "star", ids[0], "-o", "json").object(t)["tags"], "twice is once")
	require.Len(t, w.ok("jobs", "list", "--starred", "-o", "json").array(t), 2)
	require.Contains(t, w.ok("jobs", "list").out, "★ ")
	w.ok("jobs", "tag", ids[1], "kept")
	require.Len(t, w.ok("jobs", "list", "--starred", "--tag", "kept", "-o", "json").array(t), 1)
	w.fails(kit.ExitUsage, []string{"requires at least 1 arg"}, "jobs", "star")
	w.fails(kit.ExitNotFound, []string{"no job has the id"}, "jobs", "star", "nothing-like-it")

	w.ok("jobs", "prune", "--older", "50d", "--yes")
	require.Len(t, w.ok("jobs", "list", "-o", "json").array(t), 2, "starred jobs stay")
	require.Nil(t, w.ok("jobs", "unstar", ids[0], "-o", "json").object(t)["tags"])
	require.Equal(t, []any{"kept"}, w.ok("jobs", "unstar", ids[1], "-o", "json").object(t)["tags"])
	require.Empty(t, w.ok("jobs", "list", "--starred", "-o", "json").array(t))
	w.ok("jobs", "star", ids[1])
	w.ok("jobs", "prune", "--older", "50d", "--even-starred", "--yes")
	require.Empty(t, w.ok("jobs", "list", "-o", "json").array(t))
}
