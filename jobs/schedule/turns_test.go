package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTurns(t *testing.T) {
	t.Parallel()
	var q Turns[int]
	for i := range 4 {
		q.Put(true, 10+i)
	}
	take := func(n int) (out []int) {
		for range n {
			out = append(out, q.Take())
		}
		return out
	}
	assert.Equal(t, []int{10}, take(1), "nobody else waits")
	for i := range 2 {
		q.Put(false, i)
	}
	assert.Equal(t, 5, q.Len())
	assert.Equal(t, []int{0, 11, 1, 12, 13}, take(5))
	assert.Zero(t, q.Len())
	assert.Panics(t, func() { q.Take() })
}
