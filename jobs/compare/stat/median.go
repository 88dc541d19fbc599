package stat

import "math"

// MedianRanks returns which of n ordered values, from 1, have the median between them with a chance
// of at least 95 %, whatever the values' distribution: the k-th least and the k-th greatest for the
// greatest such k, and the exact chance. Fewer than 6 values do not reach 95 %: the least and the
// greatest with the chance that they give. k is 0 for none.
func MedianRanks(n int) (k int, coverage float64) {
	if n < 1 {
		return 0, 0
	}
	k = 1
	// The k of the normal distribution is off by one at most.
	if guess := int(float64(n+1)/2 - z95/2*math.Sqrt(float64(n))); guess > 2 {
		k = guess - 2
	}
	for k+1 <= n/2 && between(n, k+1) >= level {
		k++
	}
	return k, between(n, k)
}

// between is the chance that the median lies between the k-th least and the k-th greatest of n.
func between(n, k int) float64 { return max(0, 1-2*halfBelow(n, k-1)) }

// halfBelow is the chance of at most k heads in n throws.
func halfBelow(n, k int) float64 {
	if k < 0 {
		return 0
	}
	if k >= n {
		return 1
	}
	term := math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	sum := 0.0
	for ; k >= 0 && term > 0 && term > sum*1e-17; k-- {
		sum += term
		term *= float64(k) / float64(n-k+1)
	}
	return min(1, sum)
}

// middle is the median of values in order, and 0 of none.
func middle(sorted []float64) float64 {
	switch n := len(sorted); {
	case n == 0:
		return 0
	case n%2 == 0:
		return sorted[n/2-1]/2 + sorted[n/2]/2
	default:
		return sorted[n/2]
	}
}

// rank95 is the place, from 1, of the 95th percentile among n in order: the nearest rank, so that it
// is a value that occurred.
func rank95(n int) int { return (95*n + 99) / 100 }

// few is how many trials a p95 needs: of fewer it would be their greatest.
const few = 20
