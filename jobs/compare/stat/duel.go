package stat

import (
	"math"
	"slices"
)

// duel is what two groups have of one block, by repeat.
type duel struct{ a, b []seen }

func mirrored(duels []duel) []duel {
	out := make([]duel, len(duels))
	for i, d := range duels {
		out[i] = duel{d.b, d.a}
	}
	return out
}

// shapes returns how many trials there are of both sides.
func shapes(duels []duel) []shape {
	out := make([]shape, len(duels))
	for i, d := range duels {
		out[i] = shape{a: len(d.a), b: len(d.b)}
	}
	return out
}

// arrange decides, by the numbers of trials alone, what is compared with what. Trials are compared
// within blocks, where these can show anything at all at a limit of p: that is fair however the
// blocks differ, and needs no equal numbers. Where they cannot, the blocks are thrown together, with
// as many trials of either side from each (the first repeats): blocks that differ then make the test
// see less, never more. Where that cannot show anything either, the trials are too few.
func arrange(duels []duel, limit float64) (out []duel, within, enough bool) {
	if len(duels) < 2 {
		return duels, false, least(shapes(duels)) <= limit
	}
	if least(shapes(duels)) <= limit {
		return duels, true, true
	}
	var one duel
	for _, d := range duels {
		n := min(len(d.a), len(d.b))
		one.a = append(one.a, d.a[:n]...)
		one.b = append(one.b, d.b[:n]...)
	}
	if together := []duel{one}; least(shapes(together)) <= limit {
		return together, false, true
	}
	return duels, true, false
}

// tried is what a test of duels found.
type tried struct {
	p        float64 // two-sided
	ahead    bool    // side a has the lesser values, if either has
	superior Range
}

// try tests whether either side has the lesser values. Each side is asked with its own values at their
// most and the other's at their least: whatever is true within the intervals, the p of that is no
// greater. A trial that timed out took longer than all that are known. Where time-outs differ, and
// another one is known to have taken longer than it was waited for, it took just that long, if
// that speaks against the claim.
func try(duels []duel, known tables) tried {
	most := func(s seen, _ float64) float64 { return s.most }
	a, b := rank(ends(duels, most, atLeast)), rank(ends(mirrored(duels), most, atLeast))
	var t tried
	t.p, t.ahead = worst(&a, &b, known)
	t.superior = Range{Low: share(a.u2, a.pairs), High: share(2*b.pairs-b.u2, b.pairs)}
	return t
}

// middles is the two-sided p by the middles of the intervals, which claims nothing.
func middles(duels []duel, known tables) float64 {
	mid := func(s seen, longest float64) float64 {
		if s.open() {
			return atLeast(s, longest)
		}
		return s.least/2 + s.most/2
	}
	a, b := rank(ends(duels, mid, mid)), rank(ends(mirrored(duels), mid, mid))
	p, _ := worst(&a, &b, known)
	return p
}

// atLeast is the least a value can be, for one that is open +Inf unless another one is known to be
// longer.
func atLeast(s seen, longest float64) float64 {
	if s.open() && s.least >= longest {
		return s.most
	}
	return s.least
}

// ends takes one value of each interval; longest is the most of all that ended, in their block.
func ends(duels []duel, a, b func(s seen, longest float64) float64) []block {
	n := 0
	for _, d := range duels {
		n += len(d.a) + len(d.b)
	}
	out, values := make([]block, len(duels)), make([]float64, 0, n)
	take := func(side []seen, f func(seen, float64) float64, longest float64) []float64 {
		from := len(values)
		for _, s := range side {
			values = append(values, f(s, longest))
		}
		return values[from:len(values):len(values)]
	}
	for i, d := range duels {
		longest := 0.0
		for _, side := range [][]seen{d.a, d.b} {
			for _, s := range side {
				if !s.open() {
					longest = max(longest, s.most)
				}
			}
		}
		out[i] = block{take(d.a, a, longest), take(d.b, b, longest)}
	}
	return out
}

// wide reports whether anything but the time-outs is not known exactly.
func wide(duels []duel) bool {
	loose := func(s seen) bool { return !s.open() && s.most > s.least }
	return slices.ContainsFunc(duels, func(d duel) bool {
		return slices.ContainsFunc(d.a, loose) || slices.ContainsFunc(d.b, loose)
	})
}

// shiftOf is by how much the values of b are greater (Hodges and Lehmann 1963): the differences of all
// pairs of a block in order, cut off at both ends where the distribution of U says (Hollander and
// Wolfe 1973, with the sum over blocks), the lower end by the least that the intervals allow, the upper
// end by the most. nil where too few pairs are there for 95 %, or more than limit.
func shiftOf(duels []duel, limit int, known tables) *Shift {
	pairs := 0
	for _, d := range duels {
		pairs += len(d.a) * len(d.b)
	}
	cut := cutoff(shapes(duels), pairs, known)
	if cut < 1 || pairs > limit {
		return nil
	}
	low, high := make([]float64, 0, pairs), make([]float64, 0, pairs)
	for _, d := range duels {
		for _, a := range d.a {
			for _, b := range d.b {
				l := math.Inf(-1)
				if !a.open() {
					l = b.least - a.most
				}
				low, high = append(low, l), append(high, b.most-a.least)
			}
		}
	}
	l, h := place(low, cut-1), place(high, pairs-cut)
	out := &Shift{LeastOpen: math.IsInf(l, -1), MostOpen: math.IsInf(h, 1)}
	if !out.LeastOpen {
		out.Least = duration(l)
	}
	if !out.MostOpen {
		out.Most = duration(h)
	}
	return out
}

// cutoff is the greatest c for which the chance that U is below c is at most 2.5 %; 0 for none.
func cutoff(shapes []shape, pairs int, known tables) int {
	n, variance := 0, 0.0
	for _, s := range shapes {
		n += s.a + s.b
		variance += float64(s.a) * float64(s.b) * float64(s.a+s.b+1) / 12
	}
	if n > exactFree {
		return max(0, int(float64(pairs)/2-z95*math.Sqrt(variance)))
	}
	// The distribution is symmetric: U is below c as often as it is above pairs-c.
	c, d := 0, known.free(shapes)
	for c+1 < len(d) && d[pairs-c] <= (1-level)/2 {
		c++
	}
	return c
}

// place is the value that is at a place, from 0, when all are in order; it moves them.
func place(v []float64, at int) float64 {
	low, high := 0, len(v)-1
	for low < high {
		pivot, i, j := v[low+(high-low)/2], low, high
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case at <= j:
			high = j
		case at >= i:
			low = i
		default:
			return v[at]
		}
	}
	return v[at]
}
