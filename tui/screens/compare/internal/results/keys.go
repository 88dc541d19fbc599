package results

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// Key does what a key means.
func (m *Model) Key(k tea.KeyMsg) tea.Cmd {
	defer m.layout()
	if m.typing {
		typeFilter(m, k)
		return nil
	}
	name := k.String()
	if m.zoom.On() {
		if id, ok := m.closer.Lookup(name); ok {
			return m.closer.Do(m, id)
		}
		switch name {
		case "left", "h":
			return pan(m, -1, 0)
		case "right", "l":
			return pan(m, 1, 0)
		case "up", "k":
			return pan(m, 0, -1)
		case "down", "j":
			return pan(m, 0, 1)
		}
		return nil
	}
	if m.run != nil && m.grid.Update(k) {
		return nil
	}
	if id, ok := m.commands.Lookup(name); ok {
		return m.commands.Do(m, id)
	}
	return nil
}

// typeFilter takes a key of the filter, which holds at once.
func typeFilter(m *Model, k tea.KeyMsg) {
	switch k.String() {
	case "enter", "down":
		m.typing = false
		return
	case "esc":
		m.typing = false
		m.filter.SetValue("")
	default:
		if k.Type == tea.KeyRunes {
			k.Runes = []rune(client.CleanLine(string(k.Runes)))
		}
		m.filter.Update(k, 0)
	}
	m.grid.Filter(m.filter.Value())
}

// leave ends the filters, or goes back to the plan.
func (m *Model) leave() {
	if m.filter.Len() > 0 {
		m.filter.SetValue("")
	}
	if !m.grid.All() {
		m.o.Leave()
	}
}

// Click does what a press of the mouse means.
func (m *Model) Click(c screen.ClickMsg) tea.Cmd {
	defer m.layout()
	switch {
	case m.zoom.On():
		if c.Zone == "zoom" && m.zoom.Other() != "" && !m.zoom.IsBeside() {
			m.zoom.Flip()
			m.follow()
		}
		return nil
	case c.Zone == "filter":
		m.typing = true
		return nil
	case m.run == nil:
		return nil
	}
	m.typing = false
	cell, header := m.grid.Click(c)
	switch {
	case header >= 0:
		m.grid.Turn()
	case cell && c.Double:
		return m.commands.Do(m, actZoom)
	}
	return nil
}

// Wheel scrolls what the mouse is over.
func (m *Model) Wheel(w screen.WheelMsg) {
	switch {
	case w.Zone == "panel":
		m.panel.body.Wheel(w.Delta)
	case m.zoom.On():
		m.zoom.Closer(-w.Delta)
	default:
		m.grid.Wheel(w.Delta)
	}
}
