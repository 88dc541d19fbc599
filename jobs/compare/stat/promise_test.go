package stat_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/stat"
)

// nulls are runs of six models that do not differ, of which a share of 5 % at most may claim anything.
func nulls() map[string]made {
	same := func(fails, slow float64) []model {
		out := families(6, 4*second)
		for i := range out {
			out[i].fails, out[i].slow = fails, slow
		}
		return out
	}
	return map[string]made{
		"two prompts alike":         {models: same(0, 0), prompts: 2, repeats: 3},
		"two prompts, somewhat":     {models: same(0, 0), prompts: 2, repeats: 3, spread: .2},
		"two prompts that differ":   {models: same(0, 0), prompts: 2, repeats: 3, spread: 2},
		"with polls":                {models: same(0, 0), prompts: 2, repeats: 4, poll: 200 * time.Millisecond},
		"whole seconds":             {models: same(0, 0), prompts: 2, repeats: 4, whole: true},
		"within prompts":            {models: same(0, 0), prompts: 3, repeats: 6, spread: 1},
		"with failures":             {models: same(.2, 0), prompts: 2, repeats: 6, spread: .2},
		"with failures and timeout": {models: same(.3, .2), prompts: 3, repeats: 5, poll: 100 * time.Millisecond},
		"often timed out":           {models: same(0, .5), prompts: 2, repeats: 8, whole: true},
		"many":                      {models: same(.5, .1), prompts: 10, repeats: 4, spread: .3},
	}
}

func TestNothingIsFoundWhereNothingIs(t *testing.T) {
	const runs = 300
	for name, m := range nulls() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := map[stat.Metric]int{}
			for seed := range uint64(runs) {
				s := stat.Of(m.run(seed), stat.Options{})
				found := map[stat.Metric]bool{}
				for _, c := range s.Pairs {
					if c.Verdict == stat.Better || c.Verdict == stat.Worse {
						found[c.Metric] = true
					}
				}
				for f := range found {
					wrong[f]++
				}
			}
			t.Log(wrong)
			for metric, n := range wrong {
				assert.LessOrEqual(t, n, runs*5/100, metric)
			}
		})
	}
}

// The p of one pair are as often below a value as the value says, at most; by exact times nearly so often.
func TestPIsAChance(t *testing.T) {
	m := made{models: families(2, 4*second), prompts: 1, repeats: 10}
	const runs = 2000
	below := map[float64]int{}
	limits := []float64{.01, .05, .2, .5}
	for seed := range uint64(runs) {
		s := stat.Of(m.run(seed), stat.Options{})
		c, _ := s.Between("famA", "famB", stat.Total)
		for _, l := range limits {
			if c.P <= l {
				below[l]++
			}
		}
	}
	for _, l := range limits {
		got := float64(below[l]) / runs
		assert.InDelta(t, l, got, .2*l+.006, l)
		assert.LessOrEqual(t, got, l*1.15, l)
	}
}

// One family that is slower is found, and nothing else; with the fewest trials that can show it.
func TestWhatIsPlantedIsFound(t *testing.T) {
	const runs = 50
	extra := 0
	for seed := range uint64(runs) {
		m := made{models: families(6, 4*second), prompts: 2, repeats: 3, poll: 100 * time.Millisecond}
		m.models[3].mean = 16 * second
		s := stat.Of(m.run(seed), stat.Options{})
		for _, c := range s.Pairs {
			shown := c.Verdict == stat.Better || c.Verdict == stat.Worse
			switch {
			case c.Metric == stat.Total && c.B == "famD":
				assert.Equal(t, stat.Better, c.Verdict, c.Sentence)
			case c.Metric == stat.Total && c.A == "famD":
				assert.Equal(t, stat.Worse, c.Verdict, c.Sentence)
			case shown:
				extra++
			}
		}
	}
	assert.LessOrEqual(t, extra, 3, "5 %% of the runs")
}

// What docs/TESTERS.md says of how many repeats it takes: of 100 runs, those in which one model of six, by so
// much slower, is told from all five others.
func TestHowManyRepeatsItTakes(t *testing.T) {
	for _, c := range []struct {
		slower           float64
		prompts, repeats int
		least, most      int
	}{{1.5, 2, 3, 0, 2}, {2, 2, 3, 55, 65}, {2, 2, 5, 99, 100}, {1.5, 2, 5, 14, 24}, {1.5, 4, 5, 82, 92}} {
		found := 0
		for seed := range uint64(100) {
			m := made{models: families(6, 4*second), prompts: c.prompts, repeats: c.repeats, poll: 300 * time.Millisecond}
			m.models[2].mean = time.Duration(c.slower * float64(m.models[2].mean))
			s := stat.Of(m.run(seed), stat.Options{})
			told := 0
			for _, p := range s.Pairs {
				if shown := p.Verdict == stat.Better || p.Verdict == stat.Worse; shown && p.Metric == stat.Total && (p.A == "famC" || p.B == "famC") {
					told++
				}
			}
			if told == 5 {
				found++
			}
		}
		assert.True(t, c.least <= found && found <= c.most, "%+v: %d", c, found)
	}
}

