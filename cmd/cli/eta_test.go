package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// TestForecastOfJobs: lists and details tell what is left and what is slow, from twelve
// tasks on, and nothing of what does not go on.
func TestForecastOfJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now()
	ids := w.history(12+5, func(i int, j *jobs.Job) {
		j.AcceptedAt = now.Add(-10 * time.Hour)
		j.EndedAt = j.AcceptedAt.Add(time.Duration(60+i) * time.Minute)
		if i >= 12 {
			j.State, j.EndedAt, j.TaskID = jobs.Running, time.Time{}, "t"
			j.AcceptedAt = now.Add(-30 * time.Minute)
			j.NextPollAt = now.Add(time.Minute)
		}
		switch i {
		case 13:
			j.AcceptedAt = now.Add(-3 * time.Hour)
		case 14:
			j.Draft.Model = "famA3"
		case 15:
			j.Paused = true
		case 16:
			j.Profile = "work"
		}
	})
	table := w.ok("jobs", "list", "--all-profiles").out
	line := func(id string) string {
		for l := range strings.Lines(table) {
			if strings.Contains(l, jobs.ShortID(id)) {
				return l
			}
		}
		return ""
	}
	require.Regexp(t, `running, ~3[5-6] m`, line(ids[12]))
	require.Contains(t, line(ids[13]), "running, slow")
	for _, id := range []string{ids[14], ids[15], ids[16], ids[0]} {
		require.NotContains(t, line(id), "~")
		require.NotContains(t, line(id), "slow")
	}
	byID := map[string]map[string]any{}
	for _, j := range w.ok("jobs", "list", "--all-profiles", "-o", "json").array(t) {
		m := j.(map[string]any)
		byID[m["id"].(string)] = m
	}
	require.InDelta(t, 35*time.Minute.Milliseconds(), byID[ids[12]]["eta_ms"], 60_000)
	require.NotContains(t, byID[ids[12]], "slow")
	require.NotContains(t, byID[ids[12]], "Forecast", "nothing that is for people alone")
	require.Equal(t, true, byID[ids[13]]["slow"])
	require.NotContains(t, byID[ids[13]], "eta_ms")
	require.NotContains(t, byID[ids[15]], "eta_ms")

	shown := w.ok("jobs", "show", ids[13]).out
	require.Contains(t, shown, "takes longer than 95 of 100")
	require.Contains(t, shown, "1 h 05 m, 95 of 100 within 1 h 11 m (the last 12 tasks)")
	require.NotContains(t, w.ok("jobs", "show", ids[14]).out, "usual")
	require.Contains(t, w.ok("jobs", "show", ids[12], "-o", "json").out, `"eta_ms"`)
}
