package sandbox

import (
	"math/rand/v2"
	"testing"
	"time"

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
		script script
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
		"will fail":              {script: script{Fail: true}, after: 3300 * ms, want: want{phaseRunning, 57, ""}},
		"failed":                 {script: script{Fail: true}, after: 3400 * ms, want: want{phaseFailed, 60, ""}},
		"stays queued":           {script: script{Stay: phaseQueued}, after: 99 * time.Hour, want: want{phaseQueued, 0, ""}},
		"stays running":          {script: script{Stay: phaseRunning}, after: 99 * time.Hour, want: want{phaseRunning, 42, ""}},
		"odd term":               {script: script{Term: "x"}, after: 3000 * ms, want: want{phaseRunning, 50, "x"}},
		"odd term, queued":       {script: script{Term: "x"}, after: 0, want: want{phaseQueued, 0, ""}},
		"odd term, done":         {script: script{Term: "x"}, after: 6000 * ms, want: want{phaseCompleted, 100, ""}},
		"synchronous":            {sync: true, after: -time.Hour, want: want{phaseCompleted, 100, ""}},
		"synchronous stays":      {sync: true, script: script{Stay: phaseQueued}, want: want{phaseCompleted, 100, ""}},
		"synchronous fails":      {sync: true, script: script{Fail: true}, want: want{phaseFailed, 60, ""}},
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
			Script: script{Fail: rng.IntN(3) == 0, Stay: []phase{"", "", phaseQueued, phaseRunning}[rng.IntN(4)]}}
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
	takes := func(seed int64, sc script) time.Duration {
		r := &record{Seed: seed, Model: "famI-omni", Script: sc}
		r.schedule(sp, time.UnixMilli(5))
		return r.takes()
	}
	differ := false
	for seed := range int64(50) {
		d := takes(seed, script{})
		assert.InDelta(t, 4000, d.Milliseconds(), 4000*0.151)
		assert.Equal(t, d, takes(seed, script{}))
		assert.InDelta(t, 10*d.Milliseconds(), takes(seed, script{Slow: 10}).Milliseconds(), 20)
		differ = differ || d != takes(0, script{})
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

func TestDirectives(t *testing.T) {
	cases := map[string]struct {
		text string
		want script
		rest string
	}{
		"none":           {"a [[kite]]", script{}, "a [[kite]]"},
		"fail":           {"a [[sandbox:fail]] kite", script{Fail: true}, "a  kite"},
		"fail with code": {`[[sandbox:fail code=X message="no luck"]]`, script{Fail: true, FailCode: "X", FailMessage: "no luck"}, ""},
		"slow":           {"[[sandbox:slow]]", script{Slow: 10}, ""},
		"slow by":        {"[[sandbox:slow by=2.5]]", script{Slow: 2.5}, ""},
		"stay queued":    {"[[sandbox:stay-queued]]", script{Stay: phaseQueued}, ""},
		"stay running":   {"[[sandbox:stay-running]]", script{Stay: phaseRunning}, ""},
		"unknown status": {"[[sandbox:unknown-status]]", script{Term: "reticulating"}, ""},
		"term":           {"[[sandbox:status term=NOT_START]]", script{Term: "NOT_START"}, ""},
		"first status":   {"[[sandbox:first-status]]", script{First: "unknown"}, ""},
		"no URL":         {"[[sandbox:no-url]] [[sandbox:error-url]]", script{Forms: forms{NoURL: true, ErrorURL: true}}, ""},
		"types":          {"[[sandbox:types]] [[sandbox:millis]] [[sandbox:flat]]", script{Forms: forms{Types: true, Millis: true, Flat: true}}, ""},
		"html":           {"[[sandbox:html]]", script{Answers: []fault{{Kind: faultHTML, On: classQuery, Retry: -1}}}, ""},
		"reset":          {"[[sandbox:reset on=create]]", script{Answers: []fault{{Kind: faultReset, On: classCreate, Retry: -1}}}, ""},
		"truncated":      {"[[sandbox:truncated times=1]]", script{Answers: []fault{{Kind: faultTruncated, On: classContent, Times: 1, Retry: -1}}}, ""},
		"delay":          {"[[sandbox:delay ms=20 on=all]]", script{Answers: []fault{{Kind: faultDelay, Millis: 20, Retry: -1}}}, ""},
		"a burst":        {"[[sandbox:500 on=query skip=1 times=2]]", script{Answers: []fault{{Kind: faultHTTP, On: classQuery, HTTP: 500, Skip: 1, Times: 2, Retry: -1}}}, ""},
		"a date":         {"[[sandbox:429 retry-after=3 date]]", script{Answers: []fault{{Kind: faultHTTP, On: classCreate, HTTP: 429, Retry: 3, Date: true}}}, ""},
		"429":            {"[[sandbox:429 retry-after=3 times=2]]", script{Answers: []fault{{Kind: faultHTTP, On: classCreate, HTTP: 429, Retry: 3, Times: 2}}}, ""},
		"500 after":      {"[[sandbox:500 after]]", script{Answers: []fault{{Kind: faultHTTP, On: classCreate, HTTP: 500, After: true, Retry: -1}}}, ""},
		"http":           {"[[sandbox:http code=503]]", script{Answers: []fault{{Kind: faultHTTP, On: classCreate, HTTP: 503, Retry: -1}}}, ""},
		"two":            {"[[sandbox:slow]] x [[ sandbox:no]] [[sandbox:FAIL]]", script{Slow: 10, Fail: true}, "x [[ sandbox:no]]"},
		"async":          {"x [[sandbox:async]]", script{Async: true}, "x"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			sc, rest, err := parseScript(c.text)
			require.NoError(t, err)
			assert.Equal(t, c.want, sc)
			assert.Equal(t, c.rest, rest)
		})
	}
	for text, message := range map[string]string{
		"[[sandbox:nope]]":             "allowed: fail, slow",
		"[[sandbox:]]":                 "allowed: fail, slow",
		"[[sandbox:fail cod=x]]":       "allowed: code, message",
		"[[sandbox:stay-queued x]]":    "allowed: none",
		"[[sandbox:slow by=0]]":        "factor",
		"[[sandbox:slow by=NaN]]":      "factor",
		"[[sandbox:200]]":              "allowed are 400",
		"[[sandbox:429 times=x]]":      "times",
		"[[sandbox:500 skip=-1]]":      "skip",
		"[[sandbox:500 on=moon]]":      "create, query, content, list, all",
		"[[sandbox:delay ms=99999]]":   "60000",
		"[[sandbox:html code=500]]":    "unknown argument",
		"[[sandbox:no-url x]]":         "allowed: none",
		"[[sandbox:http]]":             "allowed are 400",
		"[[sandbox:429 retry-after=]]": "retry-after",
	} {
		_, _, err := parseScript(text)
		assert.ErrorContains(t, err, message, text)
	}
}

func FuzzDirectives(f *testing.F) {
	for _, s := range []string{"x", "[[sandbox:fail code=X]]", `[[sandbox:fail message="a b" code]]`, "[[sandbox:429 times=3 after]]", "[[sandbox:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sc, rest, err := parseScript(s)
		if err == nil && len(rest) > len(s) {
			t.Errorf("%q became %q", s, rest)
		}
		for _, f := range sc.Answers {
			if f.Kind == faultHTTP && (f.HTTP < 400 || f.HTTP > 599) {
				t.Errorf("status %d", f.HTTP)
			}
		}
	})
}
