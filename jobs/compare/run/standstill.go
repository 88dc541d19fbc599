package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"darkroom/client/human"
	"darkroom/jobs"
)

// standstill says what keeps the trials that were handed over from going on: what they are paused by, or
// why those that were not sent yet cannot be, "" for nothing. held reports that all of them are paused, so
// that waiting is of no use.
func (r *runner) standstill() (why string, held bool) {
	if len(r.open) == 0 {
		return "", false
	}
	flow, count := r.b.o.Jobs.Counts().Flow, map[string]int{}
	unsent, stuck := "", 0
	for _, i := range slices.Sorted(maps.Keys(r.open)) {
		j := &r.open[i].job
		if reason := pausedBy(flow.Holds(*j, r.b.o.Host), j); reason != "" {
			count[reason]++
			stuck++
		} else if j.State == jobs.Planned {
			unsent = cmp.Or(unsent, shorten(j.Note))
		}
	}
	if stuck == 0 {
		return unsent, false
	}
	for _, reason := range slices.Sorted(maps.Keys(count)) { // the one that most have
		if why == "" || count[reason] > count[why] {
			why = reason
		}
	}
	held = stuck == len(r.open)
	return fmt.Sprintf("%s: %s", human.Plural(stuck, "trial")+" "+wait(stuck), why), held
}

func wait(n int) string {
	if n == 1 {
		return "waits"
	}
	return "wait"
}

// pausedBy says what pauses a job, "" for nothing.
func pausedBy(holds []jobs.Hold, j *jobs.Job) string {
	if len(holds) == 0 {
		return ""
	}
	switch h := holds[0]; h.Kind {
	case jobs.HoldAll:
		return "everything is paused"
	case jobs.HoldHost:
		return "the host " + h.Host + " is paused"
	case jobs.HoldReadOnly:
		return "nothing is sent from here, read-only as this is"
	default:
		return cmp.Or(shorten(j.Note), "their jobs are paused")
	}
}
