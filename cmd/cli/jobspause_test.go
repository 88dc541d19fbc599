package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.history(2, func(i int, j *jobs.Job) {
		if i == 0 {
			j.State, j.TaskID, j.QueryFormat, j.AcceptedAt = jobs.Running, "t-1", "videos", time.Now()
		}
	})
	require.Equal(t, true, w.ok("jobs", "pause", ids[0], "-o", "json").object(t)["paused"])
	require.Contains(t, w.ok("jobs", "show", ids[0]).out, "lets it go on")
	require.Nil(t, w.ok("jobs", "resume", ids[0], "-o", "json").object(t)["paused"])
	w.fails(ExitFailed, []string{"nothing to pause", "completed"}, "jobs", "pause", ids[1])

	require.Contains(t, w.ok("jobs", "pause", "--all").out, "everything")
	require.Len(t, w.ok("jobs", "pause", "--host", "CDN.example", "-o", "json").array(t), 2)
	require.Contains(t, w.ok("jobs", "resume", "--all").out, "cdn.example")
	require.Empty(t, w.ok("jobs", "resume", "--host", "cdn.example", "-o", "json").array(t))
	for _, args := range [][]string{{}, {ids[0], "--all"}, {"--all", "--host", "h"}} {
		w.fails(ExitUsage, []string{"one of the three"}, append([]string{"jobs", "pause"}, args...)...)
	}
	w.fails(ExitFailed, []string{"a host name is needed"}, "jobs", "pause", "--host", "https://h/")
}

func TestTagAndRemark(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.history(2, nil)[0]
	require.Contains(t, w.ok("jobs", "tag", id, "+kept", "good").err, "good kept")
	got := w.ok("jobs", "tag", id, "-good", "new", "-o", "json").object(t)
	assert.Equal(t, []any{"kept", "new"}, got["tags"])
	require.Len(t, w.ok("jobs", "list", "--tag", "kept", "-o", "json").array(t), 1)
	require.Empty(t, w.ok("jobs", "list", "--tag", "good", "-o", "json").array(t))
	require.Equal(t, "for the client", w.ok("jobs", "remark", id, "for", "the", "client", "-o", "json").object(t)["remark"])
	require.Len(t, w.ok("jobs", "list", "-s", "the client", "-o", "json").array(t), 1)
	require.Nil(t, w.ok("jobs", "remark", id, "-o", "json").object(t)["remark"])
	require.Contains(t, w.ok("jobs", "tag", "--help").out, "-TAG")
	w.fails(ExitUsage, []string{"give tags"}, "jobs", "tag", id)
	w.fails(ExitUsage, []string{"name a job"}, "jobs", "tag")
	w.fails(ExitUsage, []string{"one word"}, "jobs", "tag", id, "a,b")
	w.fails(ExitUsage, []string{"--nonsense"}, "jobs", "tag", id, "a", "--nonsense")
	w.fails(ExitUsage, []string{"xml"}, "jobs", "tag", id, "a", "-o", "xml")
}
