package cli

import (
	"context"
	"time"

	"darkroom/client"
	"darkroom/jobs"
)

// What machines get tells every span of time in whole milliseconds, in a field that ends in
// _ms. The history keeps nanoseconds under other names; the fields here that are never set
// take the place of those.

// jobOut is a job as machines get it.
type jobOut struct {
	jobs.Job
	CreateTook   *struct{} `json:"create_took,omitempty"`
	CreateTookMS int64     `json:"create_took_ms,omitempty"`
	// Held are the pauses that keep work on the job from beginning.
	Held []heldBy `json:"held,omitempty"`
	// EtaMS is in what time half of the earlier tasks of this model and mode ended that took
	// at least as long as this one has by now. Absent where too few are known.
	EtaMS int64 `json:"eta_ms,omitempty"`
	// Slow: it takes longer than 95 of 100 of them did.
	Slow bool `json:"slow,omitempty"`

	forecast forecast
}

// exchangeOut is a request about a job as machines get it.
type exchangeOut struct {
	jobs.Exchange
	Latency   *struct{} `json:"latency,omitempty"`
	LatencyMS int64     `json:"latency_ms"`
}

// taskOut is a task as machines get it.
type taskOut struct {
	*client.Task
	Meta metaOut `json:"meta"`
}

// metaOut is what an exchange told, as machines get it.
type metaOut struct {
	client.Meta
	Latency   *struct{} `json:"latency,omitempty"`
	LatencyMS int64     `json:"latency_ms"`
}

func newTaskOut(t *client.Task) *taskOut {
	if t == nil {
		return nil
	}
	return &taskOut{Task: t, Meta: metaOut{Meta: t.Meta, LatencyMS: t.Meta.Latency.Milliseconds()}}
}

func newJobOut(p planner, j jobs.Job, held []heldBy) jobOut {
	f := forecastOf(p, j, held, time.Now())
	return jobOut{
		Job: j, CreateTookMS: j.CreateTook.Milliseconds(), Held: held,
		EtaMS: f.left.Milliseconds(), Slow: f.slow, forecast: f,
	}
}

// jobOuts are jobs as machines get them, with what the pauses hold up.
func (g *globals) jobOuts(ctx context.Context, p planner, all []jobs.Job) []jobOut {
	h := g.holdings(ctx, p)
	out := make([]jobOut, 0, len(all))
	for _, j := range all {
		out = append(out, newJobOut(p, j, h.by(j)))
	}
	return out
}

func exchangeOuts(all []jobs.Exchange) []exchangeOut {
	var out []exchangeOut
	for _, x := range all {
		out = append(out, exchangeOut{Exchange: x, LatencyMS: x.Latency.Milliseconds()})
	}
	return out
}
