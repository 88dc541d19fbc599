// Package human writes ages, durations, sizes and shares for people, short enough for
// a column of a table.
package human

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

const (
	minute = time.Minute
	hour   = time.Hour
	day    = 24 * time.Hour
)

// Age is the time since something happened, in one unit and rounded down: "now" below 1 s, then "12
// s", "5 m", "3 h", "2 d", "8 w", "1 y". An age below 0 (clocks differ) is "now". At most 5 cells
// below 100 years.
func Age(d time.Duration) string {
	unit, name := ageUnit(d)
	if unit == 0 {
		return "now"
	}
	return strconv.FormatInt(int64(d/unit), 10) + " " + name
}

// Ago is [Age] as words for the past: "3 d ago", and "just now" below 1 s.
func Ago(d time.Duration) string {
	if d < time.Second {
		return "just now"
	}
	return Age(d) + " ago"
}

// NextChange is how long the text of [Age] for d stays the same; always above 0.
func NextChange(d time.Duration) time.Duration {
	if d < time.Second {
		return time.Second - d
	}
	unit, _ := ageUnit(d)
	next := (d/unit + 1) * unit
	for _, edge := range []time.Duration{minute, hour, day, 14 * day, 365 * day} {
		if d < edge {
			next = min(next, edge)
		}
	}
	return next - d
}

func ageUnit(d time.Duration) (time.Duration, string) {
	switch {
	case d < time.Second:
		return 0, ""
	case d < minute:
		return time.Second, "s"
	case d < hour:
		return minute, "m"
	case d < day:
		return hour, "h"
	case d < 14*day:
		return day, "d"
	case d < 365*day:
		return 7 * day, "w"
	default:
		return 365 * day, "y"
	}
}

// Dur is how long something took: "850 µs", "12 ms", "4.2 s", "1 m 05 s", "2 h 03 m",
// "3 d 04 h". A duration below 0 is "-".
func Dur(d time.Duration) string {
	switch {
	case d < 0:
		return "-"
	case d == 0:
		return "0 s"
	case d < time.Millisecond:
		return strconv.FormatInt(int64(d/time.Microsecond), 10) + " µs"
	case d < time.Second:
		return strconv.FormatInt(int64(d/time.Millisecond), 10) + " ms"
	case d < minute:
		tenths := int64(d / (100 * time.Millisecond))
		return fmt.Sprintf("%d.%d s", tenths/10, tenths%10)
	case d < hour:
		return fmt.Sprintf("%d m %02d s", d/minute, d%minute/time.Second)
	case d < day:
		return fmt.Sprintf("%d h %02d m", d/hour, d%hour/minute)
	default:
		return fmt.Sprintf("%d d %02d h", d/day, d%day/hour)
	}
}

// Clock is a position in a piece of media: "0:05", "12:34", "1:02:03".
func Clock(d time.Duration) string {
	d = max(0, d)
	h, m, s := d/hour, d%hour/minute, d%minute/time.Second
	if h > 0 {
		return fmt.Sprintf("%d:%02d:%02d", h, m, s)
	}
	return fmt.Sprintf("%d:%02d", m, s)
}

// Bytes is a size in units of 1000: "214 B", "83 kB", "1.4 MB", "2.0 GB". A size below
// 0 is "-". At most 7 cells.
func Bytes(n int64) string {
	if n < 0 {
		return "-"
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB", "PB"} {
		f /= 1000
		switch {
		case f < 9.95:
			return strconv.FormatFloat(f, 'f', 1, 64) + " " + unit
		case f < 999.5:
			return strconv.FormatFloat(f, 'f', 0, 64) + " " + unit
		}
	}
	return strconv.FormatFloat(f/1000, 'f', 1, 64) + " EB"
}

// Percent is a share from 0 to 1 as "42 %", without rounding up to 100 before the end;
// "-" for what is not a number or below 0.
func Percent(f float64) string {
	switch {
	case math.IsNaN(f) || f < 0:
		return "-"
	case f >= 1:
		return "100 %"
	default:
		return strconv.Itoa(int(f*100)) + " %"
	}
}

// Count is a number with a thin group mark: "12 345". A number below 0 keeps its sign.
func Count(n int) string {
	s := strconv.Itoa(n)
	start := 0
	if s[0] == '-' {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// Plural is a number with its noun: "1 part", "3 parts".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
