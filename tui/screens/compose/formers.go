package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

// filled puts a draft from elsewhere into the form. What was there can be brought back.
func (m *Model) filled(from screen.ComposeDraft) tea.Cmd {
	if from.Draft.Cut { // a form has no place for the rest
		return screen.Toast(screen.Bad, client.ErrCut.Error())
	}
	m.sheet.Take(from)
	m.onlyPane = false
	return m.replaced()
}

// replaced follows when the form is another one: until something is changed in it, undo
// brings the former one back.
func (m *Model) replaced() tea.Cmd {
	cmd := m.touched()
	m.unfilled = m.save.Revision()
	return cmd
}

// clearForm empties the form; doing it again on an empty form brings it back.
func (m *Model) clearForm() tea.Cmd {
	if !m.sheet.Blank() {
		m.sheet.Empty()
		return tea.Batch(m.replaced(), screen.Toast(screen.Info, "cleared; the same again brings it back"))
	}
	if m.sheet.Copies() > 1 {
		m.sheet.SetCopies(sheet.OneCopy)
		return m.changed(sheet.RowCopies)
	}
	return m.bringBack()
}

// bringBack puts the newest former form in the place of this one.
func (m *Model) bringBack() tea.Cmd {
	if !m.sheet.Restore() {
		return nil
	}
	return m.replaced()
}

// undone takes a fill back where nothing was changed since; false when there is none.
func (m *Model) undone(key string) (tea.Cmd, bool) {
	if key != "ctrl+_" && key != "ctrl+z" || m.unfilled != m.save.Revision() || m.unfilled == 0 || len(m.sheet.Formers) == 0 {
		return nil, false
	}
	return m.bringBack(), true
}
