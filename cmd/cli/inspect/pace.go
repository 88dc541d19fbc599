package inspect

import (
	"time"

	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/jobs/schedule"
)

// paceOut is how a task under way compares with earlier ones of the same model and mode, as machines
// get it.
type paceOut struct {
	AgeMS int64 `json:"age_ms"`
	// Tasks is how many earlier ones are known; 0 leaves the next two out.
	Tasks int   `json:"tasks"`
	P50MS int64 `json:"p50_ms,omitempty"`
	P95MS int64 `json:"p95_ms,omitempty"`
	Slow  bool  `json:"slow"`
	Stuck bool  `json:"stuck"`
	// UnchangedMS is how long a stuck one has not changed.
	UnchangedMS int64 `json:"unchanged_ms,omitempty"`

	text string
}

// compare says how the task's pace compares with what the history knows.
func (f *found) compare(history lookup.History, now time.Time) {
	h, is := history.(interface {
		PlanOf(j *jobs.Job) *schedule.Plan
	})
	if !is {
		return
	}
	p := f.result.Findings.Pace(h.PlanOf, now)
	if p == nil {
		return
	}
	f.Pace = &paceOut{AgeMS: p.Age.Milliseconds(), Tasks: p.Tasks, P50MS: p.P50.Milliseconds(), P95MS: p.P95.Milliseconds(),
		Slow: p.Slow, Stuck: p.Still > 0, UnchangedMS: p.Still.Milliseconds(), text: p.Text(inspect.Doing(f.result.Findings.Job.State), human.Dur)}
}
