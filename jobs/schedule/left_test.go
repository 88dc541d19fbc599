package schedule

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// seconds are durations of 1 s, 2 s and so on.
func seconds(n int) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = time.Duration(n-i) * time.Second
	}
	return out
}

func TestPlanTellsWhatIsLeft(t *testing.T) {
	t.Parallel()
	p := NewPlan(seconds(100))
	assert.Equal(t, 100, p.Tasks())
	assert.Equal(t, 50*time.Second, p.Median())
	assert.Equal(t, 95*time.Second, p.P95())
	for _, tc := range []struct{ age, left time.Duration }{
		{0, 50 * time.Second},
		{-time.Hour, 50 * time.Second},
		{500 * time.Millisecond, 49500 * time.Millisecond},
		{50 * time.Second, 25 * time.Second}, // of 51 to 100 s, 75 s is the middle
		{90 * time.Second, 5 * time.Second},
		{97*time.Second - 1, 2*time.Second + 1 - time.Second}, // 97, 98, 99, 100
	} {
		left, ok := p.Left(tc.age)
		require.True(t, ok, tc.age)
		assert.Equal(t, tc.left, left, tc.age)
	}
	_, ok := p.Left(98 * time.Second)
	assert.False(t, ok, "two single cases tell nothing")
	assert.False(t, p.Slow(95*time.Second-1))
	assert.True(t, p.Slow(95*time.Second), "it still runs when they had ended")
}

func TestPlanSteps(t *testing.T) {
	t.Parallel()
	p := NewPlan(seconds(100))
	for age, steps := time.Duration(0), 0; ; steps++ {
		left, ok := p.Left(age)
		d := p.NextStep(age)
		if d == 0 {
			assert.Equal(t, 100, steps)
			break
		}
		if ok && d > 1 {
			near, _ := p.Left(age + d - 1)
			assert.Equal(t, left-(d-1), near, "up to the step only the age grows")
		}
		age += d
	}
}

func TestNoPlanTellsNothing(t *testing.T) {
	t.Parallel()
	p := NewPlan(seconds(11))
	_, ok := p.Left(0)
	assert.False(t, ok)
	assert.False(t, p.Slow(time.Hour))
	assert.Zero(t, p.Tasks())
	assert.Zero(t, p.Median())
	assert.Zero(t, p.P95())
	assert.Zero(t, p.NextStep(0))
	require.NotNil(t, NewPlan(seconds(12)), "twelve do")
}
