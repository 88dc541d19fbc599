package postgres

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestASlowAnswerIsNoSkew: what a busy machine adds to the way to the server and back is no clock that
// is off; a clock that is off by more than that is told.
func TestASlowAnswerIsNoSkew(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, x := range []struct{ took, server, want time.Duration }{
		{took: 10 * time.Millisecond, server: 200 * time.Millisecond},
		{took: 10 * time.Millisecond, server: time.Second, want: 1005 * time.Millisecond},
		{took: 1600 * time.Millisecond, server: -1500 * time.Millisecond}, // it looked at once, and the answer was late
		{took: 1600 * time.Millisecond, server: time.Hour, want: time.Hour + 800*time.Millisecond},
	} {
		k := skew{wall: func() time.Time { return at }}
		k.learn(at.Add(x.server), at.Add(-x.took), at)
		assert.Equal(t, x.want, k.get(), x)
	}
}
