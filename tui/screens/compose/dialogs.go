package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/dialogs/past"
	"darkroom/tui/screen"
)

// open puts a dialog over the form.
func (m *Model) open(d screen.Dialog) tea.Cmd {
	m.onlyPane, m.frame.fresh = false, false
	return m.over.Open(d)
}

// answer takes what a dialog over the form answers.
func (m *Model) answer(a any) tea.Cmd {
	m.frame.fresh = false
	switch a := a.(type) {
	case past.Taken:
		return m.takePast(a)
	}
	return nil
}
