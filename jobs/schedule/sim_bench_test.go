package schedule_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"darkroom/jobs/schedule"
)

// The simulated tasks: lognormal, as those of generating models are.
const (
	simJobs    = 1_000_000
	simPollers = 100
	simMedian  = 105.0 // seconds
	simSigma   = 0.516
	simPast    = 200
)

func simTook(rnd *rand.Rand) time.Duration {
	return time.Duration(simMedian * math.Exp(simSigma*rnd.NormFloat64()) * float64(time.Second))
}

// BenchmarkSchedule follows a million tasks in virtual time, ten thousand for each of a
// hundred pollers that learn from 200 earlier tasks of their own, and tells how many
// queries a task costs and how late its end is seen.
func BenchmarkSchedule(b *testing.B) {
	fixed := func(d time.Duration) func([]time.Duration) func(time.Duration, float64) time.Duration {
		return func([]time.Duration) func(time.Duration, float64) time.Duration {
			return func(time.Duration, float64) time.Duration { return d }
		}
	}
	for _, s := range []struct {
		name string
		make func(past []time.Duration) func(age time.Duration, rnd float64) time.Duration
	}{
		{"hazard", func(past []time.Duration) func(time.Duration, float64) time.Duration {
			return schedule.NewPlan(past).Interval
		}},
		{"fixed10s", fixed(10 * time.Second)},
		{"fixed20s", fixed(20 * time.Second)},
		{"curve", func([]time.Duration) func(time.Duration, float64) time.Duration {
			return schedule.DefaultCurve().Interval
		}},
		{"tight", func([]time.Duration) func(time.Duration, float64) time.Duration {
			return schedule.NewTight(schedule.TightCurve()).Interval
		}},
	} {
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				simulate(b, s.make)
			}
		})
	}
}

func simulate(b *testing.B, plan func(past []time.Duration) func(time.Duration, float64) time.Duration) {
	late := make([]float32, 0, simJobs)
	polls, sum := 0, 0.0
	for poller := range simPollers {
		rnd := rand.New(rand.NewPCG(7, uint64(poller))) //nolint:gosec // the same numbers again
		past := make([]time.Duration, simPast)
		for i := range past {
			past[i] = simTook(rnd)
		}
		next := plan(past)
		for range simJobs / simPollers {
			took, age := simTook(rnd), time.Duration(0)
			for age < took {
				age += next(age, rnd.Float64())
				polls++
			}
			d := (age - took).Seconds()
			sum += d
			late = append(late, float32(d))
		}
	}
	slices.Sort(late)
	b.ReportMetric(float64(polls)/simJobs, "polls/job")
	b.ReportMetric(sum/simJobs, "late-s/mean")
	b.ReportMetric(float64(late[simJobs/2]), "late-s/p50")
	b.ReportMetric(float64(late[simJobs/100*99]), "late-s/p99")
}
