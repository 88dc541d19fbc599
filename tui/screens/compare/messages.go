package compare

// submittedMsg is the outcome of a run: the job of each cell, or why there is none.
type submittedMsg struct {
	cells []cell
	err   error
}
