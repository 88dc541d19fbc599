package stat_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/stat"
)

const second = time.Second

func exact(d time.Duration) compare.Interval {
	return compare.Interval{Source: compare.Polled, Least: d, Most: d}
}

// handmade is a run of one prompt, of models with these total times in seconds; below 0 is a failure.
func handmade(totals map[string][]float64) *compare.Run {
	run := &compare.Run{}
	for _, name := range []string{"a", "b", "c", "d"} {
		times, ok := totals[name]
		if !ok {
			continue
		}
		run.Repeats = max(run.Repeats, len(times))
		run.Cells = append(run.Cells, compare.Cell{Number: len(run.Cells) + 1, Model: name, Prompt: compare.Prompt{ID: "p1"}})
		for i, s := range times {
			t := compare.Trial{Slot: compare.Slot{Cell: len(run.Cells), Repeat: i + 1}, Attempt: 1}
			if s < 0 {
				t.State, t.Code = jobs.Failed, "boom"
			} else {
				t.State, t.Latency.Total = jobs.Completed, exact(time.Duration(math.Round(s*1000))*time.Millisecond)
			}
			run.Trials = append(run.Trials, t)
		}
	}
	return run
}

func between(t *testing.T, run *compare.Run, m stat.Metric) stat.Comparison {
	t.Helper()
	s := stat.Of(run, stat.Options{})
	c, ok := s.Between("a", "b", m)
	require.True(t, ok)
	return c
}

func TestFasterIsSaidWithItsEvidence(t *testing.T) {
	c := between(t, handmade(map[string][]float64{"a": {4, 4.1, 4.2, 4.3, 4.4, 4.5}, "b": {6, 6.1, 6.2, 6.3, 6.4, 6.5}}), stat.Total)
	assert.Equal(t, stat.Better, c.Verdict)
	assert.Equal(t, "a was faster than b: median 4.2 s [4.0 s, 4.5 s] against 6.2 s [6.0 s, 6.5 s], n = 6 and 6, by 1.7 s to 2.3 s, p = 0.002 (Mann-Whitney; by polls).", c.Sentence)
	assert.Equal(t, stat.Worse, c.Mirror().Verdict)
	assert.Contains(t, c.Mirror().Sentence, "b was slower than a: median 6.2 s")
	assert.Contains(t, c.Mirror().Sentence, "by 1.7 s to 2.3 s")
}

func TestNoDifferenceSaysWhatThereMayBe(t *testing.T) {
	c := between(t, handmade(map[string][]float64{"a": {4, 4.2, 4.4, 4.6, 4.8}, "b": {4.1, 4.3, 4.5, 4.7, 4.9}}), stat.Total)
	assert.Equal(t, stat.NoDifference, c.Verdict)
	assert.Equal(t, "No difference shown between a and b in total time: median 4.4 s [4.0 s, 4.8 s at 94 %] against 4.5 s [4.1 s, 4.9 s at 94 %], n = 5 and 5, p = 0.69 (Mann-Whitney; by polls); b took from 500 ms less to 700 ms more.", c.Sentence)
}

func TestTooFewSaysHowMany(t *testing.T) {
	run := handmade(map[string][]float64{"a": {4, 4, 4}, "b": {9, 9, 9}, "c": {9, 9, 9}})
	c := between(t, run, stat.Total)
	assert.Equal(t, stat.TooFew, c.Verdict)
	assert.Equal(t, 5, c.Needed, "2/C(10,5) times 3 is .024, 2/C(8,4) times 3 .086")
	assert.Equal(t, "Too few trials to compare a with b in total time: n = 3 and 3. Among 3 pairs, not even winning every time would show anything; both sides need at least 5 trials of the prompt.", c.Sentence)
	assert.Equal(t, stat.TooFew, between(t, run, stat.Success).Verdict)
	assert.Equal(t, 3, stat.Needed(15, 2, .05))
	assert.Equal(t, 6, stat.Needed(15, 1, .05))
	assert.Equal(t, 4, stat.Needed(1, 1, .05))
	assert.Equal(t, 4, stat.Needed(0, -1, 7), "what makes no sense is one pair, one prompt, 5 %")
}

