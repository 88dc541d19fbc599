package human_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/human"
)

func TestAge(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"now": -time.Hour, "1 s": time.Second, "59 s": 59*time.Second + 999*time.Millisecond, "1 m": time.Minute,
		"59 m": time.Hour - 1, "1 h": time.Hour, "23 h": 24*time.Hour - 1, "1 d": 24 * time.Hour, "13 d": 14*24*time.Hour - 1,
		"2 w": 14 * 24 * time.Hour, "52 w": 364 * 24 * time.Hour, "1 y": 365 * 24 * time.Hour, "99 y": 99 * 365 * 24 * time.Hour,
	} {
		assert.Equal(t, want, human.Age(d))
	}
}

func TestAgo(t *testing.T) {
	for want, d := range map[string]time.Duration{"just now": 999 * time.Millisecond, "1 s ago": time.Second, "3 d ago": 80 * time.Hour} {
		assert.Equal(t, want, human.Ago(d))
	}
}

func TestNextChangeIsWhenTheTextChangesAndNotBefore(t *testing.T) {
	for _, d := range []time.Duration{
		-time.Second, 0, 400 * time.Millisecond, time.Second, 1500 * time.Millisecond, 59 * time.Second, 61 * time.Second,
		59*time.Minute + 30*time.Second, 5 * time.Hour, 23*time.Hour + time.Minute, 3 * 24 * time.Hour,
		13*24*time.Hour + time.Hour, 20 * 24 * time.Hour, 364*24*time.Hour + time.Hour, 800 * 24 * time.Hour,
	} {
		next := human.NextChange(d)
		require.Positive(t, next, d)
		assert.NotEqual(t, human.Age(d), human.Age(d+next), "after %v", d)
		assert.Equal(t, human.Age(d), human.Age(d+next-1), "just before, at %v", d)
	}
}

func TestDurations(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"-": -1, "0 s": 0, "850 µs": 850 * time.Microsecond, "12 ms": 12 * time.Millisecond, "4.2 s": 4290 * time.Millisecond,
		"59.9 s": time.Minute - 1, "1 m 05 s": 65 * time.Second, "2 h 03 m": 123 * time.Minute, "3 d 04 h": 76 * time.Hour,
	} {
		assert.Equal(t, want, human.Dur(d))
	}
	assert.Equal(t, "0:05", human.Clock(5*time.Second))
	assert.Equal(t, "12:34", human.Clock(12*time.Minute+34*time.Second))
	assert.Equal(t, "1:02:03", human.Clock(time.Hour+2*time.Minute+3*time.Second))
	assert.Equal(t, "0:00", human.Clock(-time.Second))
}

func TestBytes(t *testing.T) {
	for want, n := range map[string]int64{
		"-": -1, "0 B": 0, "999 B": 999, "1.0 kB": 1000, "9.9 kB": 9_949, "10 kB": 9_950, "999 kB": 999_499,
		"1.0 MB": 999_500, "83 kB": 83_000, "14 MB": 14_200_000, "2.0 GB": 2_000_000_000, "9.2 EB": math.MaxInt64,
	} {
		assert.Equal(t, want, human.Bytes(n), "%d", n)
		assert.LessOrEqual(t, len(human.Bytes(n)), 7)
	}
}

func TestPercentAndCount(t *testing.T) {
	assert.Equal(t, "0 %", human.Percent(0))
	assert.Equal(t, "99 %", human.Percent(0.9999))
	assert.Equal(t, "100 %", human.Percent(1))
	assert.Equal(t, "-", human.Percent(-0.1))
	assert.Equal(t, "-", human.Percent(math.NaN()))
	assert.Equal(t, "12 345 678", human.Count(12345678))
	assert.Equal(t, "-1 234", human.Count(-1234))
	assert.Equal(t, "-123", human.Count(-123))
	assert.Equal(t, "1 part", human.Plural(1, "part"))
	assert.Equal(t, "0 parts", human.Plural(0, "part"))
}
