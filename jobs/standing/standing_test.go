package standing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/jobs/standing"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// scene knows that tasks take from 61 to 160 s.
func scene() standing.Scene {
	past := make([]time.Duration, 100)
	for i := range past {
		past[i] = time.Duration(61+i) * time.Second
	}
	plan := schedule.NewPlan(past)
	return standing.Scene{Profile: "a", Host: "gateway", PlanOf: func(*jobs.Job) *schedule.Plan { return plan }}
}

func running(age time.Duration) *jobs.Job {
	return &jobs.Job{Profile: "a", State: jobs.Running, Progress: 42, AcceptedAt: now.Add(-age), NextPollAt: now.Add(time.Second)}
}

func TestAJobThatGoesOn(t *testing.T) {
	t.Parallel()
	c := scene()
	s := c.Of(running(100*time.Second), now)
	assert.False(t, s.Held())
	assert.True(t, s.Moving)
	assert.InDelta(t, 0.42, s.Share, 1e-9)
	assert.True(t, s.Told)
	assert.Equal(t, 30*time.Second, s.Left.Truncate(time.Second))
	assert.False(t, s.Slow)
	assert.Positive(t, s.Step())
	late := c.Of(running(time.Hour), now)
	assert.True(t, late.Slow)
	assert.False(t, late.Told)
	assert.Zero(t, late.Step(), "slow it stays")
}

func TestWhatDoesNotGoOnHasNoForecast(t *testing.T) {
	t.Parallel()
	c := scene()
	parked := running(time.Minute)
	parked.State, parked.NextPollAt = jobs.Unknown, time.Time{}
	paused := running(time.Minute)
	paused.Paused = true
	for name, j := range map[string]*jobs.Job{"parked": parked, "paused": paused, "planned": {State: jobs.Planned}, "ended": {State: jobs.Completed}} {
		s := c.Of(j, now)
		assert.Nil(t, s.Plan, name)
		assert.Zero(t, s.Step(), name)
	}
	c.PlanOf = nil
	s := c.Of(running(time.Minute), now)
	assert.Nil(t, s.Plan)
}

func TestPausesHoldJobsOfTheirProfile(t *testing.T) {
	t.Parallel()
	c := scene()
	c.Flow = jobs.Flow{Paused: true, Hosts: "gateway"}
	j := running(time.Minute)
	assert.Equal(t, []jobs.Hold{{Kind: jobs.HoldAll}, {Kind: jobs.HoldHost, Host: "gateway"}}, c.Holds(j))
	s := c.Of(j, now)
	assert.True(t, s.Held())
	j.Profile = "b"
	assert.Empty(t, c.Holds(j), "those of other profiles are not known")
}

func TestFiles(t *testing.T) {
	t.Parallel()
	c := scene()
	j := &jobs.Job{State: jobs.Completed, Files: []jobs.File{
		{State: jobs.FileFailed}, {State: jobs.FileFetching, Bytes: 30, Total: 60}, {State: jobs.FileSaved, Bytes: 60},
	}}
	s := c.Of(j, now)
	assert.True(t, s.Pending)
	assert.Equal(t, 1, s.Failed)
	assert.True(t, s.Moving)
	assert.InDelta(t, 0.75, s.Share, 1e-9)
}
