package schedule

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// follow polls one task by a plan, and says when and how late.
func follow(p *Plan, took time.Duration, rnd func() float64) (polls int, late time.Duration) {
	age := time.Duration(0)
	for age < took {
		age += p.Interval(age, rnd())
		polls++
	}
	return polls, age - took
}

func middle() float64 { return 0.5 }

func many(n int, d func(i int) time.Duration) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = d(i)
	}
	return out
}

func lognormal(rnd *rand.Rand, median, sigma float64) time.Duration {
	return time.Duration(median * math.Exp(sigma*rnd.NormFloat64()) * float64(time.Second))
}

func TestPlanNeedsAPast(t *testing.T) {
	t.Parallel()
	assert.Nil(t, NewPlan(nil))
	assert.Nil(t, NewPlan(make([]time.Duration, 1000)), "no duration at all")
	assert.Nil(t, NewPlan(many(11, func(int) time.Duration { return time.Minute })))
	require.NotNil(t, NewPlan(many(12, func(int) time.Duration { return time.Minute })))
	newest := many(1000, func(i int) time.Duration {
		if i < maxPast {
			return time.Minute
		}
		return time.Hour
	})
	assert.Equal(t, time.Minute, NewPlan(newest).usual, "the newest count")
}

func TestPlanOfConstantDurations(t *testing.T) {
	t.Parallel()
	for _, took := range []time.Duration{time.Second, 8 * time.Second, time.Minute, 10 * time.Minute} {
		p := NewPlan(many(50, func(int) time.Duration { return took }))
		polls, late := follow(p, took, middle)
		assert.LessOrEqual(t, late, time.Second, took)
		assert.LessOrEqual(t, polls, 3+int(took/maxPause), took)
		polls, _ = follow(p, 4*took+time.Minute, middle)
		assert.LessOrEqual(t, polls, 150, "what takes longer than ever is asked more and more rarely: %s", took)
	}
}

func TestPlanOfTwoPoints(t *testing.T) {
	t.Parallel()
	p := NewPlan(many(100, func(i int) time.Duration {
		return []time.Duration{20 * time.Second, 200 * time.Second}[i%2] + time.Duration(i)*time.Millisecond
	}))
	_, late := follow(p, 20*time.Second, middle)
	assert.LessOrEqual(t, late, 2*time.Second)
	polls, late := follow(p, 200*time.Second, middle)
	assert.LessOrEqual(t, polls, 22, "fixed ones would be 20")
	assert.LessOrEqual(t, late, 20*time.Second)
	assert.Greater(t, p.Interval(100*time.Second, 0.5), 5*p.Interval(20*time.Second, 0.5), "nothing ends in between")
}

func TestPlanHeedsNoOutlier(t *testing.T) {
	t.Parallel()
	past := many(100, func(i int) time.Duration { return time.Minute + time.Duration(i)*100*time.Millisecond })
	p := NewPlan(past)
	past[7] = 24 * time.Hour
	q := NewPlan(past)
	_, late := follow(p, 65*time.Second, middle)
	_, lateToo := follow(q, 65*time.Second, middle)
	assert.InDelta(t, late.Seconds(), lateToo.Seconds(), 5)
}

// TestPlanBounds holds whatever the past was.
func TestPlanBounds(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same numbers again
	for range 500 {
		median, sigma, n := math.Exp(rnd.Float64()*9), rnd.Float64()*2, 12+rnd.IntN(300)
		p := NewPlan(many(n, func(int) time.Duration { return lognormal(rnd, median, sigma) }))
		for _, b := range p.bins {
			require.GreaterOrEqual(t, b.pause, minPause)
			require.LessOrEqual(t, b.pause, maxPause)
		}
		for range 50 {
			age := time.Duration(rnd.ExpFloat64() * 2 * median * float64(time.Second))
			d := p.Interval(age, rnd.Float64())
			require.GreaterOrEqual(t, d, minPause, "age %s", age)
			require.LessOrEqual(t, d, maxPause+maxPause/10, "age %s", age)
		}
		last := p.bins[len(p.bins)-1].until
		require.LessOrEqual(t, p.pause(2*last), p.pause(5*last), "behind the longest it grows")
	}
	p := NewPlan(many(12, func(int) time.Duration { return time.Minute }))
	assert.Equal(t, p.Interval(0, 0.5), p.Interval(-time.Hour, 0.5), "a clock that went back")
	assert.LessOrEqual(t, p.Interval(math.MaxInt64, 0.5), maxPause)
}

// TestPlanBeatsFixedPolls compares with a poll every ten seconds, in both what it costs
// and what it brings.
func TestPlanBeatsFixedPolls(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same numbers again
	const tasks, pasts = 2000, 20
	polls, fixed, late := 0, 0, 0.0
	for range pasts {
		p := NewPlan(many(200, func(int) time.Duration { return lognormal(rnd, 105, 0.516) }))
		for range tasks {
			took := lognormal(rnd, 105, 0.516)
			n, d := follow(p, took, rnd.Float64)
			polls += n
			late += d.Seconds()
			fixed += int(took/fixedPause) + 1
		}
	}
	assert.Less(t, float64(polls), 0.99*float64(fixed))
	assert.Less(t, late/(tasks*pasts), 4.8, "5.0 of the fixed ones")
}

// TestPlanLearnsThatTasksAreFaster feeds what a plan sees back into the next one.
func TestPlanLearnsThatTasksAreFaster(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same numbers again
	seen := many(200, func(int) time.Duration { return lognormal(rnd, 105, 0.3) })
	for range 1500 {
		p := NewPlan(seen)
		took := lognormal(rnd, 30, 0.3)
		_, late := follow(p, took, rnd.Float64)
		seen = append([]time.Duration{took + late}, seen[:199]...)
	}
	assert.Less(t, NewPlan(seen).usual, 30*time.Second, "once it was 60 s")
}
