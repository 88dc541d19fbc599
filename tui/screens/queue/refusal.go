package queue

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// refusal is the toast about an action that could not be done. It goes once it is not true any
// more, or is about another choice.
type refusal struct{ id, text, choice string }

// tell says why an action cannot be done, in place of the toast before.
func (r *refusal) tell(id, off, choice string) tea.Cmd {
	var before tea.Cmd
	if r.text != "" && r.text != off {
		before = screen.Untoast(r.text)
	}
	*r = refusal{id, off, choice}
	return tea.Batch(before, screen.Toast(screen.Warn, off))
}

// check takes the toast away when it does not hold any more.
func (r *refusal) check(choice string, off func(id string) string) tea.Cmd {
	if r.text == "" || choice == r.choice && off(r.id) == r.text {
		return nil
	}
	text := r.text
	*r = refusal{}
	return screen.Untoast(text)
}
