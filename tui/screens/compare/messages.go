package compare

import "darkroom/jobs/compare/pick"

// submittedMsg is the outcome of a run: its trials with their jobs, or why there are none.
type submittedMsg struct {
	trials []pick.Trial
	err    error
}
