package schedule

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCurve(t *testing.T) {
	t.Parallel()
	c := DefaultCurve()
	for age, want := range map[time.Duration]time.Duration{
		-time.Hour:        time.Second,
		0:                 time.Second,
		2 * time.Second:   time.Second,
		4 * time.Second:   2 * time.Second,
		10 * time.Second:  5 * time.Second,
		20 * time.Second:  10 * time.Second,
		200 * time.Second: 10 * time.Second,
		400 * time.Second: 20 * time.Second,
		600 * time.Second: 30 * time.Second,
		48 * time.Hour:    30 * time.Second,
	} {
		assert.Equal(t, want, c.Interval(age, 0.5), age)
		assert.InDelta(t, 0.9*float64(want), float64(c.Interval(age, 0)), 1e6, age)
		assert.Less(t, c.Interval(age, 0.999999), want+want/10, age)
	}
}

// TestCurveCost bounds polls and lateness for tasks of usual lengths.
func TestCurveCost(t *testing.T) {
	t.Parallel()
	c := DefaultCurve()
	for _, took := range []time.Duration{3 * time.Second, 30 * time.Second, 105 * time.Second, 10 * time.Minute} {
		age, polls := time.Duration(0), 0
		for age < took {
			age += c.Interval(age, 0.5)
			polls++
		}
		assert.LessOrEqual(t, age-took, took/2, took)
		assert.LessOrEqual(t, age-took, 30*time.Second, took)
		assert.LessOrEqual(t, polls, 8+int(took/(10*time.Second)), took)
	}
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	b := Backoff{Base: time.Second, Cap: time.Minute}
	for _, tc := range []struct {
		prev, asked time.Duration
		rnd         float64
		want        time.Duration
	}{
		{0, 0, 0, time.Second},
		{0, 0, 0.5, 2 * time.Second},
		{10 * time.Second, 0, 0, time.Second},
		{10 * time.Second, 0, 0.999999999, 30 * time.Second},
		{40 * time.Second, 0, 0.99, time.Minute},
		{0, 90 * time.Second, 0.5, 90*time.Second + Tick},
		{0, 24 * 365 * time.Hour, 0.5, time.Hour + Tick},
		{0, -time.Hour, 0, time.Second},
	} {
		assert.InDelta(t, float64(tc.want), float64(b.Next(tc.prev, tc.asked, tc.rnd)), 1e6, fmt.Sprint(tc))
	}
	prev := time.Duration(0)
	rnd := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same numbers again
	for range 1000 {
		next := b.Next(prev, 0, rnd.Float64())
		require.GreaterOrEqual(t, next, b.Base)
		require.LessOrEqual(t, next, min(b.Cap, 3*max(prev, b.Base)))
		prev = next
	}
}

func TestRoundUp(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_700_000_000_000)
	assert.Equal(t, at, RoundUp(at))
	assert.Equal(t, at.Add(Tick), RoundUp(at.Add(1)))
	assert.Equal(t, at.Add(Tick), RoundUp(at.Add(Tick)))
}

type item struct {
	Slot
	id string
}

func items(now time.Time, dues ...time.Duration) []*item {
	all := make([]*item, len(dues))
	for i, d := range dues {
		all[i] = &item{id: fmt.Sprint(i), Slot: Slot{Due: now.Add(d)}}
	}
	return all
}

func TestBuckets(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_000)
	live := items(now, 0, -time.Second, time.Second, -2*time.Second, time.Minute, Tick/2)
	b := NewBuckets[*item]()
	assert.True(t, b.Next().IsZero(), "nothing to wake up for")
	for _, it := range live {
		b.Put(it)
	}
	b.Put(&item{id: "parked"})
	assert.Equal(t, now.Add(-2*time.Second), b.Next().In(now.Location()))
	take := func(at time.Time) []string {
		ids := []string{}
		b.Take(at, func(en *item) { ids = append(ids, en.id) })
		return ids
	}
	assert.Empty(t, take(now.Add(-time.Hour)))
	live[1].Due = now.Add(2 * time.Second) // it is put off, and found there only
	b.Put(live[1])
	b.Put(live[1])
	assert.Equal(t, []string{"3", "0"}, take(now), "longest due first")
	assert.Equal(t, now.Add(Tick), b.Next().In(now.Location()), "due times are rounded up")
	assert.Equal(t, []string{"5"}, take(now.Add(Tick)))
	assert.Equal(t, []string{"2", "1"}, take(now.Add(3*time.Second)))
	assert.Equal(t, []string{"4"}, take(now.Add(time.Hour)))
	assert.Empty(t, b.at)
	assert.Empty(t, b.ticks)
}

// TestBucketsAtRandom moves entries about and compares with looking through all of them.
func TestBucketsAtRandom(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same numbers again
	now := time.UnixMilli(1_700_000_000_000)
	live := items(now, make([]time.Duration, 50)...)
	b := NewBuckets[*item]()
	waiting := map[*item]bool{}
	for range 5000 {
		en := live[rnd.IntN(50)]
		en.Due = RoundUp(now.Add(time.Duration(rnd.IntN(500)) * time.Millisecond))
		b.Put(en)
		waiting[en] = true
		now = now.Add(time.Duration(rnd.IntN(20)) * time.Millisecond)
		last := time.Time{}
		b.Take(now, func(en *item) {
			require.True(t, waiting[en])
			require.False(t, en.Due.After(now))
			require.False(t, en.Due.Before(last))
			last = en.Due
			delete(waiting, en)
		})
		for en := range waiting {
			require.True(t, en.Due.After(now), "nothing is forgotten")
			require.False(t, en.Due.Before(b.Next()))
		}
	}
}