func TestNothingInCommonIsSaid(t *testing.T) {
	run := handmade(map[string][]float64{"a": {4, 5}, "b": {6, 7}})
	run.Cells[1].Prompt.ID = "p2"
	c := between(t, run, stat.Total)
	assert.Equal(t, stat.TooFew, c.Verdict)
	assert.Zero(t, c.Tests)
	assert.Contains(t, c.Sentence, "no trials of the same prompt")
}

// Needed and the verdict say the same: with so many every-time winners are shown, with one less not.
func TestNeededIsEnough(t *testing.T) {
	for _, groups := range []int{2, 3, 6} {
		for _, prompts := range []int{1, 2, 5} {
			pairs := groups * (groups - 1) / 2
			need := stat.Needed(pairs, prompts, .05)
			for _, repeats := range []int{need - 1, need} {
				if repeats == 0 {
					continue
				}
				m := made{models: families(groups, 4*second), prompts: prompts, repeats: repeats}
				m.models[0].mean = 400 * second
				s := stat.Of(m.run(1), stat.Options{})
				c, ok := s.Between("famA", "famB", stat.Total)
				require.True(t, ok)
				if repeats == need {
					assert.Equal(t, stat.Worse, c.Verdict, c.Sentence)
				} else {
					assert.Equal(t, stat.TooFew, c.Verdict, c.Sentence)
					assert.Equal(t, need, c.Needed)
				}
			}
		}
	}
}

// The polls leave open which was faster: all middles of a are below all of b, but the intervals overlap.
func TestFasterOnlyWhenTheIntervalsAllowIt(t *testing.T) {
	run := handmade(map[string][]float64{"a": {4, 4.1, 4.2, 4.3, 4.4, 4.5}, "b": {6, 6.1, 6.2, 6.3, 6.4, 6.5}})
	widen := func(by time.Duration) {
		for i := range run.Trials {
			l := &run.Trials[i].Latency.Total
			mid := l.Mid()
			l.Least, l.Most = mid-by, mid+by
		}
	}
	widen(700 * time.Millisecond)
	c := between(t, run, stat.Total)
	assert.Equal(t, stat.Better, c.Verdict)
	assert.Equal(t, stat.Range{Low: 1, High: 1}, *c.Superior)
	widen(1500 * time.Millisecond)
	c = between(t, run, stat.Total)
	assert.Equal(t, stat.NoDifference, c.Verdict)
	assert.True(t, c.Coarse)
	assert.Contains(t, c.Sentence, "the polls were too far apart to tell")
	assert.Less(t, c.Superior.Low, c.Superior.High)

	for i := range run.Trials {
		l := &run.Trials[i].Latency
		l.GatewayTotal = compare.Interval{Source: compare.Stamped, Least: l.Total.Mid(), Most: l.Total.Mid()}
	}
	c = between(t, run, stat.Total)
	assert.Equal(t, stat.Better, c.Verdict)
	assert.Contains(t, c.Sentence, "by the gateway's stamps")
	run.Trials[3].Latency.GatewayTotal = compare.Interval{}
	c = between(t, run, stat.Total)
	assert.Equal(t, stat.NoDifference, c.Verdict, "one trial has no stamps")
	assert.Equal(t, compare.Polled, c.Source)
}

