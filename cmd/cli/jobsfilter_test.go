package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// TestListByAFilter: `jobs list` takes the filter of Queue, beside its flags.
func TestListByAFilter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now()
	ids := w.history(12+4, func(i int, j *jobs.Job) {
		j.CreatedAt = now.Add(-time.Duration(i) * time.Hour)
		j.SubmittedAt, j.AcceptedAt = j.CreatedAt, j.CreatedAt
		j.EndedAt = j.CreatedAt.Add(time.Duration(i+1) * time.Second)
		j.UpdatedAt = j.EndedAt
		switch i {
		case 12:
			j.State, j.Error, j.Tags = jobs.Failed, &client.TaskError{Code: "content_policy"}, []string{"answered"}
		case 13:
			j.State, j.Error = jobs.Refused, &client.TaskError{Code: "rate_limit"}
		case 14:
			j.State, j.EndedAt, j.TaskID = jobs.Running, time.Time{}, "t"
			j.NextPollAt = now.Add(time.Minute)
		case 15:
			j.Profile = "work"
		}
	})
	for text, want := range map[string][]string{
		"age<90m":                    {ids[1], ids[0]},
		"is:fault":                   {ids[13], ids[12]},
		"is:fault -tag:answered":     {ids[13]},
		"code:content*":              {ids[12]},
		"is:slow":                    {ids[14]},
		"is:stuck":                   {ids[14]},
		"took>10s took<13s sort:age": {ids[11], ids[10]},
		"profile:work":               {ids[15]},
	} {
		var got []string
		for _, j := range w.ok("jobs", "list", text, "-o", "json").array(t) {
			got = append(got, j.(map[string]any)["id"].(string))
		}
		assert.Equal(t, want, got, text)
	}
	first := w.ok("jobs", "list", "state:completed", "sort:took", "--limit", "5", "-o", "json").array(t)
	assert.Equal(t, ids[0], first[0].(map[string]any)["id"])
	next := w.ok("jobs", "list", "--filter", "sort:took", "--state", "completed", "--before", ids[4], "-o", "json").array(t)
	assert.Equal(t, ids[5], next[0].(map[string]any)["id"], "the order goes on behind a job")
	assert.Contains(t, w.ok("jobs", "list", "sort:-took", "--limit", "2").err, "--before "+jobs.ShortID(ids[12]))
	assert.Contains(t, w.ok("jobs", "list", "tag:nobody").err, "no jobs that fit")

	w.fails(kit.ExitUsage, []string{"foo< is not a filter", "state: kind:", "age<"}, "jobs", "list", "foo<3")
	w.fails(kit.ExitUsage, []string{"--tag", "tag:"}, "jobs", "list", "tag:a", "--tag", "b")
	w.fails(kit.ExitUsage, []string{"--state"}, "jobs", "list", "is:fault", "--state", "failed")
	require.Contains(t, w.ok("__complete", "jobs", "list", "is:s").out, "is:stuck")
	require.Contains(t, w.ok("__complete", "jobs", "list", "--filter", "age<1h so").out, "age<1h sort:")
}

func TestViewsOfJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.history(3, func(i int, j *jobs.Job) {
		j.CreatedAt = time.Now()
		switch i {
		case 0:
			j.State = jobs.Ambiguous
		case 1:
			j.State, j.Tags, j.EndedAt = jobs.Failed, []string{"answered"}, time.Now()
		}
	})
	of := func(args ...string) (got []string) {
		for _, j := range w.ok(append([]string{"jobs", "list", "-o", "json"}, args...)...).array(t) {
			got = append(got, j.(map[string]any)["id"].(string))
		}
		return got
	}
	assert.Equal(t, []string{ids[0]}, of("--view", "ambiguous"))
	assert.Equal(t, []string{ids[1]}, of("--view", "Failed today"))
	assert.Empty(t, of("--view", "failed today", "tag:other"), "a filter narrows it")
	assert.Contains(t, w.ok("jobs", "views").out, "failed today")

	require.Contains(t, w.ok("jobs", "views", "save", "unanswered", "is:fault", "-o", "json").out, `"own": true`)
	assert.Equal(t, []string{ids[1], ids[0]}, of("--view", "unanswered"))
	w.ok("jobs", "views", "save", "unanswered", "--about", "nobody said anything", "--", "-tag:answered is:fault")
	assert.Equal(t, []string{ids[0]}, of("--view", "unanswered"))
	assert.Contains(t, w.ok("__complete", "jobs", "list", "--view", "un").out, "unanswered")
	w.ok("jobs", "views", "rm", "unanswered")

	w.fails(kit.ExitUsage, []string{`"unanswered"`, "failed today, slow"}, "jobs", "list", "--view", "unanswered")
	w.fails(kit.ExitNotFound, []string{"no such view"}, "jobs", "views", "rm", "unanswered")
	w.fails(kit.ExitUsage, []string{"foo< is not a filter"}, "jobs", "views", "save", "x", "foo<3")
}

// TestInspectComparesThePace: `inspect` says of a task under way what earlier ones of its model and mode
// took, and that it is slow.
func TestInspectComparesThePace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = stranger(t, map[string]string{
		"/v1/videos/video_77": `{"id":"video_77","object":"video","model":"famI-omni","status":"in_progress","progress":40}`,
	}), testKey
	profile := w.ok("config", "-o", "json").object(t)["profile"].(string)
	now := time.Now()
	w.history(20+1, func(i int, j *jobs.Job) {
		j.Profile, j.AcceptedAt = profile, now.Add(-10*time.Hour)
		j.EndedAt = j.AcceptedAt.Add(time.Duration(i+1) * time.Minute)
		if i == 20 {
			j.State, j.EndedAt, j.TaskID, j.QueryFormat, j.Progress = jobs.Running, time.Time{}, "video_77", "videos", 40
			j.AcceptedAt, j.UpdatedAt = now.Add(-25*time.Minute), now.Add(-time.Minute)
		}
	})
	r := w.ok("inspect", "video_77")
	// The clock goes on while it is asked.
	assert.Regexp(t, `Slow: running for 25 m \d\d s; 95 of 100 tasks of this model and mode took less than 19 m 00 s \(n=20\)\.`, r.out)
	pace := w.ok("inspect", "video_77", "-o", "json").object(t)["pace"].(map[string]any)
	assert.Equal(t, true, pace["slow"])
	assert.Equal(t, false, pace["stuck"])
	assert.EqualValues(t, 20, pace["tasks"])
	assert.EqualValues(t, 19*60_000, pace["p95_ms"])
}