// FuzzOf makes runs that no runner would make: nothing panics, all numbers are numbers, shares lie
// within their intervals.
func FuzzOf(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed), 0.05)
	}
	f.Fuzz(func(t *testing.T, seed uint64, size uint8, alpha float64) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := stat.Of(wild(r, int(size)), stat.Options{Alpha: alpha, By: []stat.By{stat.ByAll, stat.ByModel, stat.ByFormat, stat.BySettings, "?"}[r.IntN(5)]})
		_, err := json.Marshal(s)
		require.NoError(t, err, "a number that JSON cannot say")
		for _, g := range append(s.Groups, s.Prompts...) {
			assert.True(t, 0 <= g.Success.Low && g.Success.Low <= g.Success.Value && g.Success.Value <= g.Success.High+1e-9 && g.Success.High <= 1)
			for _, x := range g.Times {
				assert.True(t, x.Median.Open || x.Median.Least <= x.Median.Most)
				assert.GreaterOrEqual(t, x.Median.Value, x.Median.Least)
			}
		}
		for _, c := range s.Pairs {
			assert.True(t, c.P > 0 && c.P <= 1, c.P)
			assert.GreaterOrEqual(t, c.Holm, c.P)
			assert.NotEmpty(t, c.Sentence)
			if shown := c.Verdict == stat.Better || c.Verdict == stat.Worse; shown {
				assert.LessOrEqual(t, c.Holm, s.Alpha)
			}
			back := c.Mirror().Mirror()
			if c.Superior != nil {
				assert.True(t, 0 <= c.Superior.Low && c.Superior.Low <= c.Superior.High && c.Superior.High <= 1, c.Superior)
				back.Superior = c.Superior
			}
			assert.Equal(t, c, back)
		}
	})
}

// wild is a run of anything.
func wild(r *rand.Rand, size int) *compare.Run {
	run := &compare.Run{Repeats: r.IntN(4) - 1}
	interval := func() compare.Interval {
		n := func() time.Duration {
			return time.Duration([]int64{0, -1, 1, 1 << 62, 1<<63 - 1, -1 << 63, r.Int64N(5), r.Int64()}[r.IntN(8)])
		}
		return compare.Interval{Source: []compare.Source{"", compare.Polled, compare.Stamped, compare.Measured, "x"}[r.IntN(5)], Least: n(), Most: n(), Open: r.IntN(4) == 0}
	}
	for i := range r.IntN(12) {
		run.Cells = append(run.Cells, compare.Cell{Number: i + 1 - r.IntN(2), Model: fmt.Sprint(r.IntN(4)), Format: fmt.Sprint(r.IntN(2)), Prompt: compare.Prompt{ID: fmt.Sprint(r.IntN(3))}})
	}
	for range size {
		t := compare.Trial{Slot: compare.Slot{Cell: r.IntN(14) - 1, Repeat: r.IntN(6), Warmup: r.IntN(9) == 0}, Attempt: r.IntN(3)}
		t.State = append(jobs.States(), "", "odd", jobs.Completed, jobs.Completed, jobs.Completed)[r.IntN(len(jobs.States())+5)]
		t.TimedOut = r.IntN(4) == 0
		t.Latency = compare.Latency{Create: interval(), Queue: interval(), Run: interval(), Total: interval(), Download: interval(), GatewayQueue: interval(), GatewayRun: interval(), GatewayTotal: interval()}
		run.Trials = append(run.Trials, t)
	}
	return run
}

func BenchmarkOf(b *testing.B) {
	for _, m := range []made{
		{models: families(20, 4*second), prompts: 500, repeats: 3, poll: 100 * time.Millisecond, stamps: true},
		{models: families(45, 4*second), prompts: 222, repeats: 3, poll: 100 * time.Millisecond},
		{models: families(6, 4*second), prompts: 1666, repeats: 3, poll: 100 * time.Millisecond},
		{models: families(40, 4*second), prompts: 1, repeats: 15, poll: 100 * time.Millisecond, whole: true},
	} {
		run := m.run(1)
		b.Run(fmt.Sprintf("%dx%dx%d", len(m.models), m.prompts, m.repeats), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				stat.Of(run, stat.Options{})
			}
		})
	}
}
