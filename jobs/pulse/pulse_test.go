package pulse_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/pulse"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func done(model string, took time.Duration) jobs.Job {
	return jobs.Job{State: jobs.Completed, Draft: client.Draft{Model: model}, SubmittedAt: now.Add(-time.Hour), EndedAt: now.Add(-time.Hour + took)}
}

func TestOf(t *testing.T) {
	in := pulse.Input{Now: now, Pace: pulse.Pace{Rate: 50, Top: 50}, Flow: jobs.Flow{Hosts: "cdn.example", Until: now.Add(time.Minute), Rate: 2}}
	in.Active = []jobs.Job{
		{State: jobs.Running, NextPollAt: now.Add(5 * time.Second)}, {State: jobs.Queued, NextPollAt: now.Add(-time.Minute)},
		{State: jobs.Running, NextPollAt: now.Add(time.Minute)}, {State: jobs.Ambiguous}, {State: jobs.Unknown},
		{State: jobs.Running, NextPollAt: now, Paused: true},
	}
	for i := range 20 {
		in.Ended = append(in.Ended, done("m1", time.Duration(i+1)*time.Second))
	}
	in.Ended = append(in.Ended, done("m2", time.Minute), jobs.Job{State: jobs.Completed, Draft: client.Draft{Model: "m3"}},
		jobs.Job{State: jobs.Failed, Error: &client.TaskError{Code: "busy"}}, jobs.Job{State: jobs.Failed, Error: &client.TaskError{Code: "busy"}},
		jobs.Job{State: jobs.Failed}, jobs.Job{State: jobs.Refused}, jobs.Job{State: jobs.Lost, Error: &client.TaskError{}}, jobs.Job{State: jobs.Dropped})
	in.Ended = append(in.Ended, jobs.Job{State: jobs.Failed, Error: &client.TaskError{Code: "late"}, EndedAt: now.Add(-time.Minute)},
		jobs.Job{State: jobs.Failed, Error: &client.TaskError{Code: "late"}, EndedAt: now.Add(-2 * time.Hour)}, jobs.Job{State: jobs.Failed, Error: &client.TaskError{Code: "late"}, EndedAt: now.Add(-3 * time.Hour)})
	s := pulse.Of(in)
	assert.Equal(t, []pulse.Count{{"late", 1}}, s.LastHour)
	assert.Equal(t, []pulse.Count{{"ambiguous", 1}, {"queued", 1}, {"running", 3}, {"unknown", 1}}, s.InFlight)
	assert.Equal(t, []pulse.Count{{"late", 3}, {"busy", 2}, {"lost", 1}, {pulse.Uncoded, 1}, {"refused", 1}}, s.Failures)
	assert.Equal(t, []pulse.Took{{"m2", 1, time.Minute, time.Minute}, {"m1", 20, 10 * time.Second, 19 * time.Second}}, s.Models, "what is not known is not 0")
	assert.Equal(t, pulse.Holds{Hosts: "cdn.example", Jobs: 1, Until: now.Add(time.Minute)}, s.Holds)
	assert.Equal(t, 2, s.Due, "what is late, and what comes; not what is paused")
	assert.InDelta(t, 0.2, s.Rate, 0.001)
	assert.Equal(t, pulse.Pace{Rate: 2, Top: 50}, s.Pace, "slowed down")
}

// pausing is a history that knows pauses.
type pausing struct{ history }

func (p *pausing) Pauses(context.Context) ([]jobs.Pause, error) {
	return []jobs.Pause{{Profile: "a", Host: "cdn.example"}}, p.err
}

// TestPausesAreRead: an engine that only reads does not have them in its counts.
func TestPausesAreRead(t *testing.T) {
	in, err := pulse.Read(t.Context(), &pausing{}, "a", now, pulse.Pace{})
	require.NoError(t, err)
	assert.Equal(t, pulse.Holds{Paused: true, Hosts: "cdn.example"}, pulse.Of(in).Holds, "with what the counts say")
}

func TestNothingIsNothing(t *testing.T) {
	s := pulse.Of(pulse.Input{Now: now, Flow: jobs.Flow{Until: now.Add(-time.Second)}})
	assert.True(t, s.Holds.None(), "a pause that has passed holds nothing")
	assert.Empty(t, s.InFlight)
	assert.NotNil(t, s.Failures, "as JSON it is an empty list")
}

// history answers by states.
type history struct {
	all []jobs.Job
	err error
}

func (h *history) Counts() jobs.Counts { return jobs.Counts{Flow: jobs.Flow{Paused: true}} }
func (h *history) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	var p jobs.Page
	for i := range h.all {
		if j := &h.all[i]; q.Matches(j) {
			if len(p.Jobs) == q.Limit {
				p.Next = "more"
				break
			}
			p.Jobs = append(p.Jobs, *j)
		}
	}
	return p, h.err
}

func TestRead(t *testing.T) {
	h := &history{}
	add := func(s jobs.State, ago time.Duration) {
		at := now.Add(-ago)
		j := jobs.Job{ID: fmt.Sprint(len(h.all)), Profile: "a", State: s, CreatedAt: at, UpdatedAt: at}
		if !s.Active() {
			j.CreatedAt, j.EndedAt = at.Add(-100*time.Hour), at
		}
		h.all = append(h.all, j)
	}
	add(jobs.Running, 100*time.Hour)
	add(jobs.Failed, time.Hour)
	add(jobs.Failed, 30*time.Hour)
	add(jobs.Completed, time.Hour)
	add(jobs.Dropped, time.Hour)
	h.all = append(h.all, jobs.Job{ID: "x", Profile: "b", State: jobs.Failed, CreatedAt: now, UpdatedAt: now, EndedAt: now})
	in, err := pulse.Read(t.Context(), h, "a", now, pulse.Pace{Rate: 5})
	require.NoError(t, err)
	assert.Len(t, in.Active, 1, "however old")
	assert.Len(t, in.Ended, 2, "those that ended within the last day, however old, of the profile")
	assert.True(t, in.Flow.Paused)
	assert.False(t, in.Cut)
	for range pulse.Most {
		add(jobs.Completed, time.Minute)
	}
	in, err = pulse.Read(t.Context(), h, "a", now, pulse.Pace{})
	require.NoError(t, err)
	assert.True(t, in.Cut)
	h.err = errors.New("away")
	_, err = pulse.Read(t.Context(), h, "", now, pulse.Pace{})
	require.Error(t, err)
}