// Whatever the true values are, within the intervals: what is claimed holds for them, too.
func TestClaimsHoldForAllThatTheIntervalsAllow(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	claims := 0
	for range 300 {
		m := made{models: families(2, 4*second), prompts: 1 + r.IntN(3), repeats: 2 + r.IntN(6), poll: time.Duration(1+r.IntN(20)) * 100 * time.Millisecond}
		m.models[0].mean = time.Duration(float64(m.models[0].mean) * (1 + r.Float64()))
		run := m.run(r.Uint64())
		s := stat.Of(run, stat.Options{})
		c, _ := s.Between("famA", "famB", stat.Total)
		if c.Verdict != stat.Better && c.Verdict != stat.Worse {
			continue
		}
		claims++
		for range 20 {
			for i := range run.Trials {
				l := &run.Trials[i].Latency.Total
				d := l.Least + time.Duration(r.Int64N(int64(l.Most-l.Least)+1))
				run.Trials[i].Latency.GatewayTotal = compare.Interval{Source: compare.Stamped, Least: d, Most: d}
			}
			is := stat.Of(run, stat.Options{})
			truth, _ := is.Between("famA", "famB", stat.Total)
			assert.Equal(t, compare.Stamped, truth.Source)
			assert.Equal(t, c.Verdict, truth.Verdict)
			assert.LessOrEqual(t, truth.P, c.P+1e-12)
			if c.Shift != nil {
				assert.LessOrEqual(t, c.Shift.Least, truth.Shift.Least)
				assert.GreaterOrEqual(t, c.Shift.Most, truth.Shift.Most)
			}
		}
	}
	assert.Greater(t, claims, 30)
}

func TestTimedOutIsLongerThanAllKnown(t *testing.T) {
	run := handmade(map[string][]float64{"a": {4, 4.1, 4.2, 4.3, 4.4, 4.5}, "b": {5, 5.1, 5.2, 30, 30, 30}})
	for i := range run.Trials {
		if x := &run.Trials[i]; x.Latency.Total.Least == 30*second {
			x.State, x.TimedOut, x.Latency.Total.Open = jobs.Running, true, true
		}
	}
	s := stat.Of(run, stat.Options{})
	b, ok := s.Groups[1].Time(stat.Total)
	require.True(t, ok)
	assert.Equal(t, 6, b.N)
	assert.Equal(t, 3, b.Censored)
	assert.True(t, b.Median.MoreThan)
	assert.Equal(t, "more than 17.6 s [5.0 s, open]", b.Median.String(), "between 5.2 s and more than 30 s")
	assert.Equal(t, []stat.Code{{Code: "timed out", Count: 3}}, s.Groups[1].Errors)
	assert.Equal(t, 3, s.Groups[1].Success.Count)
	c, _ := s.Between("a", "b", stat.Total)
	assert.Equal(t, stat.Better, c.Verdict)
	assert.Contains(t, c.Sentence, "n = 6 and 6 (0 and 3 timed out)")
	assert.True(t, c.Shift.MostOpen)

	// Where a is known to have taken longer than b was waited for, it does not count as the faster one.
	for i := range 6 {
		run.Trials[i].Latency.Total = exact(40 * second)
	}
	assert.Equal(t, stat.NoDifference, between(t, run, stat.Total).Verdict)
}

func TestGroupInNumbers(t *testing.T) {
	run := handmade(map[string][]float64{"a": {1, 2, -1}, "b": {1, 1, 1}})
	refused := slices.IndexFunc(run.Trials, func(t compare.Trial) bool { return t.Slot == compare.Slot{Cell: 2, Repeat: 3} })
	run.Trials[refused].Outcome = compare.Outcome{State: jobs.Refused, Code: "no\x1b[31m_credit"}
	run.Trials = append(run.Trials,
		compare.Trial{Slot: compare.Slot{Cell: 1, Repeat: 1, Warmup: true}, Attempt: 1, Outcome: compare.Outcome{State: jobs.Failed}},
		compare.Trial{Slot: compare.Slot{Cell: 2, Repeat: 3}, Attempt: 2, Outcome: compare.Outcome{State: jobs.Completed}},
		compare.Trial{Slot: compare.Slot{Cell: 1, Repeat: 4}, Attempt: 1, Outcome: compare.Outcome{State: jobs.Running}},
		compare.Trial{Slot: compare.Slot{Cell: 1, Repeat: 5}, Attempt: 1, Outcome: compare.Outcome{State: jobs.Dropped}},
		compare.Trial{Slot: compare.Slot{Cell: 1, Repeat: 6}, Attempt: 1, Outcome: compare.Outcome{State: jobs.Ambiguous}},
	)
	run.Cells = append(run.Cells, compare.Cell{Number: 3, Model: "a", Prompt: compare.Prompt{ID: "p2"}, Cannot: "has no picture"})
	s := stat.Of(run, stat.Options{})
	a, b := s.Groups[0], s.Groups[1]
	assert.Equal(t, "2 of 3 (67 % [21 %, 94 %])", a.Success.String(), "the warm-up, the open, the dropped and the unclear one do not count")
	assert.Equal(t, []int{1, 1, 1, 2, 0}, []int{a.Cells, a.Cannot, a.Open, a.Unclear, a.Resent})
	assert.Equal(t, stat.Pass{N: 3, Cells: 1}, a.Pass)
	assert.Equal(t, []stat.Code{{Code: "boom", Count: 1}}, a.Errors)
	assert.Equal(t, 1, b.Resent)
	assert.Equal(t, 2, b.Success.Count, "what came of the second attempt does not count")
	assert.Equal(t, []stat.Code{{Code: "no␛[31m_credit", Count: 1}}, b.Errors)
	assert.Len(t, s.Notes, 2)
	require.Len(t, s.Prompts, 3)
	assert.Equal(t, "p2", s.Prompts[1].Prompt)
	assert.Equal(t, 1, s.Prompts[1].Cannot)
}

