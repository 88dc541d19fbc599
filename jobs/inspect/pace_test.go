package inspect

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// minutes is a plan of twenty tasks that took from one to twenty minutes.
func minutes(*jobs.Job) *schedule.Plan {
	var past []time.Duration
	for i := range 20 {
		past = append(past, time.Duration(i+1)*time.Minute)
	}
	return schedule.NewPlan(past)
}

func TestPace(t *testing.T) {
	running := func(age, still time.Duration) *jobs.Job {
		return &jobs.Job{State: jobs.Running, AcceptedAt: now.Add(-age), UpdatedAt: now.Add(-still), NextPollAt: now.Add(time.Second)}
	}
	paused := running(2*time.Hour, 2*time.Hour)
	paused.Paused = true
	forgotten := running(2*time.Hour, 2*time.Hour)
	forgotten.NextPollAt = now.Add(-time.Hour)
	for name, x := range map[string]struct {
		job  *jobs.Job
		plan func(*jobs.Job) *schedule.Plan
		next string
	}{
		"usual": {running(9*time.Minute, time.Minute), minutes, "Running for 9m0s, which is usual; 95 of 100 tasks of this model and mode took less than 19m0s (n=20). r asks again."},
		"slow":  {running(25*time.Minute, time.Minute), minutes, "Slow: running for 25m0s; 95 of 100 tasks of this model and mode took less than 19m0s (n=20). r asks again. If it stays so"},
		"stuck": {running(50*time.Minute, 40*time.Minute), minutes, "Stuck: running for 50m0s, and neither state nor progress has changed for 40m0s; 95 of 100"},
		"stuck, and nothing known": {running(50*time.Minute, 31*time.Minute), func(*jobs.Job) *schedule.Plan { return nil },
			"Stuck: running for 50m0s, and neither state nor progress has changed for 31m0s. r asks again."},
		"unchanged, but not for long enough": {running(50*time.Minute, 35*time.Minute), minutes, "Slow: running for 50m0s"},
		"paused":                             {paused, minutes, "Slow: running for 2h0m0s"},
		"nobody asks":                        {forgotten, minutes, "Slow: running for 2h0m0s"},
		"too few are known":                  {running(2*time.Hour, time.Minute), func(*jobs.Job) *schedule.Plan { return nil }, "Running for 1h0m0s, which is long"},
		"another's":                          {nil, minutes, "Running for 1h0m0s, which is long"},
	} {
		f := about(task(client.StatusRunning))
		f.Job = x.job
		f.Plan = x.plan(x.job)
		v := f.Verdict(ways(), now)
		assert.Contains(t, v.Sentences(), x.next, name)
		assert.Equal(t, !strings.Contains(x.next, "usual"), v.Long, name)
	}
	f := about(task(client.StatusCompleted))
	f.Job, f.Plan = running(50*time.Minute, 40*time.Minute), minutes(nil)
	require.Nil(t, f.Pace(now), "it has ended: the history is late")
	f = about(task(client.StatusRunning))
	f.Job, f.Plan = running(50*time.Minute, 40*time.Minute), minutes(nil)
	f.Routes[0].Result.Task.Progress = 7
	require.Zero(t, f.Pace(now).Still, "its progress differs from what the history saw")
}
