package cli

import (
	"context"
	"time"

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

func newJobOut(p planner, j jobs.Job, held []heldBy) jobOut {
	f := forecastOf(p, j, held, time.Now())
	return jobOut{
		Job: j, CreateTookMS: j.CreateTook.Milliseconds(), Held: held,
		EtaMS: f.left.Milliseconds(), Slow: f.slow, forecast: f,
	}
}

// jobOuts are jobs as machines get them, with what the pauses hold up.
func jobOuts(ctx context.Context, k *globals, p planner, all []jobs.Job) []jobOut {
	h := holdingsOf(ctx, k, p)
	out := make([]jobOut, 0, len(all))
	for _, j := range all {
		out = append(out, newJobOut(p, j, h.by(j)))
	}
	return out
}
