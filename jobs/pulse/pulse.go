// Package pulse sums up how the work stands: what is in flight, what failed by code, how long tasks
// of each model take, what holds the work up, and how fast tasks are asked for. Of sums is pure; Read
// reads what it takes from a history.
package pulse

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"darkroom/jobs"
)

// Span is how far back failures and durations are looked at.
const Span = 24 * time.Hour

// Window is the time for which the polls that fall due are counted.
const Window = 10 * time.Second

// Most is how many jobs of each kind are read; [Summary.Cut] says that there are more.
const Most = 2000

// Pace is how many requests a second may go to the gateway; Top is the rate to which it recovers. 0
// where there is no bound.
type Pace struct {
	Rate float64 `json:"rate,omitempty"`
	Top  float64 `json:"top,omitempty"`
}

// Input is what is summed up.
type Input struct {
	Now    time.Time
	Active []jobs.Job // in flight, and ambiguous ones
	Ended  []jobs.Job // that ended within Span
	Flow   jobs.Flow
	Pace   Pace
	Cut    bool // there are more of either
}

// Count is how many there are of something.
type Count struct {
	Of   string `json:"of"`
	Jobs int    `json:"jobs"`
}

// Took is how long the tasks of a model took, from the begin of the create to the first sight of the
// end, by nearest rank.
type Took struct {
	Model string        `json:"model"`
	Jobs  int           `json:"jobs"`
	P50   time.Duration `json:"p50_ns"`
	P95   time.Duration `json:"p95_ns"`
}

// Holds is what holds the work up.
type Holds struct {
	Paused bool      `json:"paused,omitempty"` // everything, by a person
	Hosts  string    `json:"hosts,omitempty"`  // paused by a person, separated by blanks
	Jobs   int       `json:"jobs,omitempty"`   // paused by a person one by one
	Until  time.Time `json:"until,omitzero"`   // the gateway asked for a pause until then
	Away   bool      `json:"away,omitempty"`   // the history is
}

// None reports whether nothing holds it up.
func (h Holds) None() bool { return h == Holds{} }

// Summary is the pulse.
type Summary struct {
	At       time.Time `json:"at"`
	InFlight []Count   `json:"in_flight"` // by state, in the order of a job's life
	Failures []Count   `json:"failures"`  // by code, the most first; those of the last 24 hours
	// LastHour are those of them of the last hour.
	LastHour []Count `json:"failures_last_hour"`
	Models   []Took  `json:"models"` // the slowest first; those of the last 24 hours
	Holds    Holds   `json:"holds"`
	// Due are the polls that fall due within the next 10 seconds, with those that are late; Rate is as
	// many a second. Pace is how many requests may go.
	Due  int     `json:"due"`
	Rate float64 `json:"rate"`
	Pace Pace    `json:"pace"`
	// Cut says that only the newest jobs were looked at.
	Cut bool `json:"cut,omitempty"`
}

// Uncoded is the code of failures that have none; refused and lost jobs have their state in its place.
const Uncoded = "no code"

// Of sums up.
func Of(in Input) Summary {
	s := Summary{At: in.Now, InFlight: []Count{}, Models: []Took{}, Pace: in.Pace, Cut: in.Cut}
	states, codes, lately, took := map[jobs.State]int{}, map[string]int{}, map[string]int{}, map[string][]time.Duration{}
	for i := range in.Active {
		j := &in.Active[i]
		states[j.State]++
		if j.Paused {
			s.Holds.Jobs++
		} else if j.State.Polled() && !j.NextPollAt.IsZero() && j.NextPollAt.Before(in.Now.Add(Window)) {
			s.Due++
		}
	}
	for i := range in.Ended {
		j := &in.Ended[i]
		switch j.State {
		case jobs.Completed:
			if d, ok := j.Took(); ok {
				took[j.Draft.Model] = append(took[j.Draft.Model], d)
			}
		case jobs.Failed, jobs.Refused, jobs.Lost:
			codes[code(j)]++
			if j.EndedAt.After(in.Now.Add(-time.Hour)) {
				lately[code(j)]++
			}
		}
	}
	for _, st := range jobs.States() {
		if n := states[st]; n > 0 {
			s.InFlight = append(s.InFlight, Count{string(st), n})
		}
	}
	s.Failures, s.LastHour = most(codes), most(lately)
	for m, all := range took {
		slices.Sort(all)
		s.Models = append(s.Models, Took{m, len(all), rank(all, 0.5), rank(all, 0.95)})
	}
	slices.SortFunc(s.Models, func(a, b Took) int { return cmp.Or(cmp.Compare(b.P95, a.P95), cmp.Compare(a.Model, b.Model)) })
	s.Rate = float64(s.Due) / Window.Seconds()
	s.Holds.Paused, s.Holds.Hosts, s.Holds.Away = in.Flow.Paused, in.Flow.Hosts, !in.Flow.Away.IsZero()
	if in.Flow.Until.After(in.Now) {
		s.Holds.Until = in.Flow.Until
	}
	if in.Flow.Rate > 0 {
		s.Pace.Rate = in.Flow.Rate
	}
	return s
}

// most lists counts, the greatest first.
func most(counts map[string]int) []Count {
	out := []Count{}
	for of, n := range counts {
		out = append(out, Count{of, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.Of, b.Of)) })
	return out
}

// code is what a failure counts as.
func code(j *jobs.Job) string {
	switch {
	case j.Error != nil && j.Error.Code != "":
		return j.Error.Code
	case j.State != jobs.Failed:
		return string(j.State)
	}
	return Uncoded
}

// rank is the quantile of sorted durations by nearest rank.
func rank(all []time.Duration, q float64) time.Duration {
	return all[max(0, int(math.Ceil(q*float64(len(all))))-1)]
}

// History is what is read. The methods are those of [jobs.Reader].
type History interface {
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
	Counts() jobs.Counts
}

// Pauser is what a History may implement to tell what a person paused; the method is that of
// [jobs.Keeper].
type Pauser interface {
	Pauses(ctx context.Context) ([]jobs.Pause, error)
}

// Read reads what the pulse of a profile is made of, "" for all.
func Read(ctx context.Context, h History, profile string, now time.Time, pace Pace) (Input, error) {
	in := Input{Now: now, Flow: h.Counts().Flow, Pace: pace}
	active := []jobs.State{jobs.Ambiguous}
	for _, s := range jobs.States() {
		if s.Active() {
			active = append(active, s)
		}
	}
	page, err := h.List(ctx, jobs.Query{Profile: profile, States: active, Limit: Most})
	if err != nil {
		return in, err
	}
	in.Active, in.Cut = page.Jobs, page.Next != ""
	for _, states := range [][]jobs.State{{jobs.Completed}, {jobs.Failed, jobs.Refused, jobs.Lost}} {
		page, err := h.List(ctx, jobs.Query{Profile: profile, States: states, EndedSince: now.Add(-Span), Limit: Most, Rejected: jobs.RejectedToo})
		if err != nil {
			return in, err
		}
		in.Cut = in.Cut || page.Next != ""
		in.Ended = append(in.Ended, page.Jobs...)
	}
	if p, is := h.(Pauser); is { // an engine that only reads does not know them
		pauses, err := p.Pauses(ctx)
		if err != nil {
			return in, err
		}
		flow := jobs.FlowOf(pauses)
		in.Flow.Paused, in.Flow.Hosts = in.Flow.Paused || flow.Paused, cmp.Or(in.Flow.Hosts, flow.Hosts)
	}
	return in, nil
}
