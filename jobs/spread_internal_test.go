package jobs

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/schedule"
)

func entries(now time.Time, dues ...time.Duration) map[string]*entry {
	live := map[string]*entry{}
	for i, d := range dues {
		id := fmt.Sprintf("j%03d", i)
		live[id] = newEntry(&Work{Due: now.Add(d)}, &packed{id: id, state: Running})
	}
	return live
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
		after := e.Due.Sub(now)
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
	assert.Equal(t, now.Add(30*time.Second), live["j000"].Due, "a clock that went back parks nobody")
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
			perTick[e.Due.UnixNano()/int64(schedule.Tick)]++
			require.LessOrEqual(t, e.Due.Sub(now), time.Hour)
		}
		for tick, n := range perTick {
			require.LessOrEqual(t, n, 21, "%s: tick %d", name, tick)
		}
		if due > 0 {
			assert.Equal(t, now.Add(due), live["j007"].Due, "what was asked for is kept")
		}
	}
}
