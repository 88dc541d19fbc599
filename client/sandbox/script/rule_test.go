package script

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func asks(s string) func() []byte { return func() []byte { return []byte(s) } }

func optionsOf(t *testing.T, rules string) Script {
	t.Helper()
	sc, err := OfOptions(rules)
	require.NoError(t, err)
	return sc
}

func TestRulesForSomeTasksAreRead(t *testing.T) {
	sc := optionsOf(t, "slow by=1.2; fail code=X model=famB* rate=0.3\n drift by=1.5 tasks=10 model=famC;500 model=famA3")
	assert.Equal(t, Script{Slow: 1.2, Rules: []Rule{
		{Model: "famB*", Rate: 0.3, Script: Script{Fail: true, FailCode: "X"}},
		{Model: "famC", Script: Script{Pace: Pace{Drift: []Drift{{By: 1.5, Tasks: 10, of: "famC"}}}}},
		{Model: "famA3", Script: Script{Answers: []Fault{{Kind: HTTP, HTTP: 500, On: Create, Retry: -1}}}},
	}}, sc)
	sc, rest, err := OfPrompt("a kite [[sandbox:deliver size=50% duration=7.5 claim=asked model=famA3]]")
	require.NoError(t, err)
	assert.Equal(t, "a kite", rest)
	assert.Equal(t, []Rule{{Model: "famA3", Script: Script{Deliver: Deliver{Width: Amount{Part: 0.5}, Height: Amount{Part: 0.5}, Duration: Amount{Is: 7.5}, ClaimAsked: true}}}}, sc.Rules)
	queue, run, spread := time.Duration(0), 90*time.Second, 0.25
	assert.Equal(t, Pace{Queue: &queue, Run: &run, Spread: &spread}, optionsOf(t, "take queue=0 run=90; spread by=0.25").Pace)

	for rules, message := range map[string]string{
		"fail rate=0":                       "above 0 and up to 1",
		"fail rate=30%":                     "above 0 and up to 1",
		"fail rate=NaN":                     "above 0 and up to 1",
		"fail model=":                       "a name or a pattern",
		"fail model=[":                      "a name or a pattern",
		"fail models=famA3":                 "allowed: code, message; and model, rate",
		"nope model=famA3":                  "allowed: fail, slow, take",
		"take":                              "queue=1 run=20",
		"take run=-1":                       "a number from 0 to 86400",
		"take walk=1":                       "allowed: queue, run",
		"spread by=11":                      "a number from 0 to 10",
		"drift":                             "tasks=100",
		"drift tasks=1 hours=1":             "tasks=100",
		"drift by=0 tasks=1":                "a number from 0.1 to 10",
		"deliver":                           "say what differs: size, audio, duration, fps, sample-rate, channels",
		"deliver claim=asked":               "say what differs",
		"deliver size=50":                   "320x180, or a part as 50%",
		"deliver size=x":                    "16 to 4096",
		"deliver duration=0":                "0.1 to 60",
		"deliver duration=0%":               "1% to 1000%",
		"deliver channels=50%":              "1 or 2",
		"deliver channels=1.5":              "1 or 2",
		"deliver codec=av1":                 "allowed: size, audio, duration, fps, sample-rate, channels, claim",
		"deliver fps=6 claim=maybe":         "asked, made",
		"deliver sample-rate=x claim=asked": "8000 to 48000",
		"deliver audio=loud":                "allowed is none",
	} {
		_, err := OfOptions(rules)
		assert.ErrorContains(t, err, message, rules)
	}
	_, err = OfHeader("fail rate=0.5")
	require.ErrorContains(t, err, "for prompts and the options")
	for _, drift := range []string{"drift tasks=5", "drift tasks=5 model=famA3"} {
		_, _, err = OfPrompt("[[sandbox:" + drift + "]]")
		require.ErrorContains(t, err, "for the options", drift)
	}
}

func TestTheLastRuleThatIsForATaskCounts(t *testing.T) {
	sc := optionsOf(t, "slow by=3 model=famA*; slow by=1.5; slow by=0.5 model=famA3; deliver fps=6 claim=asked model=famA3; deliver duration=50% model=fam*")
	slow := func(model string) float64 { return NewCourse(1, noon).Decide(sc, model, asks("x"), noon).Slow }
	assert.Equal(t, []float64{0.5, 3, 1.5}, []float64{slow("famA3"), slow("famA1"), slow("famB")}, "one that names models goes before one that names none")
	got := NewCourse(1, noon).Decide(sc, "famA3", asks("x"), noon)
	assert.Equal(t, Deliver{FPS: Amount{Is: 6}, Duration: Amount{Part: 0.5}}, got.Deliver)
	assert.Empty(t, got.Rules)
}

// A rate holds over many tasks, and what happens to a task depends on the seed and its request alone.
func TestRatesAndSpreadAreDrawnBySeedAndRequest(t *testing.T) {
	const n = 4000
	sc := optionsOf(t, "fail rate=0.3 model=famA*; spread by=0.5")
	failed, least, most, longer := 0, math.Inf(1), 0.0, 0
	c := NewCourse(7, noon)
	for range n {
		got := c.Decide(sc, "famA3", asks("the same"), noon)
		if got.Fail {
			failed++
		}
		for _, f := range []float64{got.Pace.QueueBy, got.Pace.RunBy} {
			least, most = min(least, f), max(most, f)
		}
		if got.Pace.RunBy > 1 {
			longer++
		}
	}
	assert.InDelta(t, 0.3, float64(failed)/n, 0.03) // four standard errors
	assert.InDelta(t, 0.5, float64(longer)/n, 0.032)
	assert.InDelta(t, 1/1.5, least, 0.01)
	assert.InDelta(t, 1.5, most, 0.01)
	assert.False(t, c.Decide(sc, "famB", asks("the same"), noon).Fail)

	// The order in which different requests come changes nothing.
	course := func(seed int64, requests ...string) map[string][]string {
		c, out := NewCourse(seed, noon), map[string][]string{}
		for _, r := range requests {
			got := c.Decide(sc, "famA3", asks(r), noon)
			out[r] = append(out[r], fmt.Sprint(got.Fail, got.Pace.QueueBy, got.Pace.RunBy))
		}
		return out
	}
	one := course(1, "a", "a", "b", "b", "a")
	assert.Equal(t, one, course(1, "b", "a", "b", "a", "a"))
	assert.NotEqual(t, one, course(2, "a", "a", "b", "b", "a"))
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(slices.Concat(one["a"], one["b"])))), 5, "each draws anew")
}

