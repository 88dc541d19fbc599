package media

import (
	"hash/fnv"
	"strconv"
)

// rng is a small generator (splitmix64). Media must come out the same on
// every run, so its sequence is fixed here and not left to a library.
type rng struct{ state uint64 }

// newRNG seeds a generator from a seed and any texts.
func newRNG(seed int64, texts ...string) *rng {
	h := fnv.New64a()
	_, _ = h.Write(strconv.AppendInt(nil, seed, 10))
	for _, t := range texts {
		_, _ = h.Write([]byte{0})
		_, _ = h.Write([]byte(t))
	}
	return &rng{state: h.Sum64()}
}

func (r *rng) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// float is uniform in [0, 1).
func (r *rng) float() float64 { return float64(r.next()>>11) / (1 << 53) }

// between is uniform in [lo, hi).
func (r *rng) between(lo, hi float64) float64 { return lo + (hi-lo)*r.float() }

// intn is uniform in 0..n-1.
func (r *rng) intn(n int) int { return int(r.next() % uint64(n)) }

// pick is one of the items.
func pick[T any](r *rng, items ...T) T { return items[r.intn(len(items))] }
