package queue

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/tui/screen"
)

// usual are tasks that take from 61 to 160 s.
func usual() *schedule.Plan {
	past := make([]time.Duration, 100)
	for i := range past {
		past[i] = time.Duration(61+i) * time.Second
	}
	return schedule.NewPlan(past)
}

// clocked is a screen with a plan for all jobs, and its clock.
func clocked(t *testing.T, w, h int, js ...jobs.Job) (*bench, *time.Time) {
	t.Helper()
	f := newFake(js...)
	now := start
	d, plan := deps(t, f), usual()
	d.Now = func() time.Time { return now }
	d.PlanOf = func(*jobs.Job) *schedule.Plan { return plan }
	return openDeps(t, d, f, w, h), &now
}

func since(n int, s jobs.State, age time.Duration) jobs.Job {
	j := job(n, s)
	j.CreatedAt, j.AcceptedAt, j.NextPollAt = start.Add(-age-time.Second), start.Add(-age), start.Add(time.Hour)
	return j
}

func TestGoldenForecast(t *testing.T) {
	running := since(9, jobs.Running, 40*time.Second)
	bare := since(8, jobs.Running, 100*time.Second)
	bare.Progress = -1
	queued := since(7, jobs.Queued, 5*time.Second)
	slow := since(6, jobs.Running, 170*time.Second)
	paused := since(5, jobs.Running, 10*time.Second)
	paused.Paused = true
	for _, s := range sizes {
		b, _ := clocked(t, s[0], s[1], running, bare, queued, slow, paused, job(4, jobs.Planned), job(3, jobs.Completed))
		b.Golden(fmt.Sprintf("forecast-%dx%d", s[0], s[1]))
		b.Send(screen.ShowJob{JobID: jobID(6)})
		b.Golden(fmt.Sprintf("forecast-slow-%dx%d", s[0], s[1]))
	}
}

// TestForecastAges: what is left shrinks with the time, the screen asks for no tick before
// it would say something else, and where nothing goes on for none.
func TestForecastAges(t *testing.T) {
	late, _ := clocked(t, 120, 34, since(1, jobs.Running, 10*time.Minute))
	require.Contains(t, line(late.View(), "▶   a"), "slow")
	b, now := clocked(t, 120, 34, since(1, jobs.Running, 70*time.Second))
	require.Contains(t, line(b.View(), "▶   a"), "~45 s")
	require.Contains(t, b.View(), "about 45 s")
	seen := map[string]bool{}
	for b.m.nextForecast() > 0 {
		d := b.m.NextTick()
		before := b.View()
		*now = now.Add(d - 1)
		b.Send(screen.TickMsg{Now: *now})
		require.Equal(t, before, b.View(), "nothing changes sooner than the tick")
		*now = now.Add(1)
		b.Send(screen.TickMsg{Now: *now})
		seen[strings.Join(strings.Fields(b.View()), " ")] = true
	}
	assert.Greater(t, len(seen), 5)
	assert.Contains(t, line(b.View(), "▶   a"), "slow")

	b, _ = clocked(t, 120, 34, job(3, jobs.Completed))
	assert.Zero(t, b.m.nextForecast(), "nothing goes on")
	b, _ = clocked(t, 120, 34, since(3, jobs.Running, time.Hour))
	assert.Zero(t, b.m.nextForecast(), "slow it stays")
}

// TestForecastOfHidden: a hidden screen asks for no ticks.
func TestForecastOfHidden(t *testing.T) {
	b, _ := clocked(t, 120, 34, since(1, jobs.Running, 70*time.Second))
	require.NotZero(t, b.m.nextForecast())
	b.Send(screen.HiddenMsg{})
	require.Zero(t, b.m.NextTick())
}