func TestADriftGoesOnWithTasksOrTime(t *testing.T) {
	sc := optionsOf(t, "drift by=2 tasks=4 model=famA*; drift by=3 hours=2")
	c := NewCourse(1, noon)
	var of []float64
	for i := range 9 {
		c.Decide(sc, "famB"+strconv.Itoa(i), asks(""), noon) // of another model: not counted
		of = append(of, c.Decide(sc, "famA3", asks(""), noon).Pace.RunBy)
	}
	assert.InDeltaSlice(t, []float64{1, math.Sqrt2, 2, 4}, []float64{of[0], of[2], of[4], of[8]}, 1e-9)
	assert.InDelta(t, math.Sqrt(3), c.Decide(sc, "famB", asks(""), noon.Add(time.Hour)).Pace.QueueBy, 1e-9)
	assert.InDelta(t, driftMax, c.Decide(sc, "famB", asks(""), noon.AddDate(1, 0, 0)).Pace.RunBy, 1e-9)
}

func TestDeliverBendsWhatApplies(t *testing.T) {
	film := Media{Width: 256, Height: 144, FPS: 12, DurationMS: 4000}
	song := Media{DurationMS: 20_000, SampleRate: 32_000, Channels: 2}
	picture := Media{Width: 1024, Height: 768}
	for rule, want := range map[string][3]Media{
		"deliver size=50%":          {{Width: 128, Height: 72, FPS: 12, DurationMS: 4000}, song, {Width: 512, Height: 384}},
		"deliver size=321x90":       {{Width: 322, Height: 90, FPS: 12, DurationMS: 4000}, song, {Width: 321, Height: 90}},
		"deliver size=1%":           {{Width: 16, Height: 16, FPS: 12, DurationMS: 4000}, song, {Width: 16, Height: 16}},
		"deliver size=1000%":        {{Width: 1280, Height: 720, FPS: 12, DurationMS: 4000}, song, {Width: 4096, Height: 3072}},
		"deliver duration=120%":     {{Width: 256, Height: 144, FPS: 12, DurationMS: 4833}, {DurationMS: 24_000, SampleRate: 32_000, Channels: 2}, picture},
		"deliver duration=3":        {{Width: 256, Height: 144, FPS: 12, DurationMS: 3000}, {DurationMS: 3000, SampleRate: 32_000, Channels: 2}, picture},
		"deliver fps=50%":           {{Width: 256, Height: 144, FPS: 6, DurationMS: 4000}, song, picture},
		"deliver sample-rate=22050": {film, {DurationMS: 20_000, SampleRate: 22_050, Channels: 2}, picture},
		"deliver channels=1":        {film, {DurationMS: 20_000, SampleRate: 32_000, Channels: 1}, picture},
	} {
		for i, asked := range []Media{film, song, picture} {
			for _, hides := range []bool{false, true} {
				d := optionsOf(t, rule).Deliver
				claim := want[i]
				if d.ClaimAsked = hides; hides {
					claim = asked
				}
				claimed, made := d.Of(asked)
				assert.Equal(t, want[i], made, rule)
				assert.Equal(t, claim, claimed, rule)
			}
		}
	}
	film.Sound = true
	claimed, made := optionsOf(t, "deliver audio=none claim=asked").Deliver.Of(film)
	assert.Equal(t, []bool{true, false}, []bool{claimed.Sound, made.Sound})
	claimed, made = Deliver{}.Of(film)
	assert.Equal(t, film, claimed)
	assert.Equal(t, film, made)
}

func FuzzRules(f *testing.F) {
	for _, s := range []string{"deliver size=50% claim=asked", "take run=1e3", "spread by=0.3 model=fam[AB]*", "drift by=1.5 hours=0.5", "fail rate=1e-9", "deliver duration=1e999"} {
		f.Add(s, int64(1))
	}
	f.Fuzz(func(t *testing.T, s string, seed int64) {
		sc, err := OfOptions(s)
		if err != nil {
			return
		}
		got := NewCourse(seed, noon).Decide(sc, "famA3", asks(s), noon.Add(time.Duration(seed)))
		if len(got.Rules) > 0 {
			t.Errorf("%q: %+v", s, got.Rules)
		}
		queue, run := got.Pace.Phases(time.Second, time.Minute)
		if queue < 0 || run < 0 {
			t.Errorf("%q: %s, %s", s, queue, run)
		}
		claimed, made := got.Deliver.Of(Media{Width: 256, Height: 144, FPS: 12, DurationMS: 4000})
		if made.Width < sideMin || made.Height < sideMin || made.Width%2 > 0 || made.FPS < 1 || made.FPS > fpsMax || made.DurationMS < 1 || claimed.Width < sideMin {
			t.Errorf("%q: claims %+v, makes %+v", s, claimed, made)
		}
	})
}
