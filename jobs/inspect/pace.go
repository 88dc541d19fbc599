package inspect

import (
	"fmt"
	"strings"
	"time"

	"darkroom/jobs"
)

// Pace is how a task under way compares with earlier ones of the same model and mode.
type Pace struct {
	// Age is how long the task has been under way.
	Age time.Duration
	// Tasks is how many earlier tasks are known, P50 and P95 how long half of them, and 95 of 100,
	// took at most; all 0 where fewer than twelve are known.
	Tasks    int
	P50, P95 time.Duration
	// Slow: it takes longer than 95 of 100 did.
	Slow bool
	// Still is how long neither state nor progress has changed, where that is so long that the task is
	// stuck, see [jobs.Job.StuckBy]; else 0.
	Still time.Duration
}

// Pace compares the task with what the history knows of earlier ones. It is nil for a task that is not
// under way, that the history does not have, and of which nothing can be said.
func (f *Findings) Pace(now time.Time) *Pace {
	t := f.Task()
	if f.Job == nil || t == nil || !f.Job.State.Polled() || t.Status.Terminal() {
		return nil
	}
	plan := f.Plan
	p := &Pace{Age: f.Job.Age(now), Tasks: plan.Tasks(), P50: plan.Median(), P95: plan.P95(), Slow: f.Job.SlowBy(plan, now)}
	if f.Job.StuckBy(plan, now) && jobs.State(t.Status) == f.Job.State && t.Progress == f.Job.Progress {
		p.Still = now.Sub(f.Job.UpdatedAt)
	}
	if p.Tasks == 0 && p.Still == 0 {
		return nil
	}
	return p
}

// Text says it in words; since says what the task is doing, as "Running", and dur writes a time span.
func (p *Pace) Text(since string, dur func(time.Duration) string) string {
	span := func(d time.Duration) string { return dur(d.Truncate(time.Second)) }
	text := ""
	switch {
	case p.Still > 0:
		text = fmt.Sprintf("Stuck: %s for %s, and neither state nor progress has changed for %s", strings.ToLower(since), span(p.Age), span(p.Still))
	case p.Slow:
		text = fmt.Sprintf("Slow: %s for %s", strings.ToLower(since), span(p.Age))
	default:
		text = fmt.Sprintf("%s for %s, which is usual", since, span(p.Age))
	}
	if p.Tasks > 0 {
		text += fmt.Sprintf("; 95 of 100 tasks of this model and mode took less than %s (n=%d)", span(p.P95), p.Tasks)
	}
	return text + "."
}
