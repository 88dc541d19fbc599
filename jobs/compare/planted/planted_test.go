// Package planted has tests alone: faults are planted in the embedded gateway, and suites, plans, runs and
// statistics, all the real ones, must find them and nothing else. It happens in virtual time.
package planted

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/measure"
	"darkroom/jobs/compare/stat"
)

// families is the suite: six families, two prompts, three repeats. So each pair of families is compared
// by 6 trials of either, and there are 15 pairs. The least p of 6 against 6 is 2/924, and 15 times that is
// 0.032: a difference is shown where every trial of one family beats every one of the other, and by nothing
// less. That is how great the planted faults are.
const families = `name: planted
kind: video
prompts: [a red kite over a salt flat, a tram in the rain]
models: [famA3, famB-2, famC-1.0-t2v, famD-2-0-260128, famI-omni, famK-3.0]
mode: t2v
values: {duration: 4, size: 256x144}
repeats: 3
expect: [success >= 3/3]
`

// faulty is the family that the faults are planted in.
const faulty = "famC-1.0-t2v"

// gateway is what all families are like: their times differ from trial to trial by up to a fifth either way.
const gateway = "take queue=4 run=16; spread by=0.2; "

const alpha = 0.05 // the promised rate of runs with a false finding, for each metric

// bound is how many of n runs may have a false finding at the promised rate: at that rate more of them would
// have one with a chance of less than one in a thousand.
func bound(n int) int {
	upTo, chance := 0.0, math.Pow(1-alpha, float64(n))
	for k := 0; ; k++ {
		if upTo += chance; 1-upTo < 0.001 {
			return k
		}
		chance *= float64(n-k) / float64(k+1) * alpha / (1 - alpha)
	}
}

func TestBound(t *testing.T) {
	assert.Equal(t, 8, bound(50))
	assert.Equal(t, 4, bound(10))
	assert.Equal(t, 1, bound(1))
}

// findings are the pairs of which a difference was said, in all runs of one setup.
type findings struct {
	mu sync.Mutex
	// found counts runs by the metric and the slower or failing family before the other one.
	found map[string]int
	// wrong has, by metric, the seeds of runs with a finding that was not planted.
	wrong map[stat.Metric][]uint64
}

// take notes what a run is said to show. planted says of which metrics the faulty family is the worse.
func (f *findings) take(seed uint64, s *stat.Summary, planted []stat.Metric) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range s.Pairs {
		worse, better := c.A, c.B
		switch c.Verdict {
		case stat.Better:
			worse, better = c.B, c.A
		case stat.Worse:
		default:
			continue
		}
		if worse == faulty && slices.Contains(planted, c.Metric) {
			f.found[fmt.Sprintf("%s: %s", c.Metric, better)]++
		} else if !slices.Contains(f.wrong[c.Metric], seed) {
			f.wrong[c.Metric] = append(f.wrong[c.Metric], seed)
		}
	}
}

// all makes n runs with other seeds, two at a time, and hands each to look.
func all(t *testing.T, n int, s setup, planted []stat.Metric, look func(t *testing.T, r *compare.Run, s *stat.Summary)) *findings {
	t.Helper()
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	f := &findings{found: map[string]int{}, wrong: map[stat.Metric][]uint64{}}
	t.Run("runs", func(t *testing.T) {
		for seed := range n {
			s := s
			s.suite, s.seed = families, uint64(seed)+1
			t.Run(fmt.Sprint(s.seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					r := s.compared(t, cat)
					require.Equal(t, compare.Ended, r.Status)
					require.Len(t, r.Trials, 36)
					summary := stat.Of(&r, stat.Options{Alpha: alpha})
					f.take(s.seed, &summary, planted)
					look(t, &r, &summary)
				})
			})
		}
	})
	for m, seeds := range f.wrong {
		assert.LessOrEqual(t, len(seeds), bound(n), "%s: findings that were not planted, with the seeds %v", m, seeds)
	}
	t.Logf("%d runs: found %v, not planted %v; up to %d runs a metric may have such a finding", n, f.found, f.wrong, bound(n))
	return f
}

// others are the families without a fault.
func others(t *testing.T) []string {
	t.Helper()
	list, _, ok := strings.Cut(families[strings.Index(families, "models: [")+len("models: ["):], "]")
	require.True(t, ok)
	return slices.DeleteFunc(strings.Split(list, ", "), func(m string) bool { return m == faulty })
}

