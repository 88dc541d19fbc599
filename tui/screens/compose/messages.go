package compose

import "darkroom/tui/dialogs/batch"

// submittedMsg says how journalling a submission went.
type submittedMsg struct {
	sending uint64 // the number of what was begun, see Model.sendings
	model   string
	ids     []string
	group   string        // of several jobs
	master  *uint64       // that seeds and prompts were drawn with, nil for none
	batch   *batch.Dialog // whose jobs they are, nil for the form's own
	err     error
}
