package follow

import (
	"fmt"
	"time"

	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// Planner knows how long tasks take, see [jobs.Engine.PlanOf].
type Planner interface {
	pauses
	PlanOf(*jobs.Job) *schedule.Plan
}

// forecast is what earlier tasks of a job's model and mode tell of how it goes on.
type forecast struct {
	plan *schedule.Plan // nil for nothing
	left time.Duration  // 0 where it can not be told
	slow bool
}

// forecastOf is empty for a job that does not go on, or that a pause holds up.
func forecastOf(p Planner, j jobs.Job, held []HeldBy, now time.Time) (f forecast) {
	if !j.State.Polled() || jobs.Settled(j) || j.AcceptedAt.IsZero() || len(held) > 0 {
		return f
	}
	if f.plan = p.PlanOf(&j); f.plan == nil {
		return f
	}
	age := j.Age(now)
	f.left, _ = f.plan.Left(age)
	f.slow = f.plan.Slow(age)
	return f
}

// mark is what stands behind a job's state, "" for nothing.
func (f forecast) mark() string {
	switch {
	case f.slow:
		return ", slow"
	case f.left > 0:
		return ", ~" + human.Left(f.left)
	default:
		return ""
	}
}

// Facts are what `jobs show` tells of it.
func (f forecast) Facts() [][2]string {
	if f.plan == nil {
		return nil
	}
	left, slow := "", ""
	if f.left > 0 {
		left = "about " + human.Left(f.left)
	}
	if f.slow {
		slow = "takes longer than 95 of 100 such tasks did"
	}
	usual := fmt.Sprintf("%s, 95 of 100 within %s (the last %s tasks)",
		human.Dur(f.plan.Median()), human.Dur(f.plan.P95()), human.Count(f.plan.Tasks()))
	return [][2]string{{"slow", slow}, {"left", left}, {"usual", usual}}
}
