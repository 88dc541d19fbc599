package compose

import pieces "darkroom/tui/dialogs/items"

// refresh brings everything in line after a change: the form, and the dialogs that show a part
// of it.
func (m *Model) refresh() {
	m.sheet.Refresh()
	m.over.Update(pieces.ChangedMsg{})
}
