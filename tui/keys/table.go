package keys

// defaults is the one list of actions, their titles and their keys. To add an action,
// add a line: the scope before the dot is the screen that it belongs to, "app" is the
// shell. The first key is the one that the help shows. A test refuses two actions with
// one key in a scope, and keys that a terminal cannot send.
//
// A screen that captures text gets only keys with ctrl or alt, and function keys, so
// what must work while typing needs one of those.
func defaults() []Action {
	return []Action{
		{"app.palette", "Command palette", []string{"ctrl+p"}},
		{"app.help", "Help", []string{"?", "f1"}},
		{"app.screen.1", "First screen", []string{"1", "alt+1"}},
		{"app.screen.2", "Second screen", []string{"2", "alt+2"}},
		{"app.screen.3", "Third screen", []string{"3", "alt+3"}},
		{"app.screen.4", "Fourth screen", []string{"4", "alt+4"}},
		{"app.screen.5", "Fifth screen", []string{"5", "alt+5"}},
		{"app.screen.6", "Sixth screen", []string{"6", "alt+6"}},
		{"app.next", "Next screen", []string{"]", "ctrl+pgdown", "alt+."}},
		{"app.prev", "Previous screen", []string{"[", "ctrl+pgup", "alt+,"}},
		{"app.theme", "Change the theme", []string{"ctrl+t"}},
		{"app.redraw", "Paint again", []string{"ctrl+l"}},
		{"app.suspend", "Suspend", []string{"ctrl+z"}},
		{"app.quit", "Quit", []string{"q", "ctrl+q", "ctrl+c"}},

		{"compose.submit", "Submit", []string{"ctrl+s"}},
		{"compose.submit-many", "Submit four times", []string{"alt+s"}},
		{"compose.next-field", "Next field", []string{"tab"}},
		{"compose.prev-field", "Previous field", []string{"shift+tab"}},
		{"compose.model", "Choose a model", []string{"ctrl+g"}},
		{"compose.editor", "Write in the editor", []string{"ctrl+o"}},
		{"compose.history", "Prompts of before", []string{"ctrl+r"}},
		{"compose.add-reference", "Add a reference", []string{"alt+a", "f7"}},
		{"compose.more", "More or fewer fields", []string{"alt+m", "f5"}},
		{"compose.to-compare", "Compare models with this", []string{"alt+c", "f8"}},
		{"compose.view-json", "Request as JSON", []string{"f2"}},
		{"compose.view-curl", "Request as curl", []string{"f3"}},
		{"compose.view-wire", "Request by format", []string{"f4"}},
		{"compose.copy", "Copy the request", []string{"alt+y", "f6"}},
		{"compose.clear", "Clear the form", []string{"ctrl+x"}},

		{"queue.open", "Open", []string{"enter"}},
		{"queue.download", "Download", []string{"d"}},
		{"queue.open-file", "Open the file", []string{"o"}},
		{"queue.copy", "Copy the id", []string{"y"}},
		{"queue.repoll", "Ask again now", []string{"r"}},
		{"queue.resubmit", "Take to Compose", []string{"c"}},
		{"queue.inspect", "Inspect", []string{"i"}},
		{"queue.filter", "Filter", []string{"/"}},
		{"queue.clear-filter", "Leave the filter", []string{"esc"}},
		{"queue.mark", "Mark", []string{" "}},
		{"queue.preview", "Preview on or off", []string{"p"}},
		{"queue.adopt", "Adopt a lost create by its id", []string{"a"}},
		{"queue.resend", "Send a lost create again", []string{"R"}},
		{"queue.drop", "Drop", []string{"x"}},
		{"queue.next-pane", "Next pane", []string{"tab"}},
		{"queue.prev-pane", "Previous pane", []string{"shift+tab"}},

		{"inspect.lookup", "Look up", []string{"enter"}},
		{"inspect.again", "Ask again", []string{"ctrl+r"}},
		{"inspect.format", "Choose the format", []string{"f", "ctrl+f"}},
		{"inspect.copy", "Copy the answer", []string{"y", "ctrl+y"}},
		{"inspect.edit-id", "Another id", []string{"/", "ctrl+g"}},
		{"inspect.raw", "Raw or formatted", []string{"w"}},
		{"inspect.next-pane", "Next pane", []string{"tab"}},
		{"inspect.prev-pane", "Previous pane", []string{"shift+tab"}},

		{"compare.run", "Run", []string{"ctrl+s"}},
		{"compare.add", "Add models", []string{"a"}},
		{"compare.toggle", "Model in or out", []string{" "}},
		{"compare.remove", "Take out", []string{"x"}},
		{"compare.open", "Open", []string{"enter"}},
		{"compare.inspect", "Inspect", []string{"i"}},
		{"compare.edit", "Change the draft", []string{"c"}},
		{"compare.next-pane", "Next pane", []string{"tab"}},
		{"compare.prev-pane", "Previous pane", []string{"shift+tab"}},
	}
}
