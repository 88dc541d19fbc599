package human

import (
	"fmt"
	"time"
)

// Left is roughly the time remaining, rounded up in steps that grow with it: "3 s", "15 s", "1 m 20
// s", "12 m", "2 h 10 m", "3 d 04 h". It is never below "1 s". At most 9 cells below 100 days.
func Left(d time.Duration) string {
	unit := leftUnit(d)
	d = max((d+unit-1)/unit*unit, time.Second)
	switch {
	case d < minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < 10*minute:
		return fmt.Sprintf("%d m %02d s", d/minute, d%minute/time.Second)
	case d < hour:
		return fmt.Sprintf("%d m", d/minute)
	case d < day:
		return fmt.Sprintf("%d h %02d m", d/hour, d%hour/minute)
	default:
		return fmt.Sprintf("%d d %02d h", d/day, d%day/hour)
	}
}

// Wait is how long somebody asked to wait, in whole seconds and rounded up, since it must not be too
// short: "1 s", "25 s", "119 s", "2 m 05 s".
func Wait(d time.Duration) string {
	d = max((d + time.Second - 1).Truncate(time.Second), time.Second)
	if d < 2*minute {
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return Dur(d)
}

// LeftChange is how long the text of [Left] for d stays the same as time passes; always above 0.
func LeftChange(d time.Duration) time.Duration {
	unit := leftUnit(d)
	if d <= unit {
		return max(d, 1)
	}
	return d - (d-1)/unit*unit
}

func leftUnit(d time.Duration) time.Duration {
	switch {
	case d <= 10*time.Second:
		return time.Second
	case d <= minute:
		return 5 * time.Second
	case d <= 10*minute:
		return 10 * time.Second
	case d <= hour:
		return minute
	case d <= day:
		return 10 * minute
	default:
		return hour
	}
}
