package sandbox

import (
	"math/rand/v2"
	"testing"
	"time"

	"darkroom/client/sandbox/script"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStateMachine(t *testing.T) {
	start := time.UnixMilli(1_000_000)
	const ms = time.Millisecond
	type want struct {
		phase    phase
		progress int
		term     string
	}
	cases := map[string]struct {
		script script.Script
		sync   bool
		after  time.Duration
		want   want
	}{
		"at once":                {after: 0, want: want{phaseQueued, 0, ""}},
		"before the clock began": {after: -time.Hour, want: want{phaseQueued, 0, ""}},
		"last of the queue":      {after: 999 * ms, want: want{phaseQueued, 0, ""}},
		"running":                {after: 1000 * ms, want: want{phaseRunning, 0, ""}},
		"halfway":                {after: 3000 * ms, want: want{phaseRunning, 50, ""}},
		"nearly":                 {after: 4999 * ms, want: want{phaseRunning, 99, ""}},
		"done":                   {after: 5000 * ms, want: want{phaseCompleted, 100, ""}},
		"long after":             {after: 1000 * time.Hour, want: want{phaseCompleted, 100, ""}},
		"will fail":              {script: script.Script{Fail: true}, after: 3300 * ms, want: want{phaseRunning, 57, ""}},
		"failed":                 {script: script.Script{Fail: true}, after: 3400 * ms, want: want{phaseFailed, 60, ""}},
		"stays queued":           {script: script.Script{Stay: script.StayQueued}, after: 99 * time.Hour, want: want{phaseQueued, 0, ""}},
		"stays running":          {script: script.Script{Stay: script.StayRunning}, after: 99 * time.Hour, want: want{phaseRunning, 42, ""}},
		"odd term":               {script: script.Script{Term: "x"}, after: 3000 * ms, want: want{phaseRunning, 50, "x"}},
		"odd term, queued":       {script: script.Script{Term: "x"}, after: 0, want: want{phaseQueued, 0, ""}},
		"odd term, done":         {script: script.Script{Term: "x"}, after: 6000 * ms, want: want{phaseCompleted, 100, ""}},
		"synchronous":            {sync: true, after: -time.Hour, want: want{phaseCompleted, 100, ""}},
		"synchronous stays":      {sync: true, script: script.Script{Stay: script.StayQueued}, want: want{phaseCompleted, 100, ""}},
		"synchronous fails":      {sync: true, script: script.Script{Fail: true}, want: want{phaseFailed, 60, ""}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := &record{CreatedMS: start.UnixMilli(), QueueMS: 1000, RunMS: 4000, Script: c.script, Sync: c.sync}
			st := r.at(start.Add(c.after))
			assert.Equal(t, c.want, want{st.phase, st.progress, st.term})
			assert.Equal(t, st.phase == phaseCompleted || st.phase == phaseFailed, !st.ended.IsZero())
			assert.Equal(t, st.phase == phaseFailed, st.code != "")
		})
	}
}

// Whatever the script, a task never goes back, and ends at most once.
func TestStateNeverGoesBack(t *testing.T) {
	order := map[phase]int{phaseQueued: 0, phaseRunning: 1, phaseFailed: 2, phaseCompleted: 2}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		r := &record{CreatedMS: rng.Int64N(1e4), QueueMS: rng.Int64N(3000), RunMS: rng.Int64N(9000),
			Script: script.Script{Fail: rng.IntN(3) == 0, Stay: []string{"", "", script.StayQueued, script.StayRunning}[rng.IntN(4)]}}
		last := state{phase: phaseQueued}
		for now := time.UnixMilli(0); now.Before(time.UnixMilli(23000)); now = now.Add(time.Duration(1+rng.IntN(900)) * time.Millisecond) {
			st := r.at(now)
			back := order[st.phase] < order[last.phase] || st.progress < last.progress
			changed := order[last.phase] == 2 && st != last
			if back || changed || st.progress < 0 || st.progress > 100 {
				t.Fatalf("%+v after %+v", st, last)
			}
			last = st
		}
	}
}

func TestScheduleVariesWithTheSeedOnly(t *testing.T) {
	sp := span{800 * time.Millisecond, 3200 * time.Millisecond}
	takes := func(seed int64, sc script.Script) time.Duration {
		r := &record{Seed: seed, Model: "famI-omni", Script: sc}
		r.schedule(sp, time.UnixMilli(5))
		return r.takes()
	}
	differ := false
	for seed := range int64(50) {
		d := takes(seed, script.Script{})
		assert.InDelta(t, 4000, d.Milliseconds(), 4000*0.151)
		assert.Equal(t, d, takes(seed, script.Script{}))
		assert.InDelta(t, 10*d.Milliseconds(), takes(seed, script.Script{Slow: 10}).Milliseconds(), 20)
		differ = differ || d != takes(0, script.Script{})
	}
	assert.True(t, differ)
}

func TestTimings(t *testing.T) {
	for _, tm := range Timings() {
		for _, k := range []kind{kindVideo, kindMusic, kindImage, kindResponse} {
			sp, err := tm.span(k)
			require.NoError(t, err)
			assert.Equal(t, tm == Instant, sp.run == 0, "%s %s", tm, k)
		}
	}
	_, err := New(Options{Timing: "slow"})
	assert.ErrorContains(t, err, "instant, fast, real")
}
