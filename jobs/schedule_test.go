package jobs

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
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
	assert.Equal(t, at, roundUp(at))
	assert.Equal(t, at.Add(Tick), roundUp(at.Add(1)))
	assert.Equal(t, at.Add(Tick), roundUp(at.Add(Tick)))
}

func entries(now time.Time, dues ...time.Duration) map[string]*entry {
	live := map[string]*entry{}
	for i, d := range dues {
		id := fmt.Sprintf("j%03d", i)
		live[id] = newEntry(&Work{Due: now.Add(d)}, &held{id: id, state: Running})
	}
	return live
}

func TestBuckets(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_000)
	live := entries(now, 0, -time.Second, time.Second, -2*time.Second, time.Minute, Tick/2)
	b := newBuckets()
	assert.True(t, b.next().IsZero(), "nothing to wake up for")
	for i := range 6 {
		b.put(live[fmt.Sprintf("j%03d", i)])
	}
	b.put(newEntry(&Work{}, &held{id: "parked"}))
	assert.Equal(t, now.Add(-2*time.Second), b.next().In(now.Location()))
	take := func(at time.Time) []string {
		ids := []string{}
		b.take(at, func(en *entry) { ids = append(ids, en.job.id) })
		return ids
	}
	assert.Empty(t, take(now.Add(-time.Hour)))
	live["j001"].due = now.Add(2 * time.Second) // it is put off, and found there only
	b.put(live["j001"])
	b.put(live["j001"])
	assert.Equal(t, []string{"j003", "j000"}, take(now), "longest due first")
	assert.Equal(t, now.Add(Tick), b.next().In(now.Location()), "due times are rounded up")
	assert.Equal(t, []string{"j005"}, take(now.Add(Tick)))
	assert.Equal(t, []string{"j002", "j001"}, take(now.Add(3*time.Second)))
	assert.Equal(t, []string{"j004"}, take(now.Add(time.Hour)))
	assert.Empty(t, b.at)
	assert.Empty(t, b.ticks)
}

// TestBucketsAtRandom moves entries about and compares with looking through all of them.
func TestBucketsAtRandom(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same numbers again
	now := time.UnixMilli(1_700_000_000_000)
	live := entries(now, make([]time.Duration, 50)...)
	b := newBuckets()
	waiting := map[*entry]bool{}
	for range 5000 {
		en := live[fmt.Sprintf("j%03d", rnd.IntN(50))]
		en.due = roundUp(now.Add(time.Duration(rnd.IntN(500)) * time.Millisecond))
		b.put(en)
		waiting[en] = true
		now = now.Add(time.Duration(rnd.IntN(20)) * time.Millisecond)
		last := time.Time{}
		b.take(now, func(en *entry) {
			require.True(t, waiting[en])
			require.False(t, en.due.After(now))
			require.False(t, en.due.Before(last))
			last = en.due
			delete(waiting, en)
		})
		for en := range waiting {
			require.True(t, en.due.After(now), "nothing is forgotten")
			require.False(t, en.due.Before(b.next()))
		}
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_000)
	dues := make([]time.Duration, 1000)
	for i := range dues {
		dues[i] = -time.Hour
	}
	dues[0] = 24 * time.Hour
	live := entries(now, dues...)
	spread(now, live, 8, 30*time.Second)
	perSecond := map[int]int{}
	atOnce := 0
	for id, e := range live {
		after := e.due.Sub(now)
		require.LessOrEqual(t, after, 30*time.Second, id)
		if after <= 0 {
			atOnce++
		} else {
			perSecond[int(after/time.Second)]++
		}
	}
	assert.Equal(t, 8, atOnce)
	for s, n := range perSecond {
		assert.LessOrEqual(t, n, 110, "second %d", s)
	}
	assert.Equal(t, now.Add(30*time.Second), live["j000"].due, "a clock that went back parks nobody")
}

// TestSpreadOfMany wakes up with ten thousand jobs, after a sleep and with a clock that
// went back: nothing is a burst.
func TestSpreadOfMany(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_000)
	for name, due := range map[string]time.Duration{"slept": -time.Hour, "went back": time.Hour} {
		dues := make([]time.Duration, 10_000)
		for i := range dues {
			dues[i] = due
		}
		live := entries(now, dues...)
		live["j007"].attempts = 2 // an answer asked to wait so long
		spread(now, live, 1, 66*time.Second)
		perTick := map[int64]int{}
		for _, e := range live {
			perTick[tickOf(e.due)]++
			require.LessOrEqual(t, e.due.Sub(now), time.Hour)
		}
		for tick, n := range perTick {
			require.LessOrEqual(t, n, 21, "%s: tick %d", name, tick)
		}
		if due > 0 {
			assert.Equal(t, now.Add(due), live["j007"].due, "what was asked for is kept")
		}
	}
}

func TestOwner(t *testing.T) {
	t.Parallel()
	me := NewOwner()
	assert.NotEqual(t, me, NewOwner(), "engines of one process are told apart")
	assert.False(t, ownerDead(me))
	for _, o := range []string{"", "me", "a|b", "other/boot/ns|1|2", "|1|2", "#" + ownerPlace() + "|x|1", "#" + ownerPlace() + "|1|"} {
		assert.False(t, ownerDead(o), o)
	}
	if ownerPlace() == "" {
		return // the system does not tell who lives
	}
	cmd := exec.Command("sleep", "60")
	require.NoError(t, cmd.Start())
	owner := fmt.Sprintf("1#%s|%d|%s", ownerPlace(), cmd.Process.Pid, processStart(cmd.Process.Pid))
	assert.False(t, ownerDead(owner))
	assert.True(t, ownerDead(owner+"1"), "the id was used again")
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	assert.True(t, ownerDead(owner))
}
