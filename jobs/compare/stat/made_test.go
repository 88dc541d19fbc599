package stat_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// model is how trials of one model come out.
type model struct {
	name  string
	mean  time.Duration
	fails float64 // share
	slow  float64 // share that times out
}

// made is a run of models x prompts x repeats, with times that vary by a fifth; polls are so far apart.
type made struct {
	models           []model
	prompts, repeats int
	poll             time.Duration
	stamps           bool
	whole            bool    // times of whole seconds
	spread           float64 // of the prompts: how much longer each takes than the one before
}

func (m made) run(seed uint64) *compare.Run {
	r := rand.New(rand.NewPCG(seed, 1))
	run := &compare.Run{ID: "r", Repeats: m.repeats}
	for p := range m.prompts {
		for _, x := range m.models {
			c := compare.Cell{Number: len(run.Cells) + 1, Model: x.name, Format: "common", Prompt: compare.Prompt{ID: fmt.Sprintf("p%d", p+1)}}
			run.Cells = append(run.Cells, c)
			for rep := range m.repeats {
				slot := compare.Slot{Cell: c.Number, Repeat: rep + 1}
				run.Order = append(run.Order, slot)
				took := time.Duration(float64(x.mean) * math.Exp(r.NormFloat64()*.2) * math.Pow(1+m.spread, float64(p)))
				run.Trials = append(run.Trials, compare.Trial{Slot: slot, Attempt: 1, Outcome: m.outcome(x, r, took)})
			}
		}
	}
	return run
}

func (m made) outcome(x model, r *rand.Rand, took time.Duration) compare.Outcome {
	var o compare.Outcome
	l := &o.Latency
	if m.whole {
		took = took.Round(time.Second)
	}
	create := time.Duration(100+r.IntN(50)) * time.Millisecond
	l.Create = compare.Interval{Source: compare.Measured, Least: create, Most: create}
	l.Total = compare.Interval{Source: compare.Polled, Least: took, Most: took}
	if m.poll > 0 {
		l.Total.Least = took / m.poll * m.poll
		l.Total.Most = l.Total.Least + m.poll
	}
	if m.stamps {
		l.GatewayTotal = compare.Interval{Source: compare.Stamped, Least: took, Most: took}
	}
	switch f := r.Float64(); {
	case f < x.fails:
		o.State, o.Code = jobs.Failed, "no_capacity"
	case f < x.fails+x.slow:
		o.State, o.TimedOut = jobs.Running, true
		l.Total = compare.Interval{Source: compare.Polled, Least: time.Minute, Open: true}
		l.GatewayTotal = compare.Interval{}
	default:
		o.State = jobs.Completed
	}
	return o
}

// families are n models of one speed.
func families(n int, mean time.Duration) []model {
	out := make([]model, n)
	for i := range out {
		out[i] = model{name: fmt.Sprintf("fam%c", 'A'+i), mean: mean}
	}
	return out
}
