package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17
// (1998), Table I, method 3 (score without continuity correction).
func TestWilsonAsPublished(t *testing.T) {
	for _, c := range []struct {
		count, n  int
		low, high float64
	}{{81, 263, .2553, .3662}, {15, 148, .0624, .1605}, {0, 20, 0, .1611}, {1, 29, .0061, .1718}} {
		s := Wilson(c.count, c.n)
		assert.InDelta(t, c.low, s.Low, .00005, c)
		assert.InDelta(t, c.high, s.High, .00005, c)
		other := Wilson(c.n-c.count, c.n)
		assert.InDelta(t, 1-s.Low, other.High, 1e-12, "failures mirror successes")
	}
	assert.Equal(t, Share{High: 1}, Wilson(0, 0))
	assert.Equal(t, 1.0, Wilson(5, 5).High)
	assert.Equal(t, Wilson(3, 3), Wilson(9, 3))
	assert.Equal(t, Wilson(0, 0), Wilson(-1, -1))
}

// Fisher, Confidence limits for a cross-product ratio (1962): criminal convictions of twins, as in R's
// fisher.test(Convictions), two-sided p 0.0005367; Agresti, Categorical Data Analysis (2nd ed. 2002),
// 3.5.2: Fisher's tea taster, two-sided p 0.486.
func TestFisherAsPublished(t *testing.T) {
	assert.InDelta(t, .0005367, Fisher(2, 15, 10, 3), 5e-8)
	assert.InDelta(t, .486, Fisher(3, 1, 1, 3), .0005)
	assert.Equal(t, 1.0, Fisher(3, 0, 4, 0))
	assert.Equal(t, 1.0, Fisher(0, 0, 1, 1))
	assert.Equal(t, 1.0, Fisher(-1, -1, -1, -1))
}

func TestFisherMirrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		a, b, c, d := r.IntN(20), r.IntN(20), r.IntN(20), r.IntN(20)
		p := Fisher(a, b, c, d)
		assert.InDelta(t, p, Fisher(c, d, a, b), 1e-9)
		assert.InDelta(t, p, Fisher(b, a, d, c), 1e-9)
		assert.True(t, p > 0 && p <= 1, p)
	}
}

// Holm, A simple sequentially rejective multiple test procedure (1979), by the worked example of
// Wikipedia's Holm–Bonferroni method: of .01, .04, .03 and .005 the first and the last are shown at 5 %.
func TestHolmAsPublished(t *testing.T) {
	assert.InDeltaSlice(t, []float64{.03, .06, .06, .02}, Holm([]float64{.01, .04, .03, .005}), 1e-12)
	assert.InDeltaSlice(t, []float64{1, 1}, Holm([]float64{1, .7}), 1e-12)
	assert.Empty(t, Holm(nil))
}

// Yao et al., tau-bench (2024): pass^k is the mean over tasks of C(c,k)/C(n,k).
func TestPassAll(t *testing.T) {
	assert.Equal(t, 1.0, PassAll(3, 3, 3))
	assert.Equal(t, 0.0, PassAll(2, 3, 3))
	assert.InDelta(t, 6.0/28, PassAll(4, 8, 2), 1e-12, "C(4,2)/C(8,2)")
	assert.InDelta(t, 10.0/56, PassAll(5, 8, 3), 1e-12, "C(5,3)/C(8,3)")
	for _, bad := range [][3]int{{0, 0, 0}, {1, 1, 0}, {1, 2, 3}, {-1, 3, 1}} {
		assert.Zero(t, PassAll(bad[0], bad[1], bad[2]), bad)
	}
}

// Hogg and Tanis, Probability and Statistical Inference, table of distribution-free confidence
// intervals for the median: ranks with their exact coverage.
func TestMedianCoverageAsPublished(t *testing.T) {
	for _, c := range []struct {
		n, k     int
		coverage float64
	}{{5, 1, .9376}, {6, 1, .9688}, {7, 1, .9844}, {8, 2, .9296}, {9, 2, .9610}, {10, 2, .9786}, {12, 3, .9614}, {15, 4, .9648}, {17, 5, .9510}, {20, 6, .9586}} {
		assert.InDelta(t, c.coverage, between(c.n, c.k), .0002, c)
	}
	for n, want := range map[int]int{0: 0, 1: 1, 3: 1, 5: 1, 6: 1, 8: 1, 9: 2, 10: 2, 15: 4, 17: 5, 20: 6} {
		k, _ := MedianRanks(n)
		assert.Equal(t, want, k, n)
	}
}

