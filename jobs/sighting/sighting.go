// Package sighting is what was seen of a task, look by look: in which state it was from when to when,
// between which looks it came into the next, when to look again, and what the end is. It asks nobody.
package sighting

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
)

// What a look shows beside the states of a task.
const (
	NotFound = "not found" // nobody knows the id
	NoAnswer = "no answer" // it could not be found out
	Refused  = "key refused"
)

// Look is what one look at a task showed.
type Look struct {
	At time.Time
	// State is that of the task, or one of [NotFound], [NoAnswer] and [Refused]; "" where nobody was asked.
	State string
	Raw   string // the gateway's own word for it
	Why   string // for people: why there is no answer, or what not found means
	// Progress is in percent, below 0 for none; Born is when the gateway made the task, zero for unknown.
	Progress float64
	Born     time.Time
	// Wait is what the gateway asked to wait for, 0 for nothing.
	Wait time.Duration
}

// Of is what the answers of a look at a time show together.
func Of(f *inspect.Findings, at time.Time) Look {
	l := Look{At: at, Progress: -1}
	if t := f.Task(); t != nil {
		l.State, l.Raw, l.Progress, l.Born = string(t.Status), client.CleanLine(t.RawStatus), t.Progress, t.CreatedAt
		return l
	}
	var all []client.RouteResult
	for i := range f.Routes {
		if r := &f.Routes[i]; !r.Local && r.Done && !r.Stopped && r.Skipped == "" {
			all = append(all, r.Result)
		}
	}
	v, i := client.Telling(all)
	if i < 0 {
		return l
	}
	res := &all[i]
	switch v {
	case client.VerdictUnknown:
		l.State = NotFound
	case client.VerdictRefused:
		l.State = Refused
	default:
		l.State = NoAnswer
	}
	switch {
	case res.Task != nil:
		l.Raw, l.Why = client.CleanLine(res.Task.RawStatus), client.CleanLine(res.Task.Absent)
	case res.Err != nil && l.State == NoAnswer:
		l.Why = inspect.ErrorText(res.Err)
	}
	if api, ok := errors.AsType[*client.APIError](res.Err); ok {
		l.Wait = api.RetryAfter
	}
	return l
}

// OfJob is what a job of the history shows at a time, which the engine asks about.
func OfJob(j *jobs.Job, at time.Time) Look {
	l := Look{At: at, State: string(j.State), Raw: client.CleanLine(j.RawStatus), Progress: j.Progress}
	if j.State == jobs.Lost {
		l.State, l.Raw, l.Why = NotFound, "", client.CleanLine(j.Note)
	}
	return l
}

// Told reports whether the look showed a state of the task.
func (l *Look) Told() bool { return told(l.State) }

func told(state string) bool {
	return state != "" && state != NotFound && state != NoAnswer && state != Refused
}

// Sight is one state, as it was seen for a while.
type Sight struct {
	State string `json:"state"`
	Raw   string `json:"raw_status,omitempty"`
	Why   string `json:"why,omitempty"`
	// After is the last look before that showed something else of the task; zero for none: the change
	// was between that and First.
	After time.Time `json:"after,omitzero"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	Looks int       `json:"looks"`
}

// List is all that was seen of a task, oldest first.
type List []Sight

// most bounds a list, since a gateway may invent states without end. The first stays.
const most = 60

// Add takes a look in, and reports whether it showed something new.
func (l *List) Add(x Look) bool {
	if x.State == "" {
		return false
	}
	s := *l
	if n := len(s); n > 0 && s[n-1].State == x.State && s[n-1].Raw == x.Raw {
		s[n-1].Last, s[n-1].Why = x.At, cmp.Or(x.Why, s[n-1].Why)
		s[n-1].Looks++
		return false
	}
	next := Sight{State: x.State, Raw: x.Raw, Why: x.Why, First: x.At, Last: x.At, Looks: 1}
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].State != NoAnswer || x.State == NoAnswer { // what did not answer tells nothing of the task
			next.After = s[i].Last
			if s[i].State == x.State && s[i].Raw == x.Raw {
				next.After = time.Time{} // it was so before, too
			}
			break
		}
	}
	if s = append(s, next); len(s) > most {
		s = append(s[:1], s[2:]...)
	}
	*l = s
	return true
}

// Clone is a copy.
func (l List) Clone() List { return append(List(nil), l...) }

// Text says what was seen, as "completed between 12:04:10 and 12:04:20Z"; one of its times has the zone.
func (s *Sight) Text(clock human.Times) string {
	what := s.State
	if s.Raw != "" && !strings.EqualFold(s.Raw, s.State) {
		what += " (" + s.Raw + ")"
	}
	text := ""
	switch {
	case s.State == NoAnswer && s.Looks > 1:
		text = fmt.Sprintf("%s x %d, %s to %s", what, s.Looks, clock.Since(s.First, s.Last), stamp(clock, s.Last))
	case s.State == NoAnswer:
		text = what + " " + stamp(clock, s.Last)
	case s.After.IsZero() && !told(s.State):
		text = what + " " + stamp(clock, s.First)
	case s.After.IsZero():
		text = "seen " + what + " " + stamp(clock, s.First)
	default:
		text = what + " between " + clock.Since(s.After, s.First) + " and " + stamp(clock, s.First)
	}
	if s.State != NoAnswer && s.Looks > 1 {
		text += fmt.Sprintf(", still at %s (%d looks)", clock.Since(s.Last, s.First), s.Looks)
	}
	if s.Why != "" {
		text += ": " + s.Why
	}
	return text
}

// stamp is a time of the day, for another day than today with the date.
func stamp(clock human.Times, at time.Time) string {
	if day := clock.Day(at); day != "" && day != clock.Day(clock.Now) {
		return clock.Stamp(at)
	}
	return clock.Clock(at)
}

// Lines are the texts of a list.
func (l List) Lines(clock human.Times) []string {
	out := make([]string, len(l))
	for i := range l {
		if out[i] = l[i].Text(clock); i == 0 && told(l[i].State) {
			out[i] = "first " + out[i]
		}
	}
	return out
}
