package compose

import (
	"strings"

	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/overlay"
)

// Zones of the screen beside the form's.
const (
	zonePrefix = "compose/"
	zoneCheck  = "compose-check/"
	zoneDiffer = "compose-differ/"
)

// wideFrom is the width from which the request stands beside the form.
const wideFrom = 100

// frame is what was last drawn. A message, a size and other styles make it stale: nothing else
// changes what shows, so nothing else says so.
type frame struct {
	view  string
	fresh bool // view shows the model as it is

	edge edge // of the draft's box
	side side
}

func (m *Model) narrow() bool { return m.w < wideFrom }

// paneOnly reports whether the request is shown instead of the form: on a narrow screen,
// and of formats side by side also on a wide one.
func (m *Model) paneOnly() bool { return m.onlyPane && (m.narrow() || m.request.Tab() == request.Wire) }

// sizes are the widths of the draft and of the request; 0 for one that does not show.
func (m *Model) sizes() (left, right int) {
	switch {
	case m.paneOnly():
		return 0, m.w
	case m.narrow():
		return m.w, 0
	default:
		return m.w - m.paneRoom(), m.paneRoom()
	}
}

// paneRoom is the width of the request beside the form.
func (m *Model) paneRoom() int { return min(max(m.w*44/100, 40), 96) }

// layout hands the sizes on to the parts.
func (m *Model) layout() {
	left, _ := m.sizes()
	if m.paneOnly() { // the form comes back at its size
		left = m.w
		if !m.narrow() {
			left -= m.paneRoom()
		}
	}
	m.form.SetSize(left-4, m.h-2-m.helpLines())
	if m.known.modality != "" {
		m.form.SetFields(m.rows())
	}
	m.frame.fresh = false
}

// View draws exactly the size that was set; from what was drawn before when nothing has
// changed since.
func (m *Model) View() string {
	if m.frame.fresh {
		return m.frame.view
	}
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	m.layoutSide()
	left, right := m.sizes()
	var lines []string
	if left > 0 {
		lines = m.draftPane(left)
	}
	if right > 0 {
		pane := m.sidePane(right)
		if left == 0 {
			lines = pane
		} else {
			for i := range lines {
				lines[i] += pane[i]
			}
		}
	}
	view := strings.Join(lines, "\n")
	if m.w < 28 || m.h < 3 { // below what the parts can draw
		view = widgets.Fit(view, m.w, m.h)
	}
	if m.items.dialog != nil {
		w, h := min(m.w, 100), min(m.h, 30, max(18, m.items.dialog.Len()+6))
		view = overlay.Dialog(m.st, view, m.items.dialog.View(m.itemsHints(), w, h))
	}
	if ask := m.requests.ask; ask != nil {
		view = overlay.Dialog(m.st, view, ask.View(m.st, min(m.w, 72), min(m.h, 20)))
	}
	if m.refs.open() {
		view = m.refsView(view)
	}
	view = m.over.View(view)
	m.frame.view, m.frame.fresh = view, true
	return view
}
