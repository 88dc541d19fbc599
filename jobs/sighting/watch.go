package sighting

import (
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// Outcome is how watching a task ended.
type Outcome string

// How watching ends, beside completed and failed.
const (
	Going     Outcome = "" // it has not
	Completed Outcome = "completed"
	Failed    Outcome = "failed"
	Unknown   Outcome = "unknown"   // in a state that nobody listed, for long
	Missing   Outcome = "not found" // nobody knows the id, or not any more
	Denied    Outcome = "refused"   // the key was not taken
	TimedOut  Outcome = "timed out"
	Stopped   Outcome = "stopped" // by a person
)

const (
	// missingFor is for how long a task that was seen may be missing, and minMissing in how many looks.
	missingFor = time.Minute
	minMissing = 4
	// unknownFor is for how long a state that nobody listed is watched.
	unknownFor = 30 * time.Minute
)

// Watch follows a task by looking at it now and then, as the engine of jobs does with those of the
// history: by its age, and after failures more and more rarely. The zero value has seen nothing.
type Watch struct {
	Seen    List
	Outcome Outcome

	born    time.Time
	told    bool // a state was seen
	backoff time.Duration
}

// Saw takes a look in, and says how long to wait for the next and whether it showed something new; rnd
// is in [0,1). With an Outcome there is no next.
func (w *Watch) Saw(x Look, rnd float64) (wait time.Duration, news bool) {
	news = w.Seen.Add(x)
	if w.born.IsZero() || !x.Born.IsZero() && x.Born.Before(x.At) {
		if w.born = x.At; !x.Born.IsZero() && x.Born.Before(x.At) {
			w.born = x.Born
		}
	}
	if w.Outcome = w.outcome(x); w.Outcome != Going {
		return 0, news
	}
	w.told = w.told || x.Told()
	if !x.Told() {
		w.backoff = schedule.Backoff{Base: time.Second, Cap: time.Minute}.Next(w.backoff, x.Wait, rnd)
		return w.backoff, news
	}
	w.backoff = 0
	return schedule.DefaultCurve().Interval(x.At.Sub(w.born), rnd), news
}

func (w *Watch) outcome(x Look) Outcome {
	var last Sight
	if n := len(w.Seen); n > 0 {
		last = w.Seen[n-1]
	}
	lasts := last.Last.Sub(last.First)
	switch x.State {
	case string(client.StatusCompleted):
		return Completed
	case string(client.StatusFailed):
		return Failed
	case string(client.StatusUnknown):
		if lasts >= unknownFor {
			return Unknown
		}
	case NotFound:
		if !w.told || lasts >= missingFor && last.Looks >= minMissing {
			return Missing
		}
	case Refused:
		return Denied
	case string(jobs.Dropped):
		return Stopped
	case "":
		return Missing // nobody could be asked
	}
	return Going
}
