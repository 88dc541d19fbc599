package schedule

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTightCurve(t *testing.T) {
	t.Parallel()
	c := TightCurve()
	for age, want := range map[time.Duration]time.Duration{
		0: time.Second, 40 * time.Second: time.Second, 100 * time.Second: 2500 * time.Millisecond,
		200 * time.Second: 5 * time.Second, 24 * time.Hour: 5 * time.Second,
	} {
		assert.Equal(t, want, c.Interval(age, 0.5), age)
	}
	for _, took := range []time.Duration{4 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute} {
		age, last, polls := time.Duration(0), time.Duration(0), 0
		for age < took {
			last = age
			age += c.Interval(age, 0.999)
			polls++
		}
		assert.LessOrEqual(t, age-last, max(1100*time.Millisecond, took*3/100), "%s is known to 3%% or a second", took)
		assert.LessOrEqual(t, polls, map[bool]int{false: 90, true: 190}[took > 2*time.Minute], took)
	}
}

// TestTightRoom: all tasks together get at most half of the pace, and less where the gateway slows us
// down, until it has not done so for a while.
func TestTightRoom(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_000)
	s := NewTight(TightCurve())
	assert.Equal(t, time.Second, s.Interval(0, 0.5), "before anything is told")
	perSecond := func(tasks int, rate float64) float64 {
		now = now.Add(time.Second)
		s.Paced(now, tasks, rate, 50)
		return float64(tasks) / s.Interval(0, 0.5).Seconds()
	}
	assert.InDelta(t, 20, perSecond(20, 50), 0.01, "there is room")
	assert.InDelta(t, 25, perSecond(100, 50), 0.01, "half of the rate")
	assert.InDelta(t, 12.5, perSecond(100, 35), 0.01, "the gateway slowed us down")
	for i := range 4 {
		assert.InDelta(t, 12.5, perSecond(100, 30-float64(i)), 0.4, "for what was under way")
	}
	assert.InDelta(t, 6.4, perSecond(100, 20), 0.1, "and it goes on")
	assert.InDelta(t, 6.5, perSecond(100, 21), 0.1, "the rate recovers")
	assert.InDelta(t, 1, perSecond(100, 2), 0.01, "never more than half of what there is")
	assert.InDelta(t, 6.5, perSecond(100, 50), 0.1)
	for range 138 {
		perSecond(100, 50)
	}
	assert.InDelta(t, 13, perSecond(100, 50), 0.2, "twice as much after 139 seconds")
	for range 1000 {
		perSecond(100, 50)
	}
	assert.InDelta(t, 25, perSecond(100, 50), 0.01)

	now = now.Add(-time.Hour) // the clock was set back
	assert.InDelta(t, 12.5, perSecond(100, 35), 0.01)
	for i := range 1000 {
		perSecond(100, 0.5-0.0001*float64(i))
	}
	require.LessOrEqual(t, s.Interval(0, 0.5), 100*20*time.Second, "never less than a poll in 20 s")
	s.Paced(now, 100, 0, 0)
	assert.Equal(t, time.Second, s.Interval(0, 0.5), "no pace, no limit")
}
