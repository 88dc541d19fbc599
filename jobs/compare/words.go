package compare

import (
	"fmt"
	"strconv"
	"time"

	"darkroom/client/human"
)

// String writes an interval as people read it: "4.1–4.6 s", "over 30.0 s", and "4.1 s" where both ends
// look alike. It is "?" where nothing is known.
func (i Interval) String() string {
	switch {
	case !i.Known():
		return "?"
	case i.Open:
		return "over " + span(i.Least)
	}
	a, b := span(i.Least), span(i.Most)
	switch {
	case a == b:
		return a
	case i.Most < time.Minute && i.Most >= time.Second:
		return fmt.Sprintf("%s–%s", tenths(i.Least), b)
	case i.Most < time.Second:
		return fmt.Sprintf("%d–%s", i.Least.Milliseconds(), b)
	default:
		return a + " to " + b
	}
}

func tenths(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) }

func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return tenths(d) + " s"
	default:
		return human.Dur(d.Round(time.Second))
	}
}
