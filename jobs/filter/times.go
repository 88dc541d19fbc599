package filter

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// longest bounds a duration: more is a slip.
const longest = 100 * 365 * day

// unit is one of a duration, by its letters; 0 for none.
func unit(s string) time.Duration {
	switch s {
	case "ms":
		return time.Millisecond
	case "s", "sec":
		return time.Second
	case "m", "min":
		return time.Minute
	case "h":
		return time.Hour
	case "d":
		return day
	case "w":
		return 7 * day
	default:
		return 0
	}
}

// duration reads 90s, 15m, 1h30m, 1.5h, 2d, 1w.
func duration(text string) (time.Duration, error) {
	var total float64
	for rest := strings.ToLower(text); rest != ""; {
		n := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if n <= 0 {
			return 0, errDuration()
		}
		number, err := strconv.ParseFloat(rest[:n], 64)
		rest = rest[n:]
		u := strings.IndexFunc(rest, func(r rune) bool { return r < 'a' || r > 'z' })
		if u < 0 {
			u = len(rest)
		}
		of := unit(rest[:u])
		rest = rest[u:]
		total += number * float64(of)
		if err != nil || of == 0 || total > float64(longest) {
			return 0, errDuration()
		}
	}
	if total < float64(time.Millisecond) {
		return 0, errDuration()
	}
	return time.Duration(total), nil
}

func errDuration() error { return errors.New("give a duration such as 90s, 15m, 1h30m, 2d or 1w") }

// Days that have a name.
const (
	today     = "today"
	yesterday = "yesterday"
)

func days() []string { return []string{today, yesterday} }

// span reads a time, and returns the first moment of what it names, and the one behind it: a day is
// that from midnight to midnight, in the zone of now. A time of the day is today's, or yesterday's
// where today's is still to come.
func span(text string, now time.Time) (from, to time.Time, err error) {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	low := strings.ToLower(text)
	switch low {
	case today:
		return midnight, midnight.AddDate(0, 0, 1), nil
	case yesterday:
		return midnight.AddDate(0, 0, -1), midnight, nil
	}
	if t, err := time.ParseInLocation("15:04", text, now.Location()); err == nil {
		at := time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), 0, 0, now.Location())
		if at.After(now) {
			at = at.AddDate(0, 0, -1)
		}
		return at, at, nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return t, t.AddDate(0, 0, 1), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.ParseInLocation(layout, strings.ToUpper(text), now.Location()); err == nil {
			return t, t, nil
		}
	}
	return from, to, errors.New("give a time such as " + today + ", " + yesterday + ", 14:00, 2026-11-22 or 2026-11-22T14:00")
}
