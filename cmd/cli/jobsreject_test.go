package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// TestReject: a rejected result is out of the lists with its files, its row stays, and undo brings
// the job back.
func TestReject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.ok("create", "image", "a kite", "--wait", "-o", "json").object(t)
	id := jobs.ShortID(text(t, job, "id"))
	path := text(t, job["files"].([]any)[0].(map[string]any), "path")
	require.FileExists(t, path)

	w.fails(kit.ExitUsage, []string{"Reject 1 job", "1 file", "--yes"}, "jobs", "reject", id)
	require.FileExists(t, path, "nobody was asked")
	w.ok("jobs", "star", id)
	w.fails(kit.ExitFailed, []string{"starred"}, "jobs", "reject", id, "--yes")
	require.FileExists(t, path)
	w.ok("jobs", "unstar", id)

	got := w.ok("jobs", "reject", id, "--yes", "-o", "json").object(t)
	assert.NotEmpty(t, got["rejected_at"])
	assert.Equal(t, "removed", got["files"].([]any)[0].(map[string]any)["state"])
	assert.NoFileExists(t, path)
	assert.NoFileExists(t, path+".json")
	assert.Empty(t, w.ok("jobs", "list", "-o", "json").array(t))
	require.Len(t, w.ok("jobs", "list", "is:rejected", "-o", "json").array(t), 1)
	assert.Contains(t, w.ok("jobs", "show", id).out, "removed, since the job was rejected", "an id is still found")

	r := w.ok("jobs", "reject", "--undo", "--filter", "kite")
	assert.Contains(t, r.err, "1 file removed already")
	require.Len(t, w.ok("jobs", "list", "-o", "json").array(t), 1)
	require.FileExists(t, text(t, w.ok("jobs", "download", id, "-o", "json").object(t)["files"].([]any)[0].(map[string]any), "path"), "it can be fetched again")
	w.fails(kit.ExitUsage, []string{"name jobs"}, "jobs", "reject")
	w.fails(kit.ExitNotFound, []string{"no job fits"}, "jobs", "reject", "--undo", "--filter", "kite")
}
