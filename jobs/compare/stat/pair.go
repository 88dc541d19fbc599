package stat

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/jobs/compare"
)

// maxDifferences bounds the differences that all shifts of a summary are taken from.
const maxDifferences = 20_000_000

// metrics in the order in which comparisons are listed.
func metrics() []Metric { return append([]Metric{Success}, Latencies()...) }

// compareAll compares all pairs in all metrics.
func compareAll(all []sample, each string, alpha float64) []Comparison {
	pairs := len(all) * (len(all) - 1) / 2
	by, known := make([][]Comparison, len(metrics())), tables{}
	for k, m := range metrics() {
		tests := 0
		for i := range all {
			for j := i + 1; j < len(all); j++ {
				if both(&all[i], &all[j], m) {
					tests++
				}
			}
		}
		x := contest{metric: m, tests: tests, each: each, alpha: alpha, pairs: pairs, known: known}
		x.limit = maxDifferences / max(1, pairs*len(Latencies()))
		for i := range all {
			for j := i + 1; j < len(all); j++ {
				by[k] = append(by[k], x.compare(&all[i], &all[j]))
			}
		}
		x.judge(by[k])
	}
	out := make([]Comparison, 0, pairs*len(by))
	for i := range pairs {
		for k := range by {
			out = append(out, by[k][i])
		}
	}
	return out
}

// contest is what all comparisons of one metric share.
type contest struct {
	metric       Metric
	tests, pairs int
	limit        int
	each         string
	alpha        float64
	known        tables
}

// common calls f for each block that both have trials of.
func common(a, b *sample, f func(p, q *part) (more bool)) {
	for i, j := 0, 0; i < len(a.parts) && j < len(b.parts); {
		switch p, q := &a.parts[i], &b.parts[j]; {
		case p.block < q.block:
			i++
		case p.block > q.block:
			j++
		default:
			if !f(p, q) {
				return
			}
			i, j = i+1, j+1
		}
	}
}

// both reports whether there is anything to test: what duelsOf finds, without making it.
func both(a, b *sample, m Metric) bool {
	mine, stamps, complete := false, false, true
	common(a, b, func(p, q *part) bool {
		if m == Success {
			mine = true
			return false
		}
		x, y := p.times[m], q.times[m]
		mine = len(x.own) > 0 && len(y.own) > 0
		if x.known > 0 && y.known > 0 {
			stamps = true
			complete = complete && len(x.stamped) == x.known && len(y.stamped) == y.known
		}
		return !mine
	})
	return mine || stamps && complete
}

// duelsOf returns what both have in a metric, and by whose clock: the gateway's, where all trials of both
// have its stamps and these tell more than our own clock does.
func duelsOf(a, b *sample, m Metric) ([]duel, compare.Source) {
	most := min(len(a.parts), len(b.parts))
	mine, stamps := make([]duel, 0, most), make([]duel, 0, most)
	complete, measured := true, true
	common(a, b, func(p, q *part) bool {
		x, y := p.times[m], q.times[m]
		if x.known == 0 || y.known == 0 {
			return true
		}
		if complete = complete && len(x.stamped) == x.known && len(y.stamped) == y.known; complete {
			stamps = append(stamps, duel{x.stamped, y.stamped})
		}
		if len(x.own) > 0 && len(y.own) > 0 {
			measured = measured && x.measured && y.measured
			mine = append(mine, duel{x.own, y.own})
		}
		return true
	})
	known, apart := spread(stamps)
	switch n, by := spread(mine); {
	case complete && known > 0 && (n < known || apart <= by):
		return stamps, compare.Stamped
	case measured:
		return mine, compare.Measured
	default:
		return mine, compare.Polled
	}
}

// spread counts latencies, and says how far their bounds lie apart, on average of those that have both.
func spread(list []duel) (n int, apart float64) {
	sum, closed := 0.0, 0
	for _, d := range list {
		for _, side := range [][]seen{d.a, d.b} {
			s, k := widths(side)
			n, sum, closed = n+len(side), sum+s, closed+k
		}
	}
	return n, sum / float64(max(1, closed))
}

// compare makes a comparison but for what depends on the others.
func (x *contest) compare(a, b *sample) Comparison {
	c := Comparison{A: a.name, B: b.name, Metric: x.metric, Tests: x.tests, Each: x.each, P: 1, Holm: 1, Verdict: TooFew}
	if x.metric == Success {
		x.success(&c, a, b)
	} else {
		x.latency(&c, a, b)
	}
	if c.Verdict == TooFew {
		pairs := x.tests
		if pairs == 0 {
			pairs = x.pairs
		}
		c.Needed = Needed(pairs, max(1, c.Blocks), x.alpha)
	}
	return c
}

