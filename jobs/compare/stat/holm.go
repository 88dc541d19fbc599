package stat

import (
	"cmp"
	"slices"
)

// Holm returns the p values adjusted for their number (Holm 1979), in the order of p: one that is at
// most alpha is shown, and with a chance of at least 1-alpha no such claim of all is wrong, however
// the tests depend on one another.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	out := make([]float64, len(p))
	most := 0.0
	for rank, i := range order {
		most = max(most, min(1, p[i]*float64(len(p)-rank)))
		out[i] = most
	}
	return out
}
