package stat

import (
	"math"
	"slices"
)

// Exact distributions are used up to so many trials of both sides; with ties they take longer.
const (
	exactFree = 50
	exactTied = 30
)

// RankTest is what a test of ranks found.
type RankTest struct {
	// U is how many pairs of one of each side have the greater value in x; ties count half.
	U     float64
	Pairs int
	P     float64 // two-sided
	Exact bool
}

// MannWhitney tests whether one of two samples tends to greater values (Mann and Whitney 1947): exactly
// up to 50 values without ties and up to 30 with them (given the ties), else by the normal
// distribution with the correction for ties and for continuity, as R's wilcox.test. The two-sided
// p is twice that of the side that the values are on. Values that are not numbers are refused with p 1.
func MannWhitney(x, y []float64) RankTest {
	x, y = slices.Clone(x), slices.Clone(y)
	greater, less := rank([]block{{a: y, b: x}}), rank([]block{{a: x, b: y}})
	over, exact := greater.given()
	under, _ := less.given()
	return RankTest{U: float64(greater.u2) / 2, Pairs: greater.pairs, P: min(1, 2*min(over, under)), Exact: exact}
}

// block is the values of both sides of what is compared within: an unfair comparison is one of a with
// a b of another block.
type block struct{ a, b []float64 }

// ranked is how the sides of some blocks lie to one another, summed over the blocks.
type ranked struct {
	u2    int // pairs of a block with a < b count two, ties one
	pairs int
	n     int     // values
	free  float64 // variance of u2/2 if there were no ties
	tied  float64 // and with the ties there are
	shape []shape
}

// tables keeps the distributions that come up again and again, by shape; nil keeps none.
type tables map[string][]float64

// free is [freeDist], as chances of at least u.
func (t tables) free(shapes []shape) []float64 {
	key := make([]byte, 0, 2*len(shapes))
	for _, s := range shapes {
		key = append(key, byte(s.a), byte(s.b)) // both are at most exactFree
	}
	if d, ok := t[string(key)]; ok {
		return d
	}
	d := freeDist(shapes)
	for u := len(d) - 2; u >= 0; u-- {
		d[u] = min(1, d[u]+d[u+1])
	}
	if t != nil {
		t[string(key)] = d
	}
	return d
}

// shape is what the distribution of u2 depends on: how many values there are of each side, and how
// many of the values are the same, from the least; nil if none are.
type shape struct {
	a, b int
	ties []int
}

// rank compares within each block, and puts the values in order. Blocks that lack a side, or have
// what is not a number, are left out.
func rank(blocks []block) ranked {
	var r ranked
	for _, x := range blocks {
		if len(x.a) == 0 || len(x.b) == 0 || slices.ContainsFunc(x.a, math.IsNaN) || slices.ContainsFunc(x.b, math.IsNaN) {
			continue
		}
		slices.Sort(x.a)
		slices.Sort(x.b)
		u2, ties := wins(x)
		a, b := len(x.a), len(x.b)
		n := a + b
		var same float64
		for _, t := range ties {
			f := float64(t)
			same += f * (f*f - 1)
		}
		base := float64(a) * float64(b) / 12
		r.u2 += u2
		r.pairs += a * b
		r.n += n
		r.free += base * float64(n+1)
		r.tied += base * (float64(n+1) - same/(float64(n)*float64(n-1)))
		r.shape = append(r.shape, shape{a, b, ties})
	}
	return r
}

// wins returns twice the number of pairs with a < b, where ties count half, and the sizes of the sets
// of equal values, from the least value; nil if all differ.
func wins(x block) (u2 int, ties []int) {
	sets, i, j := 0, 0, 0
	next := func() (a, b int) { // of the next set
		v := math.Inf(1)
		if i < len(x.a) {
			v = x.a[i]
		}
		if j < len(x.b) {
			v = min(v, x.b[j])
		}
		for ; i < len(x.a) && x.a[i] == v; i++ {
			a++
		}
		for ; j < len(x.b) && x.b[j] == v; j++ {
			b++
		}
		return a, b
	}
	for i < len(x.a) || j < len(x.b) {
		before := i
		a, b := next()
		u2 += 2*before*b + a*b
		sets++
	}
	if sets == len(x.a)+len(x.b) {
		return u2, nil
	}
	for i, j = 0, 0; i < len(x.a) || j < len(x.b); {
		a, b := next()
		ties = append(ties, a+b)
	}
	return u2, ties
}

// share is a u2 as a part of all pairs.
func share(u2, pairs int) float64 { return float64(u2) / 2 / float64(max(1, pairs)) }

func (r *ranked) hasTies() bool {
	return slices.ContainsFunc(r.shape, func(s shape) bool { return s.ties != nil })
}

