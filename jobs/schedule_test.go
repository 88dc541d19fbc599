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
		live[id] = &entry{kind: kindPoll, work: Work{Job: Job{ID: id, State: Running}, Due: now.Add(d)}}
	}
	return live
}

func TestPlan(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_000)
	live := entries(now, 0, -time.Second, time.Second, -2*time.Second, time.Minute, -3*time.Second)
	live["j005"].busy = true
	live["none"] = &entry{kind: kindNone, work: Work{Job: Job{ID: "none"}, Due: now}}
	live["parked"] = &entry{kind: kindPoll, work: Work{Job: Job{ID: "parked"}}}
	live["send"] = &entry{kind: kindCreate, work: Work{Job: Job{ID: "send"}, Due: now}}
	ids := func(list []*entry) []string {
		out := []string{}
		for _, e := range list {
			out = append(out, e.work.Job.ID)
		}
		return out
	}
	due, next := plan(now, live)
	assert.Equal(t, []string{"j003", "j001", "j000"}, ids(due[kindPoll]), "longest due first")
	assert.Equal(t, []string{"send"}, ids(due[kindCreate]))
	assert.Equal(t, now.Add(time.Second), next)
	due, next = plan(now.Add(-time.Hour), live)
	assert.Equal(t, [kinds][]*entry{}, due)
	assert.Equal(t, now.Add(-2*time.Second), next)
	due, next = plan(now, nil)
	assert.Equal(t, [kinds][]*entry{}, due)
	assert.True(t, next.IsZero(), "nothing to wake up for")
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
		after := e.work.Due.Sub(now)
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
	assert.Equal(t, now.Add(30*time.Second), live["j000"].work.Due, "a clock that went back parks nobody")
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
