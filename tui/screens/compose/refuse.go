package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// refuse says why nothing is submitted, for as long as the form stays as it is.
func (m *Model) refuse(text string) tea.Cmd {
	m.whyNot = append(m.whyNot, text)
	return screen.Toast(screen.Bad, text)
}

// unsay takes back what was said of the form before it changed.
func (m *Model) unsay() tea.Cmd {
	var cmds []tea.Cmd
	for _, text := range m.whyNot {
		cmds = append(cmds, screen.Untoast(text))
	}
	m.whyNot = nil
	return tea.Batch(cmds...)
}