// given is the chance of u2 or more if nothing but chance decides which values of a block are of which
// side, given the ties that there are; and whether it is exact.
func (r *ranked) given() (p float64, exact bool) {
	switch {
	case r.pairs == 0:
		return 1, true
	case !r.hasTies():
		return r.untied(nil)
	case r.n > exactTied:
		return tail(r.u2, r.pairs, r.tied), false
	}
	dist := []float64{1}
	for _, s := range r.shape {
		dist = convolve(dist, s.tiedDist())
	}
	return sumFrom(dist, r.u2), true
}

// untied is the same if there were no ties.
func (r *ranked) untied(known tables) (p float64, exact bool) {
	if r.pairs == 0 {
		return 1, true
	}
	if r.n > exactFree {
		return tail(r.u2, r.pairs, r.free), false
	}
	return known.free(r.shape)[r.u2/2], true
}

// worst is the two-sided chance of a or more, or of b or more, whichever is the less, for values that
// may have got their ties from being taken at the ends of intervals: for each, the greater one of
// given and untied. (What is truly so has no less u2 and fewer ties; which of the two chances is the
// greater depends on where the ties lie.) first says that a is the less.
func worst(a, b *ranked, known tables) (p float64, first bool) {
	x, _ := a.untied(known)
	y, _ := b.untied(known)
	tied := func(r *ranked, p, enough float64) float64 {
		if p >= enough || !r.hasTies() {
			return p
		}
		q, _ := r.given()
		return max(p, q)
	}
	if x <= y {
		x = tied(a, x, 1)
		y = tied(b, y, x)
	} else {
		y = tied(b, y, 1)
		x = tied(a, x, y)
	}
	return min(1, 2*min(x, y)), x < y
}

// least is the least two-sided p that the numbers of values allow: of the sides wholly apart.
func least(shapes []shape) float64 {
	l := math.Ln2
	for _, s := range shapes {
		l -= logChoose(s.a+s.b, s.a)
	}
	return min(1, math.Exp(l))
}

// tail is the normal chance of u2 or more among pairs, corrected for continuity.
func tail(u2, pairs int, variance float64) float64 {
	if variance <= 0 {
		return 1
	}
	return normalTail((float64(u2-pairs)/2 - 0.5) / math.Sqrt(variance))
}

// freeDist is the distribution of U over blocks without ties: of each, the Gaussian binomial
// coefficients, which below exactFree values are whole numbers that a float64 holds.
func freeDist(shapes []shape) []float64 {
	dist := []float64{1}
	for _, s := range shapes {
		most := s.a * s.b
		c := make([]float64, most+1)
		c[0] = 1
		for i := 1; i <= s.a; i++ {
			for u := most; u >= s.b+i; u-- {
				c[u] -= c[u-s.b-i]
			}
			for u := i; u <= most; u++ {
				c[u] += c[u-i]
			}
		}
		scale(c)
		dist = convolve(dist, c)
	}
	return dist
}

// tiedDist is the distribution of u2 of one block, given its ties (the shift algorithm of Streitberg
// and Röhmel 1986): from the least values on, in how many ways k of them are of side a.
func (s shape) tiedDist() []float64 {
	width := 2*s.a*s.b + 1
	if s.ties == nil {
		out := make([]float64, width)
		for u, p := range freeDist([]shape{s}) {
			out[2*u] = p
		}
		return out
	}
	ways, spare := make([][]float64, s.a+1), make([]float64, width)
	cells := make([]float64, (s.a+1)*width)
	for k := range ways {
		ways[k] = cells[k*width : (k+1)*width]
	}
	ways[0][0] = 1
	seen := 0
	for _, t := range s.ties {
		for k := min(s.a, seen+t); k >= 0; k-- {
			clear(spare)
			choose := 1.0 // j of t
			for j := 0; j <= min(t, k); j++ {
				if had := k - j; had <= seen && seen-had <= s.b && seen+t-k <= s.b {
					step := (t - j) * (2*had + j)
					for u, c := range ways[had][:2*had*s.b+1] {
						if c != 0 {
							spare[u+step] += choose * c
						}
					}
				}
				choose = choose * float64(t-j) / float64(j+1)
			}
			ways[k], spare = spare, ways[k]
		}
		seen += t
	}
	scale(ways[s.a])
	return ways[s.a]
}

// scale makes counts chances.
func scale(c []float64) {
	sum := 0.0
	for _, v := range c {
		sum += v
	}
	for i := range c {
		c[i] /= sum
	}
}

func convolve(x, y []float64) []float64 {
	if len(x) == 1 {
		return y
	}
	out := make([]float64, len(x)+len(y)-1)
	for i, p := range x {
		if p == 0 {
			continue
		}
		for j, q := range y {
			out[i+j] += p * q
		}
	}
	return out
}

// sumFrom is the chance of at least u.
func sumFrom(dist []float64, u int) float64 {
	p := 0.0
	for i := len(dist) - 1; i >= max(0, u); i-- {
		p += dist[i]
	}
	return min(1, p)
}
