package items

import "strings"

// Click does what a press on a zone of the dialog means; x is a cell within it. A first
// click on an item puts the cursor on it, the next one opens it.
func (m *Model) Click(zone string, x int, double bool) Event {
	m.note = ""
	if m.choosing != nil {
		return m.chosen(m.choosing.Click(zone))
	}
	if a, ok := strings.CutPrefix(zone, zoneHint); ok {
		return m.Do(a)
	}
	if m.edit != nil {
		return m.formEvent(m.edit.form.Click(zone, x, double))
	}
	if i, ok := m.rows.Hit(zone, zoneRow); ok {
		if i == m.Cursor() || double {
			return m.Do(Edit)
		}
		m.Select(i)
	}
	return Event{}
}

// Wheel scrolls what shows by notches of the mouse wheel.
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
