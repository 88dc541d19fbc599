package human

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTimesSayTheirZone(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 3, 1, 1, 30, 0, 0, zone)
	at := time.Date(2026, 2, 28, 23, 29, 30, 125e6, time.UTC)
	for style, want := range map[TimeStyle][6]string{
		"":       {"2026-03-01 01:29:30 +0200", "2026-03-01 01:29:30.125 +0200", "2026-03-01 01:29:30 +0200  29 s ago", "01:29:30 +0200", "Sunday, 1 March 2026, +0200", "01:29:30.125"},
		Local:    {"2026-03-01 01:29:30 +0200", "2026-03-01 01:29:30.125 +0200", "2026-03-01 01:29:30 +0200  29 s ago", "01:29:30 +0200", "Sunday, 1 March 2026, +0200", "01:29:30.125"},
		UTC:      {"2026-02-28 23:29:30Z", "2026-02-28 23:29:30.125Z", "2026-02-28 23:29:30Z  29 s ago", "23:29:30Z", "Saturday, 28 February 2026, UTC", "23:29:30.125"},
		Relative: {"29 s ago", "29 s ago", "29 s ago", "29 s ago", "", "29 s ago"},
	} {
		x := Times{Style: style, Now: now}
		assert.Equal(t, want, [6]string{x.Stamp(at), x.Exact(at), x.WithAge(at), x.Clock(at), x.Day(at), x.OfDay(at)}, style)
		assert.Equal(t, [6]string{}, [6]string{x.Stamp(time.Time{}), x.Exact(time.Time{}), x.WithAge(time.Time{}), x.Clock(time.Time{}), x.Day(time.Time{}), x.OfDay(time.Time{})}, "the zero time")
	}
}

func TestSince(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 0, 30, 0, 0, time.UTC)
	x := Times{Now: at.In(time.FixedZone("", -60*60))}
	assert.Equal(t, "23:20:00", x.Since(at.Add(-10*time.Minute), at))
	assert.Equal(t, "00:20:00", Times{Style: UTC, Now: x.Now}.Since(at.Add(-10*time.Minute), at))
	assert.Equal(t, "28 Feb 22:30", x.Since(at.Add(-time.Hour), at.Add(time.Hour)))
	assert.Equal(t, "10 m ago", Times{Style: Relative, Now: x.Now}.Since(at.Add(-10*time.Minute), at))
}

func TestStylesGoInACircle(t *testing.T) {
	t.Parallel()
	s := Local
	var seen []TimeStyle
	for range 3 {
		seen = append(seen, s)
		s = s.Next()
	}
	assert.Equal(t, TimeStyles(), seen)
	assert.Equal(t, Local, s)
	assert.Equal(t, Local, TimeStyle("odd").Next())
	_, ok := ParseTimeStyle("UTC")
	assert.False(t, ok)
	got, ok := ParseTimeStyle("utc")
	assert.True(t, ok)
	assert.Equal(t, UTC, got)
}

// TestNextAgo: the text is the same until then, and another one after it.
func TestNextAgo(t *testing.T) {
	t.Parallel()
	for _, d := range []time.Duration{0, 999 * time.Millisecond, 59500 * time.Millisecond, 3 * time.Hour, -500 * time.Millisecond, -time.Second, -90 * time.Second, -26 * time.Hour} {
		next := NextAgo(d)
		assert.Positive(t, next, d)
		assert.Equal(t, ago(d), ago(d+next-1), "%v before", d)
		if d != -500*time.Millisecond { // "now" on both sides
			assert.NotEqual(t, ago(d), ago(d+next), "%v after", d)
		}
	}
	assert.Equal(t, "in 1 m", ago(-90*time.Second))
}
