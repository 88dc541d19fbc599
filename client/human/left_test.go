package human

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLeft(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]time.Duration{
		"1 s": -time.Hour, "3 s": 2200 * time.Millisecond, "10 s": 9100 * time.Millisecond, "15 s": 11 * time.Second, "55 s": 55 * time.Second, "1 m 00 s": 56 * time.Second,
		"1 m 20 s": 75 * time.Second, "10 m": 595 * time.Second, "11 m": 601 * time.Second,
		"1 h 00 m": hour - 1, "2 h 10 m": 2*hour + 1, "1 d 00 h": day - minute, "3 d 04 h": 3*day + 3*hour + 1,
	} {
		assert.Equal(t, want, Left(d), d)
	}
}

// TestLeftChange goes down from a long time by the changes that it tells.
func TestLeftChange(t *testing.T) {
	t.Parallel()
	for d := 30 * hour; d > time.Second; {
		next := LeftChange(d)
		require.Positive(t, next)
		require.Equal(t, Left(d), Left(d-next+1), "%s: no change before", d)
		d -= next
		require.NotEqual(t, Left(d+next), Left(d-1), "%s: a change after", d)
	}
	assert.Positive(t, LeftChange(0))
	assert.Positive(t, LeftChange(-time.Hour))
}

func TestWaitIsNeverTooShort(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"1 s": 0, "25 s": 25 * time.Second, "26 s": 25*time.Second + 1, "119 s": 119 * time.Second, "2 m 00 s": 119*time.Second + 1, "2 m 05 s": 125 * time.Second,
	} {
		assert.Equal(t, want, Wait(d), d)
	}
}
