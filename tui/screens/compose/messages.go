package compose

import (
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/widgets/items"
)

// mediaMsg brings the resolved references of fields; then is what goes on afterwards.
type mediaMsg struct {
	fields []mediaField
	then   after
}

// mediaField is the text of a media field, what it became, and what was found out about
// its files: a problem is in the way of a submission, a remark is not.
type mediaField struct {
	name            string
	kinds           []string // what a reference may be: image, video, audio
	text, done      string
	problem, remark string
	files           map[string]uriSize // of its local files, by reference

	// Of a field whose references stand within items: its value, and what was found out.
	// onlyLook says that paths stay as they were typed.
	spec     *items.Spec
	value    any
	facts    map[string]items.Fact
	onlyLook bool
}

// after is what follows once references are resolved.
type after int

const (
	nothing after = iota
	submit
	goOn // with what Model.ready says
)

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