func TestP95NeedsTwenty(t *testing.T) {
	var many []float64
	for i := range 20 {
		many = append(many, float64(i+1))
	}
	s := stat.Of(handmade(map[string][]float64{"a": many[:19], "b": many}), stat.Options{})
	a, _ := s.Groups[0].Time(stat.Total)
	b, _ := s.Groups[1].Time(stat.Total)
	assert.Nil(t, a.P95)
	require.NotNil(t, b.P95)
	assert.Equal(t, 19*second, b.P95.Value)
	assert.Equal(t, "10.5 s [6.0 s, 15.0 s]", b.Median.String())
}

func TestGroupings(t *testing.T) {
	run := &compare.Run{Repeats: 1}
	for _, model := range []string{"a", "b"} {
		for _, format := range []string{"common", "native"} {
			for _, d := range []string{"5", "8"} {
				run.Cells = append(run.Cells, compare.Cell{Number: len(run.Cells) + 1, Model: model, Format: format, Prompt: compare.Prompt{ID: "p"}, Settings: []compare.Setting{{Field: "duration", Value: d}}})
				run.Trials = append(run.Trials, compare.Trial{Slot: compare.Slot{Cell: len(run.Cells), Repeat: 1}, Attempt: 1, Outcome: compare.Outcome{State: jobs.Completed}})
			}
		}
	}
	for by, want := range map[stat.By]struct {
		groups, blocks int
		name, each     string
	}{
		stat.ByAll: {8, 1, "a · common · duration 5", "prompt"}, stat.ByModel: {2, 4, "a", "cell"},
		stat.ByFormat: {4, 2, "a · common", "cell"}, stat.BySettings: {4, 2, "a · duration 5", "cell"},
	} {
		s := stat.Of(run, stat.Options{By: by})
		assert.Len(t, s.Groups, want.groups, by)
		assert.Equal(t, want.name, s.Groups[0].Name)
		assert.Equal(t, want.blocks, s.Pairs[0].Blocks)
		assert.Equal(t, want.each, s.Pairs[0].Each)
	}
}

func TestManyGroupsAreNotCompared(t *testing.T) {
	s := stat.Of(made{models: families(46, second), prompts: 1, repeats: 1}.run(1), stat.Options{})
	assert.Len(t, s.Groups, 46)
	assert.Empty(t, s.Pairs)
	assert.Contains(t, s.Notes[0], "46 groups make 1 035 pairs")
	assert.NotEmpty(t, stat.Of(made{models: families(45, second), prompts: 1, repeats: 1}.run(1), stat.Options{}).Pairs)
}

// Prompts that take very different times hide nothing: each trial meets those of its own prompt.
func TestBlocksThatDifferHideNothing(t *testing.T) {
	m := made{models: families(2, 4*second), prompts: 4, repeats: 3, spread: 2}
	m.models[1].mean = 7 * second
	s := stat.Of(m.run(5), stat.Options{})
	c, _ := s.Between("famA", "famB", stat.Total)
	assert.True(t, c.Within)
	assert.Equal(t, stat.Better, c.Verdict, c.Sentence)
	assert.Contains(t, c.Sentence, "Mann-Whitney within each of 4 prompts")
}

