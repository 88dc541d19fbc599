// Package standing says how a job stands: what keeps it from going on, how far it is, and what is
// left of it. It is worked out here once; screens and commands only lay it out.
package standing

import (
	"time"

	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// Scene is what a job's standing depends on beside the job.
type Scene struct {
	Flow jobs.Flow
	// Profile is the one that Flow belongs to; the flow of others is unknown. "" for all.
	Profile string
	// Host is that of the profile's gateway; "" where it is not known.
	Host string
	// PlanOf returns the plan of how long tasks like a job's take, see [jobs.Engine.PlanOf]; nil
	// if there is none.
	PlanOf func(*jobs.Job) *schedule.Plan
}

// Standing is how a job stands at a moment.
type Standing struct {
	Holds   []jobs.Hold // what keeps it from going on
	Pending bool        // files are still to come
	Failed  int         // files that could not be saved
	Share   float64     // how far it is, from 0 to 1
	Moving  bool        // Share is known
	Forecast
}

// Forecast is what earlier tasks of a job's kind say about its further course.
type Forecast struct {
	Plan *schedule.Plan // nil for nothing
	Left time.Duration
	Told bool // Left is known
	Slow bool // it takes longer than 95 of 100 did
	age  time.Duration
}

// Held reports whether a pause keeps the job from going on.
func (s *Standing) Held() bool { return len(s.Holds) > 0 }

// Holds are what keeps a job from going on: see [jobs.Flow.Holds].
func (c *Scene) Holds(j *jobs.Job) []jobs.Hold {
	files := j.Foreign && j.State == jobs.Planned
	if !files && !j.Paused && !c.Flow.Paused && c.Flow.Hosts == "" && c.Flow.ReadOnly == "" {
		return nil // as nearly always: it is asked of each job that shows, at each key
	}
	f := c.Flow
	if c.Profile != "" && j.Profile != c.Profile {
		f = jobs.Flow{}
	}
	return f.Holds(*j, c.Host)
}

// Of is how a job stands.
func (c *Scene) Of(j *jobs.Job, now time.Time) Standing {
	s := Standing{Holds: c.Holds(j), Pending: j.Saving(), Failed: j.Unsaved()}
	s.Share, s.Moving = j.Done()
	if !s.Held() {
		s.Forecast = c.Forecast(j, now)
	}
	return s
}

// Forecast is empty for a job that does not go on, or whose end would not be seen. Do not ask for
// that of a held job.
func (c *Scene) Forecast(j *jobs.Job, now time.Time) (f Forecast) {
	parked := j.State == jobs.Unknown && j.NextPollAt.IsZero()
	if c.PlanOf == nil || !j.State.Polled() || parked || j.AcceptedAt.IsZero() {
		return f
	}
	if f.Plan = c.PlanOf(j); f.Plan == nil {
		return f
	}
	f.age = j.Age(now)
	f.Left, f.Told = f.Plan.Left(f.age)
	f.Slow = j.SlowBy(f.Plan, now)
	return f
}

// Step is the time until Told or Slow may change; 0 for never.
func (f *Forecast) Step() time.Duration {
	if f.Plan == nil || f.Slow && !f.Told {
		return 0
	}
	return f.Plan.NextStep(f.age)
}
