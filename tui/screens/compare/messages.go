package compare

import "darkroom/jobs/compare"

// submittedMsg is the outcome of a run: its trials with their jobs, or why there are none.
type submittedMsg struct {
	trials []compare.Trial
	err    error
}