func TestEmptyRuns(t *testing.T) {
	s := stat.Of(&compare.Run{}, stat.Options{Alpha: -3})
	data, err := json.Marshal(s)
	require.NoError(t, err)
	assert.Equal(t, `{"alpha":0.05,"groups":[],"prompts":[],"pairs":[]}`, string(data))
	_, ok := s.Between("a", "b", stat.Total)
	assert.False(t, ok)
}

// What a summary says does not depend on the order in which the trials came, nor on which
// side a model stands: the one that is first by its name.
func TestSidesMirror(t *testing.T) {
	m := made{models: families(3, 4*second), prompts: 2, repeats: 5, poll: 300 * time.Millisecond, spread: .5}
	m.models[0].slow, m.models[1].fails, m.models[2].mean = .2, .3, 6*second
	for seed := range uint64(40) {
		run := m.run(seed)
		one := stat.Of(run, stat.Options{})
		again := *run
		again.Trials = append([]compare.Trial(nil), run.Trials...)
		r := rand.New(rand.NewPCG(seed, 3))
		r.Shuffle(len(again.Trials), func(i, j int) {
			again.Trials[i], again.Trials[j] = again.Trials[j], again.Trials[i]
		})
		assert.Equal(t, one, stat.Of(&again, stat.Options{}))

		names := map[string]string{"famA": "famC", "famB": "famB", "famC": "famA"}
		again.Cells = append([]compare.Cell(nil), run.Cells...)
		for i := range again.Cells {
			again.Cells[i].Model = names[again.Cells[i].Model]
		}
		other := stat.Of(&again, stat.Options{})
		for _, c := range one.Pairs {
			got, ok := other.Between(names[c.A], names[c.B], c.Metric)
			require.True(t, ok)
			got.A, got.B, got.Sentence, c.Sentence = c.A, c.B, "", ""
			assert.InDelta(t, c.P, got.P, 1e-9)
			assert.InDelta(t, c.Holm, got.Holm, 1e-9)
			if c.Superior != nil {
				assert.InDelta(t, c.Superior.Low, got.Superior.Low, 1e-9)
				assert.InDelta(t, c.Superior.High, got.Superior.High, 1e-9)
			}
			got.P, got.Holm, got.Superior = c.P, c.Holm, c.Superior
			assert.Equal(t, c, got)
		}
	}
}

func ExampleNeeded() {
	fmt.Println(stat.Needed(15, 2, 0.05), "repeats of each of two prompts, to tell six models apart")
	// Output: 3 repeats of each of two prompts, to tell six models apart
}

// TestTheClockThatTellsMore: stamps of whole seconds may leave more open than polls do.
func TestTheClockThatTellsMore(t *testing.T) {
	for slack, want := range map[time.Duration]compare.Source{
		0: compare.Stamped, 200 * time.Millisecond: compare.Stamped, time.Second: compare.Polled,
	} {
		run := handmade(map[string][]float64{"a": {4, 4, 4, 4, 4, 4}, "b": {8, 8, 8, 8, 8, 8}})
		for i := range run.Trials {
			l := &run.Trials[i].Latency
			l.Total.Source, l.Total.Most = compare.Polled, l.Total.Least+500*time.Millisecond
			l.GatewayTotal = compare.Interval{Source: compare.Stamped, Least: l.Total.Least - slack, Most: l.Total.Least + slack}
		}
		assert.Equal(t, want, between(t, run, stat.Total).Source, slack)
		s := stat.Of(run, stat.Options{})
		g, ok := s.Groups[0].Time(stat.Total)
		require.True(t, ok)
		assert.Equal(t, want, g.Source, slack)
		run.Trials[0].Latency.Total = compare.Interval{}
		assert.Equal(t, compare.Stamped, between(t, run, stat.Total).Source, "whoever knows all trials goes first")
	}
}
