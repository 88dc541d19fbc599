package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

// askCompare hands the draft to Compare once its files were looked at, or says why not.
func (m *Model) askCompare() tea.Cmd {
	if off := m.sheet.CompareOff(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	if off := m.barred("not handed to Compare"); off != nil {
		return off
	}
	m.pasting.barRest("Compare was asked for before") // what was pressed then is meant for that
	if list := m.sheet.LocalFields(""); len(list) > 0 {
		m.ready = m.toCompare
		return sheet.Resolve(list, sheet.ThenGoOn)
	}
	return m.toCompare()
}

// toCompare opens Compare with the draft as it is.
func (m *Model) toCompare() tea.Cmd {
	open := screen.Open(screen.Compare, screen.CompareDraft{Draft: m.sheet.WideDraft(), Format: m.sheet.ChosenFormat()})
	if m.sheet.AsksFirst() {
		return tea.Batch(open, screen.Toast(screen.Warn, "the prompt goes to Compare as it stands: templates are filled in when they are submitted from Compose"))
	}
	return open
}