func TestMedianRanksAreTheNarrowest(t *testing.T) {
	for n := 1; n <= 400; n++ {
		k, coverage := MedianRanks(n)
		assert.Equal(t, between(n, k), coverage)
		if n >= 6 {
			assert.GreaterOrEqual(t, coverage, level, n)
			assert.Less(t, between(n, k+1), level, n)
		} else {
			assert.Equal(t, 1, k, n)
		}
	}
	k, coverage := MedianRanks(100_000)
	assert.InDelta(t, 49_690, k, 2)
	assert.InDelta(t, level, coverage, .001)
}

// Wikipedia, Percentile, nearest-rank method, has the 5th of (15, 20, 35, 40, 50) as the 95th.
func TestNearestRank(t *testing.T) {
	assert.Equal(t, 5, rank95(5))
	assert.Equal(t, 19, rank95(20))
	assert.Equal(t, 95, rank95(100))
	assert.Equal(t, 96, rank95(101))
}

// Hollander and Wolfe, Nonparametric Statistical Methods (1973), p. 69: permeability of the human
// chorioamnion. R's wilcox.test: W = 35, p = 0.1272 one-sided; R's coin, wilcox_test: 0.2544.
var (
	atTerm = []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	weeks  = []float64{1.15, 0.88, 0.90, 0.74, 1.21}
)

func TestMannWhitneyAsPublished(t *testing.T) {
	got := MannWhitney(atTerm, weeks)
	assert.Equal(t, 35.0, got.U)
	assert.Equal(t, 50, got.Pairs)
	assert.True(t, got.Exact)
	assert.InDelta(t, .2544, got.P, .00005)
}

// The data set airquality of R: ozone by month, from May to September, without what is missing.
func ozone() [][]float64 {
	return [][]float64{
		{41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115, 37},
		{29, 71, 39, 23, 21, 37, 20, 12, 13},
		{135, 49, 32, 64, 40, 77, 97, 97, 85, 10, 27, 7, 48, 35, 61, 79, 63, 16, 80, 108, 20, 52, 82, 50, 64, 59},
		{39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85},
		{96, 78, 73, 91, 47, 32, 20, 23, 21, 24, 44, 21, 28, 9, 13, 46, 18, 13, 24, 16, 13, 23, 36, 7, 14, 30, 14, 18, 20},
	}
}

// R's ?wilcox.test, with ties and 52 values: W = 127.5, p-value = 0.0001208 (normal, corrected for
// continuity).
func TestMannWhitneyWithTiesAsPublished(t *testing.T) {
	got := MannWhitney(ozone()[0], ozone()[3])
	assert.Equal(t, 127.5, got.U)
	assert.False(t, got.Exact)
	assert.InDelta(t, .0001208, got.P, 5e-8)
}

// R's pairwise.wilcox.test of the same data, adjusted after Holm, as it prints them.
func TestPairsWithHolmAsPublished(t *testing.T) {
	var p []float64
	for j, month := range ozone() {
		for _, earlier := range ozone()[:j] {
			p = append(p, MannWhitney(month, earlier).P)
		}
	}
	assert.InDeltaSlice(t, []float64{.5775, .0003, .0848, .0011, .1295, 1, .4744, 1, .0060, .0227}, Holm(p), .00005)
}

// Hollander and Wolfe's data again: R's coin, wilcox_test(..., conf.int = TRUE): 95 % from -0.15 to 0.76.
func TestShiftAsPublished(t *testing.T) {
	points := func(v []float64) (out []seen) {
		for _, x := range v {
			out = append(out, seen{x * 1e9, x * 1e9})
		}
		return out
	}
	got := shiftOf([]duel{{points(weeks), points(atTerm)}}, 1000, nil)
	assert.Equal(t, &Shift{Least: -150e6, Most: 760e6}, got)
	assert.Nil(t, shiftOf([]duel{{points(weeks), points(atTerm)}}, 49, nil), "more pairs than the limit")
	assert.Nil(t, shiftOf([]duel{{points(weeks[:3]), points(atTerm[:3])}}, 1000, nil), "3 and 3 have no 95 %")
}

func TestPlaceIsThatOfTheSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		v := make([]float64, 1+r.IntN(50))
		for i := range v {
			v[i] = float64(r.IntN(20))
			if r.IntN(9) == 0 {
				v[i] = math.Inf(1 - 2*r.IntN(2))
			}
		}
		sorted := slices.Sorted(slices.Values(v))
		for at := range v {
			assert.Equal(t, sorted[at], place(slices.Clone(v), at))
		}
	}
}

// StatXact's manual by way of R's exactRankTests, ?wilcox.exact: blood pressure, treated against
// controls, the exact p given the ties is 0.0542 on one side.
func TestExactWithTiesAsPublished(t *testing.T) {
	treated := []float64{94, 108, 110, 90}
	controls := []float64{80, 94, 85, 90, 90, 90, 108, 94, 78, 105, 88}
	got := MannWhitney(treated, controls)
	assert.True(t, got.Exact)
	assert.InDelta(t, 2*.0542, got.P, .0001)
}

// Mann and Whitney, On a test of whether one of two random variables is stochastically larger than the
// other (1947), table I, m = n = 4: P(U <= u) for u = 0 to 8.
func TestNullDistributionAsPublished(t *testing.T) {
	dist := freeDist([]shape{{a: 4, b: 4}})
	for u, want := range []float64{.014, .029, .057, .100, .171, .243, .343, .443, .557} {
		assert.InDelta(t, want, sumFrom(dist, 16-u), .0006, u)
	}
}

// Every way to give the values of each block to the sides, counted.
func TestBlocksAgainstAllPermutations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		kinds := []int{3, 5, 1000}[r.IntN(3)]
		blocks := make([]block, 1+r.IntN(3))
		for i := range blocks {
			for range 1 + r.IntN(3) {
				blocks[i].a = append(blocks[i].a, float64(r.IntN(kinds)))
			}
			for range 1 + r.IntN(3) {
				blocks[i].b = append(blocks[i].b, float64(r.IntN(kinds)))
			}
		}
		x := rank(blocks)
		least, all := 0, 0
		permute(blocks, 0, 0, func(u2 int) {
			all++
			if u2 >= x.u2 {
				least++
			}
		})
		p, exact := x.given()
		assert.True(t, exact)
		assert.InDelta(t, float64(least)/float64(all), p, 1e-9)
	}
}

func permute(blocks []block, i, u2 int, found func(int)) {
	if i == len(blocks) {
		found(u2)
		return
	}
	all := slices.Concat(blocks[i].a, blocks[i].b)
	for set := range 1 << len(all) {
		var x block
		for j, v := range all {
			if set>>j&1 == 1 {
				x.a = append(x.a, v)
			} else {
				x.b = append(x.b, v)
			}
		}
		if len(x.a) == len(blocks[i].a) {
			slices.Sort(x.a)
			slices.Sort(x.b)
			w, _ := wins(x)
			permute(blocks, i+1, u2+w, found)
		}
	}
}

func TestMannWhitneyMirrors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		x, y := make([]float64, r.IntN(30)), make([]float64, r.IntN(30))
		for i := range x {
			x[i] = float64(r.IntN(40))
		}
		for i := range y {
			y[i] = float64(r.IntN(40))
		}
		one, other := MannWhitney(x, y), MannWhitney(y, x)
		assert.InDelta(t, one.P, other.P, 1e-9)
		assert.InDelta(t, float64(one.Pairs), one.U+other.U, 1e-9)
		assert.True(t, one.P > 0 && one.P <= 1, one.P)
	}
	assert.Equal(t, 1.0, MannWhitney(nil, []float64{1}).P)
	assert.Equal(t, 1.0, MannWhitney([]float64{math.NaN()}, []float64{1}).P)
	inf := math.Inf(1)
	assert.Equal(t, 1.0, MannWhitney([]float64{inf, inf}, []float64{inf}).P)
}

func TestNormalMeetsExact(t *testing.T) {
	for _, s := range []shape{{a: 25, b: 25}, {a: 18, b: 30}} {
		x := ranked{pairs: s.a * s.b, n: s.a + s.b, free: float64(s.a*s.b*(s.a+s.b+1)) / 12, shape: []shape{s}}
		for _, share := range []float64{.5, .6, .65, .7} {
			x.u2 = 2 * int(share*float64(x.pairs))
			exact, _ := x.untied(nil)
			assert.InDelta(t, exact, tail(x.u2, x.pairs, x.free), .002)
		}
	}
}