// success compares how often both succeeded, in as many trials of either from each block, the first
// repeats: blocks that differ then make Fisher's test see less, never more.
func (x *contest) success(c *Comparison, a, b *sample) {
	c.Test = "Fisher"
	n, goodA, goodB := 0, 0, 0
	common(a, b, func(p, q *part) bool {
		k := min(len(p.trials), len(q.trials))
		c.Blocks++
		n += k
		goodA += completed(p.trials[:k])
		goodB += completed(q.trials[:k])
		return true
	})
	one, other := Wilson(goodA, n), Wilson(goodB, n)
	c.SideA, c.SideB = Side{N: n, Share: &one}, Side{N: n, Share: &other}
	if n == 0 {
		return
	}
	c.P = Fisher(goodA, n-goodA, goodB, n-goodB)
	if least([]shape{{a: n, b: n}})*float64(x.tests) > x.alpha {
		return
	}
	switch c.Verdict = NoDifference; {
	case goodA > goodB:
		c.Verdict = Better
	case goodA < goodB:
		c.Verdict = Worse
	}
}

func completed(trials []*compare.Trial) (n int) {
	for _, t := range trials {
		if t.OK() {
			n++
		}
	}
	return n
}

// latency compares how long both took.
func (x *contest) latency(c *Comparison, a, b *sample) {
	c.Test = "Mann-Whitney"
	duels, source := duelsOf(a, b, x.metric)
	c.Blocks = len(duels)
	if len(duels) == 0 {
		return
	}
	c.Source = source
	duels, within, enough := arrange(duels, x.alpha/float64(x.tests))
	c.Within = within
	c.SideA, c.SideB = side(duels), side(mirrored(duels))
	t := try(duels, x.known)
	c.P, c.Superior = t.p, &t.superior
	c.Shift = shiftOf(duels, x.limit, x.known)
	if !enough {
		return
	}
	c.Coarse = c.P*float64(x.tests) > x.alpha && wide(duels) && middles(duels, x.known)*float64(x.tests) <= x.alpha
	c.Verdict = Worse
	if t.ahead {
		c.Verdict = Better
	}
}

// side is side a of duels.
func side(duels []duel) Side {
	var all []seen
	for _, d := range duels {
		all = append(all, d.a...)
	}
	m := median(all)
	s := Side{N: len(all), Median: &m}
	for _, v := range all {
		if v.open() {
			s.Censored++
		}
	}
	return s
}

// judge adjusts the p of one metric for their number, and lets stand what is shown.
func (x *contest) judge(all []Comparison) {
	var p []float64
	var of []int
	for i := range all {
		if all[i].SideA.N > 0 {
			p, of = append(p, all[i].P), append(of, i)
		}
	}
	for k, adjusted := range Holm(p) {
		c := &all[of[k]]
		c.Holm = adjusted
		if c.Verdict != TooFew && adjusted > x.alpha {
			c.Verdict = NoDifference
		}
		c.Coarse = c.Coarse && c.Verdict == NoDifference
	}
	for i := range all {
		all[i].Sentence = all[i].sentence()
	}
}

// Needed is how many repeats of each of so many prompts both of two groups need at the least, so that
// among so many pairs a difference can be shown at all: one so great that every trial of one of them
// beats every one of the other.
func Needed(pairs, prompts int, alpha float64) int {
	prompts = max(1, prompts)
	if !(alpha > 0 && alpha < 1) {
		alpha = 0.05
	}
	for n := 1; ; n++ {
		if all := n * prompts; least([]shape{{a: all, b: all}})*float64(max(1, pairs)) <= alpha {
			return n
		}
	}
}

// Mirror is the same comparison seen from B.
func (c Comparison) Mirror() Comparison {
	c.A, c.B, c.SideA, c.SideB = c.B, c.A, c.SideB, c.SideA
	switch c.Verdict {
	case Better:
		c.Verdict = Worse
	case Worse:
		c.Verdict = Better
	}
	if r := c.Superior; r != nil {
		c.Superior = &Range{Low: 1 - r.High, High: 1 - r.Low}
	}
	if s := c.Shift; s != nil {
		c.Shift = &Shift{Least: -s.Most, Most: -s.Least, LeastOpen: s.MostOpen, MostOpen: s.LeastOpen}
	}
	c.Sentence = c.sentence()
	return c
}

// Between returns the comparison of a with b, in whichever order the summary has it.
func (s *Summary) Between(a, b string, m Metric) (Comparison, bool) {
	x, y := min(a, b), max(a, b)
	of := slices.Index(metrics(), m)
	at, ok := slices.BinarySearchFunc(s.Pairs, of, func(c Comparison, of int) int {
		return cmp.Or(strings.Compare(c.A, x), strings.Compare(c.B, y), cmp.Compare(slices.Index(metrics(), c.Metric), of))
	})
	switch {
	case !ok:
		return Comparison{}, false
	case a > b:
		return s.Pairs[at].Mirror(), true
	default:
		return s.Pairs[at], true
	}
}
