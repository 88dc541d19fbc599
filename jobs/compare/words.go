package compare

import (
	"fmt"
	"strconv"
	"time"

	"darkroom/client/human"
)

// String writes an interval as people read it: "4.1–4.6 s", "over 30.0 s", and "4.1 s" where both ends
// look alike. It is "?" where nothing is known. What is written is never narrower than the interval.
func (i Interval) String() string {
	switch {
	case !i.Known():
		return "?"
	case i.Open:
		return "over " + human.Dur(i.Least)
	case i.Least == i.Most:
		return human.Dur(i.Least)
	}
	unit := time.Millisecond
	switch {
	case i.Most >= time.Minute:
		unit = time.Second
	case i.Most >= time.Second:
		unit = 100 * time.Millisecond
	}
	least, most := i.Least.Truncate(min(unit, 100*time.Millisecond)), (i.Most + unit - 1).Truncate(unit)
	switch {
	case least == most:
		return human.Dur(most)
	case most >= time.Minute:
		return human.Dur(least) + " to " + human.Dur(most)
	case unit == time.Millisecond:
		return fmt.Sprintf("%d–%s", least.Milliseconds(), human.Dur(most))
	default:
		return strconv.FormatFloat(least.Seconds(), 'f', 1, 64) + "–" + human.Dur(most)
	}
}
