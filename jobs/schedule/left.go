package schedule

import (
	"math"
	"slices"
	"time"
)

// minLeft is how many known durations have to be longer than an age to estimate the rest: fewer
// are single cases.
const minLeft = 3

// slowFrom is the part of the earlier tasks that a slow one has taken longer than.
const slowFrom = 0.95

// Tasks is how many earlier durations a plan knows; 0 for no plan.
func (p *Plan) Tasks() int {
	if p == nil {
		return 0
	}
	return len(p.took)
}

// Median is the time in which half of the earlier tasks had ended; 0 for no plan.
func (p *Plan) Median() time.Duration { return p.quantile(0.5) }

// P95 is the time in which 95 of 100 earlier tasks had ended; 0 for no plan.
func (p *Plan) P95() time.Duration { return p.quantile(slowFrom) }

func (p *Plan) quantile(q float64) time.Duration {
	if p.Tasks() == 0 {
		return 0
	}
	return p.took[max(int(math.Ceil(q*float64(len(p.took))))-1, 0)]
}

// Slow reports whether a task that still runs at this age takes longer than 95 of 100
// earlier ones did; false for no plan.
func (p *Plan) Slow(age time.Duration) bool { return p.Tasks() > 0 && age >= p.P95() }

// Left is the time within which half of the earlier tasks still running at this age ended. It is
// always above 0; ok is false if too few took so long, or there is no plan.
func (p *Plan) Left(age time.Duration) (left time.Duration, ok bool) {
	age = max(age, 0)
	longer := p.longer(age)
	if len(longer) < minLeft {
		return 0, false
	}
	return longer[(len(longer)-1)/2] - age, true
}

// NextStep is the time until Left or Slow may change by more than the age has grown; 0 for never.
func (p *Plan) NextStep(age time.Duration) time.Duration {
	age = max(age, 0)
	longer := p.longer(age)
	if len(longer) == 0 {
		return 0
	}
	return longer[0] - age
}

// longer are the known durations beyond an age.
func (p *Plan) longer(age time.Duration) []time.Duration {
	if p == nil {
		return nil
	}
	i, _ := slices.BinarySearch(p.took, age+1)
	return p.took[i:]
}
