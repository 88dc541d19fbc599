package compose

import "darkroom/tui/screens/compose/internal/document"

// drawn is the last drawing. A message, a new size or other styles make it stale; nothing else
// changes what shows.
type drawn struct {
	view  string
	fresh bool // view shows the model as it is
}

// View draws exactly the size that was set. If nothing has changed, it returns the last drawing.
func (m *Model) View() string {
	if m.last.fresh {
		return m.last.view
	}
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	view := m.doc.View(document.Around{Focus: m.over.Top() == nil, Hint: m.pasting.Hint(), Batch: m.outcomes.Hint(), Kept: m.late.Hint()})
	m.last = drawn{m.over.View(view), true}
	return m.last.view
}
