package keys

// defaults is the list of the actions of screens and dialogs that have no table of commands
// (screen.Command) yet. The scope before the dot is the screen or the dialog. The first key is
// the one that the help shows. A test of tui/app refuses two actions with one key in a scope,
// and keys that a terminal cannot send.
//
// A screen that captures text gets only keys with ctrl or alt, and function keys, so
// what must work while typing needs one of those.
func defaults() []Action {
	return []Action{
		{"compose.submit", "Submit", []string{"ctrl+s"}},
		{"compose.submit-many", "Variations: several jobs, with seeds of their own", []string{"alt+s"}},
		{"compose.template", "Template: see what the prompt makes", []string{"alt+t"}},
		{"compose.batch", "Batch from a table or lines", []string{"alt+l"}},
		{"compose.show-batch", "Show the last batch in Queue", []string{"alt+q"}},
		{"compose.presets", "Presets: begin with one", []string{"alt+p"}},
		{"compose.save-preset", "Save the form as a preset", []string{"alt+P"}},
		{"compose.next-field", "Next field", []string{"tab"}},
		{"compose.prev-field", "Previous field", []string{"shift+tab"}},
		{"compose.model", "Choose a model", []string{"ctrl+g"}},
		{"compose.editor", "Write in the editor", []string{"ctrl+o"}},
		{"compose.history", "Find a prompt that was sent", []string{"ctrl+r"}},
		{"compose.add-reference", "Add a reference", []string{"alt+a", "f7"}},
		{"compose.items", "Edit items and objects", []string{"alt+i", "f9"}},
		{"compose.more", "More or fewer fields", []string{"alt+m", "f5"}},
		{"compose.to-compare", "Compare models with this", []string{"alt+c", "f8"}},
		{"compose.view-json", "Request as JSON", []string{"f2"}},
		{"compose.view-curl", "Request as curl", []string{"f3"}},
		{"compose.view-wire", "Request in every format, side by side", []string{"f4", "alt+w"}},
		{"compose.copy", "Copy the request", []string{"alt+y", "f6"}},
		{"compose.edit-request", "Edit the request as JSON in the editor", []string{"alt+j", "f10"}},
		{"compose.revert", "Bring back the value that the job had", []string{"alt+u"}},
		{"compose.improve", "Improve the prompt by a chat model", []string{"alt+=", "alt++"}},
		{"compose.star", "Star the model, or take the star away", []string{"alt+*", "f12"}},
		{"compose.next-check", "Go to what is wrong", []string{"alt+!", "f11"}},
		{"compose.checks-down", "Scroll Checks down", []string{"alt+pgdown"}},
		{"compose.checks-up", "Scroll Checks up", []string{"alt+pgup"}},
		{"compose.bring-back", "Bring back what was cleared or replaced", []string{"alt+z"}},
		{"compose.clear", "Clear the form", []string{"ctrl+x"}},
		{"compose.pick-file", "Choose files as references", []string{"alt+o"}},
		{"compose.from-results", "Take a result as a reference", []string{"alt+r", "alt+g"}},
		{"compose.ref-up", "Reference up", []string{"alt+K", "shift+up"}},
		{"compose.ref-down", "Reference down", []string{"alt+J", "shift+down"}},
		{"compose.ref-name", "Name a reference in the prompt", []string{"alt+n"}},
		{"compose.check-url", "Ask what is behind a reference's URL", []string{"alt+h"}},
		{"compose.take-late", "Take what came when the form had changed", []string{"alt+v"}},
	}
}
