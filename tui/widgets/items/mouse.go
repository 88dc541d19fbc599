package items

import (
	"strings"

	"darkroom/tui/widgets/zone"
)

// Click handles a click on a zone of the dialog. A first click on an item puts the cursor on it,
// the next one opens it.
func (m *Model) Click(c zone.Click) Event {
	m.note = ""
	if m.choosing != nil {
		return m.chosen(m.choosing.Click(c))
	}
	if a, ok := strings.CutPrefix(c.Zone, zoneHint); ok {
		return m.Do(a)
	}
	if m.edit != nil {
		return m.formEvent(m.edit.form.Click(c))
	}
	if again, _ := m.rows.Click(c, zoneRow); again {
		return m.Do(Edit)
	}
	return Event{}
}

// Wheel scrolls the view by notches of the mouse wheel.
func (m *Model) Wheel(delta int) {
	switch {
	case m.choosing != nil:
		m.choosing.Wheel(delta)
	case m.edit != nil:
		m.edit.form.Wheel(3 * delta)
	default:
		m.rows.Move(delta)
	}
}