// unmet are the models of the cells that do not meet what the suite expects.
func unmet(r *compare.Run) (models []string) {
	for i := range r.Cells {
		for _, c := range r.CellChecks[r.Cells[i].Number] {
			if c.Verdict != compare.Pass {
				models = append(models, r.Cells[i].Model)
			}
		}
	}
	return models
}

// A family that takes twice as long is slower than each other one, in all runs, though the whole gateway
// becomes slower while a run goes on; and no other difference is claimed.
func TestASlowFamilyIsFound(t *testing.T) {
	const runs = 50
	f := all(t, runs, setup{rules: gateway + "slow by=2 model=famC*; drift by=1.3 tasks=36"},
		[]stat.Metric{stat.Total, stat.Queue, stat.Run}, func(t *testing.T, r *compare.Run, _ *stat.Summary) {
			assert.Empty(t, unmet(r))
		})
	for _, other := range others(t) {
		assert.Equal(t, runs, f.found["total: "+other], other)
		assert.Equal(t, runs, f.found["run: "+other], other)
	}
}

// A family of which every task fails succeeds less often than each other one. Its times are not compared,
// since it has none.
func TestAFailingFamilyIsFound(t *testing.T) {
	const runs = 50
	f := all(t, runs, setup{rules: gateway + "fail code=BUSY model=famC*"}, []stat.Metric{stat.Success}, func(t *testing.T, r *compare.Run, s *stat.Summary) {
		for _, g := range s.Groups {
			if g.Name != faulty {
				assert.Equal(t, 6, g.Success.Count, g.Name)
				continue
			}
			assert.Equal(t, []stat.Code{{Code: "BUSY", Count: 6}}, g.Errors)
			assert.Equal(t, stat.Wilson(0, 6), g.Success)
			assert.Zero(t, g.Pass.Value)
		}
		assert.Equal(t, []string{faulty, faulty}, unmet(r), "of both prompts")
	})
	for _, other := range others(t) {
		assert.Equal(t, runs, f.found["success: "+other], other)
	}
}

// A gateway that becomes three times as slow during a run is no reason to blame anybody, since each block of a
// plan has one repeat of every cell. With the same trials one family after the other it would be: this is
// what the order is for.
func TestADriftBlamesNobody(t *testing.T) {
	rules := gateway + "drift by=3 tasks=36"
	all(t, 10, setup{rules: rules}, nil, func(*testing.T, *compare.Run, *stat.Summary) {})

	cat, err := catalog.Embedded()
	require.NoError(t, err)
	s := setup{suite: families, rules: rules, seed: 1, order: func(o []compare.Slot) {
		slices.SortStableFunc(o, func(a, b compare.Slot) int { return (a.Cell-1)%6 - (b.Cell-1)%6 })
	}}
	synctest.Test(t, func(t *testing.T) {
		r := s.compared(t, cat)
		summary := stat.Of(&r, stat.Options{})
		first, last := r.Cells[0].Model, r.Cells[5].Model
		c, ok := summary.Between(first, last, stat.Total)
		require.True(t, ok)
		assert.Equal(t, stat.Better, c.Verdict, c.Sentence)
	})
}

// What a family delivers is seen in the files, whatever its answers claim, and no other family is blamed.
func TestWrongFilesAreFound(t *testing.T) {
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	s := setup{saves: true, seed: 1, rules: gateway + "deliver size=50% claim=asked model=famC*; deliver duration=150% model=famB*", suite: `name: files
kind: video
prompts: [a red kite over a salt flat]
models: [famA3, famB-2, famC-1.0-t2v]
mode: t2v
values: {duration: 4, size: 256x144}
repeats: 2
`}
	wrong := map[string]int{}
	synctest.Test(t, func(t *testing.T) {
		r := s.compared(t, cat)
		for _, x := range r.Trials {
			require.Equal(t, jobs.Completed, x.State)
			require.NotEmpty(t, x.Files)
			for _, p := range measure.Differs(x.Facts) {
				wrong[fmt.Sprintf("%s: %s %s, claim %s", r.Cell(x.Slot.Cell).Model, p.Field, p.Verdict, p.ClaimVerdict)]++
			}
		}
	})
	assert.Equal(t, map[string]int{faulty + ": width fail, claim fail": 2, faulty + ": height fail, claim fail": 2, "famB-2: duration fail, claim pass": 2}, wrong)
}
