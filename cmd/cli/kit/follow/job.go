package follow

import (
	"context"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// Output for machines gives every span of time in whole milliseconds, in a field that ends in
// _ms. The history keeps nanoseconds under other names; the fields here that are never set
// hide those.

// JobOut is a job in output for machines.
type JobOut struct {
	jobs.Job
	CreateTook   *struct{} `json:"create_took,omitempty"`
	CreateTookMS int64     `json:"create_took_ms,omitempty"`
	// Held are the pauses that keep work on the job from beginning.
	Held []HeldBy `json:"held,omitempty"`
	// EtaMS is the time within which half of the earlier tasks of this model and mode ended, counting
	// only those that took at least as long as this one has by now. Absent if too few are known.
	EtaMS int64 `json:"eta_ms,omitempty"`
	// Slow says that it takes longer than 95 of 100 earlier tasks did.
	Slow bool `json:"slow,omitempty"`

	stand stand
}

// Out is a job for machines, with the pauses that hold it up.
func (s *Scenes) Out(j jobs.Job) JobOut {
	at := s.stand(j)
	return JobOut{
		Job: j, CreateTookMS: j.CreateTook.Milliseconds(), Held: at.held,
		EtaMS: at.Left.Milliseconds(), Slow: at.Slow, stand: at,
	}
}

// JobOuts are jobs for machines, with the pauses that hold them up.
func JobOuts(ctx context.Context, k *kit.Kit, r Reader, all []jobs.Job) []JobOut {
	scenes := ScenesOf(ctx, k, r)
	out := make([]JobOut, 0, len(all))
	for _, j := range all {
		out = append(out, scenes.Out(j))
	}
	return out
}

// Observed says that a job is somebody else's task, "" where it is not.
func Observed(j jobs.Job) string {
	if !j.Observed {
		return ""
	}
	return "somebody else's task: it is watched and never sent"
}
