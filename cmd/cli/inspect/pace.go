package inspect

import "darkroom/jobs/inspect"

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
}

func newPace(p *inspect.Pace) *paceOut {
	if p == nil {
		return nil
	}
	return &paceOut{p.Age.Milliseconds(), p.Tasks, p.P50.Milliseconds(), p.P95.Milliseconds(), p.Slow, p.Still > 0, p.Still.Milliseconds()}
}
