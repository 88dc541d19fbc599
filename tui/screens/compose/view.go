package compose

import (
	"strings"

	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/sheet"
)

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
	m.sheet.Form.Blur(m.latest.Focused())
	view := m.doc.View(document.Around{Focus: m.over.Top() == nil && !m.latest.Focused(), Hint: m.pasting.Hint(), Batch: m.outcomes.Hint(), Kept: m.late.Hint(),
		Latest: m.latest.Status, Refused: m.sending.Refused(), Start: m.start()})
	m.last = drawn{m.over.View(view), true}
	return m.last.view
}

// start says in a line what to do on a form in which nothing was written yet.
func (m *Model) start() string {
	parts := []string{"write a prompt"}
	if key := m.deps.Keys.Keys(actSubmit); key != "" && m.deps.ReadOnly == "" {
		parts[0] += ", " + key + " submits it"
	}
	for _, x := range []struct{ id, what string }{{sheet.ActModel, "another model"}, {actHistory, "earlier prompts"}} {
		if key := m.deps.Keys.Keys(x.id); key != "" {
			parts = append(parts, key+" "+x.what)
		}
	}
	return strings.Join(parts, " · ")
}
