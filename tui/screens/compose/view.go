package compose

import "darkroom/tui/screens/compose/internal/document"

// drawn is what was last drawn. A message, a size and other styles make it stale: nothing else
// changes what shows, so nothing else says so.
type drawn struct {
	view  string
	fresh bool // view shows the model as it is
}

// View draws exactly the size that was set; from what was drawn before when nothing has
// changed since.
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
