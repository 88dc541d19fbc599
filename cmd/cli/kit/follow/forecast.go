package follow

import (
	"fmt"

	"darkroom/client/human"
	"darkroom/jobs/standing"
)

// mark follows a job's state; "" for none.
func mark(f standing.Forecast) string {
	switch {
	case f.Slow:
		return ", slow"
	case f.Left > 0:
		return ", ~" + human.Left(f.Left)
	default:
		return ""
	}
}

// Forecast is what `jobs show` says about when the job will end.
func (o JobOut) Forecast() [][2]string {
	f := o.stand.Forecast
	if f.Plan == nil {
		return nil
	}
	left, slow := "", ""
	if f.Left > 0 {
		left = "about " + human.Left(f.Left)
	}
	if f.Slow {
		slow = "takes longer than 95 of 100 such tasks did"
	}
	usual := fmt.Sprintf("%s, 95 of 100 within %s (the last %s tasks)",
		human.Dur(f.Plan.Median()), human.Dur(f.Plan.P95()), human.Count(f.Plan.Tasks()))
	return [][2]string{{"slow", slow}, {"left", left}, {"usual", usual}}
}
