package human

import (
	"slices"
	"time"
)

// TimeStyle is how points in time are written.
type TimeStyle string

// The styles, in the order in which one key goes through them.
const (
	Local    TimeStyle = "local"    // in the zone of this machine
	UTC      TimeStyle = "utc"      // as gateways log them
	Relative TimeStyle = "relative" // by how long ago they were
)

// TimeStyles are all styles.
func TimeStyles() []TimeStyle { return []TimeStyle{Local, UTC, Relative} }

// ParseTimeStyle reads the name of a style; false for any other text.
func ParseTimeStyle(s string) (TimeStyle, bool) {
	return TimeStyle(s), slices.Contains(TimeStyles(), TimeStyle(s))
}

// Next is the style after this one; after the last comes the first.
func (s TimeStyle) Next() TimeStyle {
	all := TimeStyles()
	return all[(slices.Index(all, s)+1)%len(all)]
}

// AsSent follows a time that came without a zone: nobody can tell which moment it names.
const AsSent = "as sent, without a zone"

// Times writes points in time for people. None is written without its zone; a relative one needs
// none. The zero time is "".
type Times struct {
	Style TimeStyle // "" for [Local]
	// Now is what ages are counted to; [Local] is its zone.
	Now time.Time
}

const (
	second = "2006-01-02 15:04:05"
	millis = second + ".000"
)

// Stamp is a point in time to the second: "2026-03-01 12:00:00 +0100", "2026-03-01 11:00:00Z", "3 m
// ago".
func (t Times) Stamp(at time.Time) string { return t.write(at, second) }

// Exact is [Times.Stamp] to the millisecond; an age is none the longer for it.
func (t Times) Exact(at time.Time) string { return t.write(at, millis) }

// WithAge is [Times.Stamp] with the age beside it.
func (t Times) WithAge(at time.Time) string {
	if at.IsZero() || t.Style == Relative {
		return t.Stamp(at)
	}
	return t.Stamp(at) + "  " + ago(t.Now.Sub(at))
}

// Clock is the time of the day alone, for what is of today: "12:00:00 +0100", "11:00:00Z", "3 m ago".
func (t Times) Clock(at time.Time) string { return t.write(at, time.TimeOnly) }

// Day names the day for the heading of a timeline, with the zone of all times below it; "" for
// [Relative], whose times need no heading.
func (t Times) Day(at time.Time) string {
	switch {
	case at.IsZero() || t.Style == Relative:
		return ""
	case t.Style == UTC:
		return at.UTC().Format("Monday, 2 January 2006, UTC")
	}
	return at.In(t.Now.Location()).Format("Monday, 2 January 2006, -0700")
}

// OfDay is a time below a heading of [Times.Day], which has the zone: "12:00:00.000", or "3 m ago".
func (t Times) OfDay(at time.Time) string {
	switch {
	case at.IsZero():
		return ""
	case t.Style == Relative:
		return ago(t.Now.Sub(at))
	}
	return at.In(t.zone()).Format("15:04:05.000")
}

// Since is a time before one that has its zone: "12:00:00", of another day "28 Feb 12:00", or "3 m
// ago".
func (t Times) Since(first, at time.Time) string {
	if t.Style == Relative {
		return ago(t.Now.Sub(first))
	}
	first, at = first.In(t.zone()), at.In(t.zone())
	if first.YearDay() != at.YearDay() || first.Year() != at.Year() {
		return first.Format("2 Jan 15:04")
	}
	return first.Format(time.TimeOnly)
}

func (t Times) zone() *time.Location {
	if t.Style == UTC {
		return time.UTC
	}
	return t.Now.Location()
}

func (t Times) write(at time.Time, layout string) string {
	switch {
	case at.IsZero():
		return ""
	case t.Style == Relative:
		return ago(t.Now.Sub(at))
	case t.Style == UTC:
		return at.UTC().Format(layout) + "Z"
	}
	return at.In(t.Now.Location()).Format(layout + " -0700")
}

// ago is an age as people say it: "now", "3 m ago", and "in 3 m" for what is to come.
func ago(d time.Duration) string {
	switch {
	case d <= -time.Second:
		return "in " + Age(-d)
	case d < time.Second:
		return "now"
	}
	return Age(d) + " ago"
}

// NextAgo is how long the text of ago for d stays the same; always above 0.
func NextAgo(d time.Duration) time.Duration {
	if d > -time.Second {
		return NextChange(d)
	}
	unit, _ := ageUnit(-d)
	return (-d)%unit + 1 // one less from then on
}
