package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/widgets/picker"
)

// openPicker lets a value of a row be picked by a few letters.
func (m *Model) openPicker(id string) tea.Cmd {
	if id == client.FieldModel {
		return m.pickModel(id)
	}
	m.picking, m.onlyPane = id, false
	m.picker = picker.New("Choose", "", m.optionItems(id))
	m.picker.Select(m.form.Text(id))
	return nil
}

// pickerEvent follows what happened in the picker. What has waited for its answer goes on.
func (m *Model) pickerEvent(ev picker.Event) tea.Cmd {
	cmd := m.picked(ev)
	if p := &m.pasting; m.picking == "" && len(p.held) > 0 && !p.on {
		return tea.Batch(cmd, m.goOnTyping(askedFirst))
	}
	return cmd
}

func (m *Model) picked(ev picker.Event) tea.Cmd {
	switch ev {
	case picker.Picked:
		id := m.picking
		m.picking = ""
		it, ok := m.picker.Current()
		if !ok {
			return nil
		}
		if id == pickTarget || id == pickName {
			return m.refPicked(id, it.ID)
		}
		if id == pickCopy {
			return m.copyRequest(it.ID)
		}
		if it.ID == asTyped {
			it.ID = strings.TrimSpace(m.picker.Query())
		}
		if id == pickImprover {
			return m.improveWith(it.ID)
		}
		if cmd, ok := m.pickedColumn(id, it.ID); ok {
			return cmd
		}
		m.form.SetText(id, it.ID)
		return m.changed(id)
	case picker.Cancelled:
		if m.picking == pickImprover && m.improve.model == "" {
			m.improve = improving{}
		}
		m.picking = ""
	}
	return nil
}
