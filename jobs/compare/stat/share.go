package stat

import "math"

// normalTail is the chance that a standard normal value is at least z.
func normalTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// z95 is how far from 0, on either side, a standard normal value is at most in 95 %.
const z95 = 1.959963984540054

// Wilson returns a share with its 95 % score interval (Wilson 1927), which stays within 0 and 1 and
// says something at 0 and at n, too. Counts that make no sense are taken as the nearest that do.
func Wilson(count, n int) Share {
	n = max(0, n)
	count = min(max(0, count), n)
	if n == 0 {
		return Share{High: 1}
	}
	p, f, z := float64(count)/float64(n), float64(n), z95
	mid := (p + z*z/(2*f)) / (1 + z*z/f)
	half := z / (1 + z*z/f) * math.Sqrt(p*(1-p)/f+z*z/(4*f*f))
	s := Share{Count: count, N: n, Value: p, Low: max(0, mid-half), High: min(1, mid+half)}
	if count == 0 {
		s.Low = 0
	}
	if count == n {
		s.High = 1
	}
	return s
}

// PassAll estimates, without bias, how likely all of k trials of a cell succeed when c of its n did:
// C(c,k)/C(n,k), the pass^k of tau-bench (Yao et al. 2024). With k = n it is 1 when all did, else 0;
// the mean over cells is then the share of cells whose repeats all succeeded. It is 0 for n < k.
func PassAll(c, n, k int) float64 {
	if k < 1 || k > n || c < k {
		return 0
	}
	p := 1.0
	for i := range k {
		p *= float64(c-i) / float64(n-i)
	}
	return min(1, p)
}

// Fisher is the two-sided p of Fisher's exact test of a table of two rows, a successes and b failures
// of one side, c and d of the other: the sum over all tables with the same margins that are at most
// as likely, as in R's fisher.test. Counts below 0 are taken as 0.
func Fisher(a, b, c, d int) float64 {
	a, b, c, d = max(0, a), max(0, b), max(0, c), max(0, d)
	one, good := a+b, a+c
	n := one + c + d
	low, high := max(0, good-(n-one)), min(one, good)
	if low == high {
		return 1
	}
	at := func(x int) float64 {
		return logChoose(one, x) + logChoose(n-one, good-x) - logChoose(n, good)
	}
	limit := at(a) + 1e-7
	p := 0.0
	for x := low; x <= high; x++ {
		if l := at(x); l <= limit {
			p += math.Exp(l)
		}
	}
	return min(1, p)
}

// logChoose is the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}
