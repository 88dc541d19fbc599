package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

const scope = string(screen.Compose)

// key does what a key means.
func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	if cmd, ok := m.over.Update(k); ok {
		return cmd
	}
	name := k.String()
	if k.Paste {
		if cmd, ok := m.pasting.Take(k.Runes); ok {
			return cmd
		}
	} else if id, ok := m.commands.Lookup(name); ok {
		return m.do(id)
	}
	if m.doc.Side.Alone() {
		if name == "esc" {
			m.doc.Side.ShowForm()
			return nil
		}
		m.doc.Side.Request.Update(k)
		return nil
	}
	if k.Paste {
		return m.pasteText(k.Runes)
	}
	if cmd, ok := m.doc.Undo(name); ok {
		return cmd
	}
	switch name {
	case "alt+up", "ctrl+up":
		m.doc.Side.Request.Move(-3)
		return nil
	case "alt+down", "ctrl+down":
		m.doc.Side.Request.Move(3)
		return nil
	}
	return m.handle(m.sheet.Form.Update(k))
}
