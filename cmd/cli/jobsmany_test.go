package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/bundle"
)

// manyJobs are six jobs, of which every second one failed; the last is of another profile.
func manyJobs(w *world) []string {
	now := time.Now()
	return w.history(6, func(i int, j *jobs.Job) {
		j.CreatedAt = now.Add(-time.Duration(i) * time.Minute)
		if i%2 == 1 {
			j.State, j.Error, j.EndedAt = jobs.Failed, &client.TaskError{Code: "busy", Message: "=cmd()"}, now
		}
		if i == 5 {
			j.Profile = "work"
		}
	})
}

// TestManyAreTagged by names or by a filter, which asks with the number unless it is told not to.
func TestManyAreTagged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := manyJobs(w)
	tagged := func(tag string) (out []string) {
		for _, j := range w.ok("jobs", "list", "tag:"+tag, "-o", "json").array(t) {
			out = append(out, j.(map[string]any)["id"].(string))
		}
		return out
	}
	w.ok("jobs", "tag", ids[0]+","+ids[2], "+a")
	assert.Equal(t, []string{ids[2], ids[0]}, tagged("a"))
	w.ok("jobs", "tag", "--filter", "is:fault", "--yes", "+b", "-a")
	assert.Equal(t, []string{ids[3], ids[1]}, tagged("b"), "of this profile alone")
	w.ok("jobs", "tag", "--view=failed today", "--yes", "-b", "late")
	assert.Empty(t, tagged("b"))
	assert.Len(t, tagged("late"), 2)
	w.ok("jobs", "remark", "--filter=is:fault", "--yes", "ticket", "77")
	assert.Len(t, w.ok("jobs", "list", "--search", "ticket 77", "-o", "json").array(t), 2)

	w.fails(kit.ExitUsage, []string{"2 jobs fit", "--yes"}, "jobs", "tag", "--filter", "is:fault", "+x")
	assert.Empty(t, tagged("x"))
	w.fails(kit.ExitUsage, []string{"foo: is not a filter"}, "jobs", "tag", "--filter", "foo:x", "--yes", "+x")
	w.fails(kit.ExitUsage, []string{"add --profile"}, "jobs", "tag", "--filter", "profile:work", "--yes", "+x")
	w.fails(kit.ExitNotFound, []string{"no job fits"}, "jobs", "tag", "--filter", "tag:nobody", "--yes", "+x")
	w.fails(kit.ExitUsage, []string{"name a job"}, "jobs", "tag")
	w.fails(kit.ExitUsage, []string{"name a job"}, "jobs", "remark")
}

// TestManyAreAskedAbout: who cannot be is told with the reason, and named ones stand alone.
func TestManyAreAskedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := manyJobs(w)
	r := w.fails(kit.ExitNotFound, []string{"no job fits"}, "jobs", "repoll", "--filter", "is:fault", "--yes")
	assert.Contains(t, r.err, "left out "+jobs.ShortID(ids[1])+": there is nothing to ask about")
	w.fails(kit.ExitUsage, []string{"one of them"}, "jobs", "repoll", "--filter", "is:fault", ids[0])
	w.fails(kit.ExitUsage, []string{"name jobs"}, "jobs", "repoll")
}

func TestChosenJobsAreExported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := manyJobs(w)
	rows, err := csv.NewReader(strings.NewReader(w.ok("jobs", "export", "--filter", "is:fault").out)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	assert.Equal(t, ids[3], rows[1][0], "in the order of the filter")
	assert.Contains(t, rows[1], "'=cmd()", "no cell is a formula")

	var all []jobs.Job
	require.NoError(t, json.Unmarshal([]byte(w.ok("jobs", "export", ids[0], ids[5], ids[0], "--as", "json").out), &all))
	require.Len(t, all, 2, "each once, of any profile")
	assert.Equal(t, ids[0], all[0].ID)

	path := filepath.Join(w.dir, "a.zip")
	got := w.ok("jobs", "export", ids[1], "--to", path, "--without", "prompts", "-o", "json").object(t)
	assert.Equal(t, map[string]any{"path": path, "form": "bundle", "jobs": 1.0}, got)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	b, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	require.Len(t, b.Cases, 1)
	assert.Contains(t, w.ok("inspect", "--bundle", path).out, "failed")
	w.fails(kit.ExitUsage, []string{"already", "--force"}, "jobs", "export", ids[1], "--to", path)
	assert.Contains(t, w.ok("jobs", "export", ids[1], "--to", path, "--force").err, "1 job, in ")

	w.fails(kit.ExitUsage, []string{"--to"}, "jobs", "export", ids[1], "--as", "bundle")
	w.fails(kit.ExitUsage, []string{"csv, json and bundle"}, "jobs", "export", ids[1], "--as", "xml")
	w.fails(kit.ExitUsage, []string{"prompts, paths, queries"}, "jobs", "export", ids[1], "--without", "names")
	w.fails(kit.ExitNotFound, []string{"none"}, "jobs", "export", "nonesuch")
	w.fails(kit.ExitNotFound, []string{"no job fits"}, "jobs", "export", "--filter", "tag:nobody")
}

// TestThePulse counts by state and code, of the profile in use.
func TestThePulse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now()
	w.history(5, func(i int, j *jobs.Job) {
		j.CreatedAt, j.SubmittedAt, j.UpdatedAt = now.Add(-time.Minute), now.Add(-time.Minute), now
		switch i {
		case 0, 1:
			j.State, j.Error, j.EndedAt = jobs.Failed, &client.TaskError{Code: "busy\x1b"}, now
		case 2:
			j.EndedAt = now
		case 3:
			j.State, j.TaskID, j.NextPollAt = jobs.Running, "t", now
		case 4:
			j.State, j.Profile, j.EndedAt = jobs.Refused, "work", now
		}
	})
	s := w.ok("jobs", "pulse", "-o", "json").object(t)
	assert.Equal(t, []any{map[string]any{"of": "running", "jobs": 1.0}}, s["in_flight"])
	assert.Equal(t, []any{map[string]any{"of": "busy\x1b", "jobs": 2.0}}, s["failures"])
	assert.Len(t, w.ok("jobs", "pulse", "-a", "-o", "json").object(t)["failures"], 2)
	out := w.ok("jobs", "pulse").out
	assert.Contains(t, out, "in flight")
	assert.Contains(t, out, "p50 / p95")
	assert.NotContains(t, out, "\x1b")
}

// TestManyAreAskedAtOnce: those of a filter are all asked about before the first answer is waited for.
func TestManyAreAskedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, prompt := range []string{"waves", "stones"} {
		w.ok("create", "music", prompt, "-o", "json")
	}
	all := w.ok("jobs", "repoll", "--filter", "kind:music", "--yes", "-o", "json").array(t)
	require.Len(t, all, 2)
	for _, j := range all {
		assert.Equal(t, "completed", j.(map[string]any)["state"], "it waits for the answers")
	}
}
