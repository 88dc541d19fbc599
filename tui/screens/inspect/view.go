package inspect

import (
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/table"
	"darkroom/tui/widgets/zone"
)

const (
	wideFrom = 100 // from this width on, facts and answer stand side by side
	tallFrom = 16  // from this height on, facts and routes stand on each other
)

func (m *Model) wide() bool { return m.w >= wideFrom }

// inputHeight is how many lines the input takes: one without a border where room is scarce.
func (m *Model) inputHeight() int {
	if m.h < 14 {
		return 1
	}
	return 3
}

// body is the room of the panes, below the input and, on a narrow screen, the tabs.
func (m *Model) body() (w, h int) {
	h = m.h - m.inputHeight()
	if !m.wide() {
		h--
	}
	return m.w, max(0, h)
}

func (m *Model) leftWidth() int {
	if m.wide() {
		return m.w * 48 / 100
	}
	return m.w
}

// together reports whether facts and routes stand in one column.
func (m *Model) together() bool {
	_, h := m.body()
	return m.wide() || h >= tallFrom
}

// shows reports whether a pane is on the screen.
func (m *Model) shows(p pane) bool {
	switch {
	case m.wide() || p == m.page || p == inputPane:
		return true
	case p == answerPane || m.page == answerPane:
		return false
	default:
		return m.together()
	}
}

// leftParts are the parts of the left column, by which their sizes are known.
func (m *Model) leftParts() []widgets.Part {
	_, h := m.body()
	parts := []widgets.Part{{Title: "Task"}}
	if ph := m.pictureHeight(); ph > 0 {
		parts = append(parts, widgets.Part{Title: "Preview", Height: ph})
	}
	if n := len(m.q.found.Routes); n > 0 {
		parts = append(parts, widgets.Part{Title: "Routes", Height: min(n+1, max(3, h/3))})
	}
	return parts
}

// layout sizes the parts for the room there is, and fills them.
func (m *Model) layout() {
	m.fresh = false
	w, h := m.body()
	m.table.SetSource(table.Func{N: len(m.q.found.Routes), At: func(i int) table.Row { return matrix(m.st, &m.q.found, i) }})
	if !m.moved {
		m.table.SetCursor(m.q.found.Telling())
	}
	if m.listing {
		iw, ih := widgets.Inner(m.w, m.h-m.inputHeight())
		m.many.layout(m.st, iw, ih)
	}
	left := m.leftWidth()
	iw, ih := widgets.Inner(left, h)
	fh, rh := ih, ih
	if m.together() {
		parts := m.leftParts()
		_, hs := widgets.InnerStack(parts, left, h)
		fh, rh = hs[0], hs[len(hs)-1]
	}
	m.facts.SetSize(iw, fh)
	m.facts.SetLines(m.factLines(iw - 2))
	m.table.SetSize(iw, rh)
	aw := w
	if m.wide() {
		aw = w - left
	}
	iw, ih = widgets.Inner(aw, h)
	m.answer.fill(m.st, &m.q, max(0, m.table.Cursor()), m.commands.Key(actCopy), iw, ih)
}

func (m *Model) factLines(w int) []string {
	f := sheet{st: m.st, q: &m.q, catalog: m.deps.Catalog, key: m.commands.Key, now: m.deps.Now(), player: m.outside.Text(m.q.found.Job), w: w}
	return f.lines()
}

// View implements screen.Screen.
func (m *Model) View() string {
	if !m.fresh {
		m.frame, m.fresh = m.draw(), true
	}
	return m.frame
}

func (m *Model) draw() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	w, h := m.body()
	parts := []string{m.inputView()}
	switch {
	case h == 0:
	case m.listing:
		iw, ih := widgets.Inner(m.w, m.h-m.inputHeight())
		focus := m.focus != inputPane
		parts = append(parts, widgets.Box(m.st, human.Plural(len(m.many.rows), "id"), m.many.title(), m.many.view(m.st, iw, ih, focus), m.w, m.h-m.inputHeight(), focus))
	case m.wide():
		parts = append(parts, widgets.JoinColumns(0, m.leftView(h), m.answerView(w-m.leftWidth(), h)))
	default:
		parts = append(parts, m.tabs(w))
		switch {
		case m.page == answerPane:
			parts = append(parts, m.answerView(w, h))
		case m.together():
			parts = append(parts, m.leftView(h))
		case m.page == routesPane:
			parts = append(parts, widgets.Box(m.st, "Routes", "", m.table.View(m.st, m.focus == routesPane), w, h, m.focus == routesPane))
		default:
			parts = append(parts, widgets.Box(m.st, "Task", "", markLines("facts", m.facts.View(m.st)), w, h, m.focus == factsPane))
		}
	}
	frame := widgets.Fit(strings.Join(parts, "\n"), m.w, m.h)
	if m.picker != nil {
		frame, _ = zone.Scan(frame)
		frame = overlay.Dialog(m.st, frame, m.picker.View(m.st, max(2, min(m.w-4, 72)), max(3, min(m.h-2, len(m.deps.Gateway.Formats())+5))))
	}
	return frame
}

// inputRoom is the width for the id in the line of the input.
func (m *Model) inputRoom() int {
	w := m.w
	if m.inputHeight() == 3 {
		w, _ = widgets.Inner(m.w, 3)
	}
	return max(8, w-widgets.Width(m.formatLabel())-4)
}

func (m *Model) formatLabel() string {
	if m.q.found.Only == "" {
		return "format: guess ▾"
	}
	return "format: " + m.q.found.Only + " ▾"
}

func (m *Model) inputView() string {
	st := m.st
	button := widgets.Button(st, actFormat, m.formatLabel(), false, false)
	line := func(w int) string {
		if w < 32 {
			return zone.Mark("input", m.field(w))
		}
		room := max(1, w-widgets.Width(button)-1)
		return zone.Mark("input", m.field(room)) + " " + button
	}
	if m.inputHeight() == 1 {
		return widgets.Line(line(m.w), m.w)
	}
	iw, _ := widgets.Inner(m.w, 3)
	return widgets.Box(st, "Id", "", line(iw), m.w, 3, m.focus == inputPane)
}

// field is the line for typing the id.
func (m *Model) field(w int) string {
	hint := widgets.Truncate("id of a task or a job", max(1, m.inputRoom()-6))
	return widgets.Line(widgets.NewInk(m.st.Accent).Text("❯ ")+m.input.Field(m.paper, hint, m.focus == inputPane, max(1, w-2)), w)
}

func (m *Model) tabs(w int) string {
	tabs := []widgets.Tab{{ID: "facts", Label: "Task"}}
	active := "facts"
	if !m.together() {
		tabs = append(tabs, widgets.Tab{ID: "routes", Label: "Routes"})
		if m.page == routesPane {
			active = "routes"
		}
	} else {
		tabs[0].Label = "Task and routes"
	}
	if m.page == answerPane {
		active = "answer"
	}
	return widgets.Line(widgets.Tabs(m.st, append(tabs, widgets.Tab{ID: "answer", Label: "Answer"}), active, w), w)
}

func (m *Model) leftView(h int) string {
	w := m.leftWidth()
	iw, hs := widgets.InnerStack(m.leftParts(), w, h)
	parts := m.leftParts()
	for i := range parts {
		switch parts[i].Title {
		case "Task":
			parts[i].Content = markLines("facts", m.facts.View(m.st))
		case "Preview":
			parts[i].Content = m.picture.view(m.st, iw, hs[i])
		default:
			parts[i].Content = m.table.View(m.st, m.focus == routesPane)
		}
	}
	return widgets.Stack(m.st, parts, "", w, h, m.focus == factsPane || m.focus == routesPane)
}

func (m *Model) answerView(w, h int) string {
	r := m.current()
	title, right := "Answer", ""
	if r.Format != "" {
		title += " · " + client.CleanLine(r.Format)
		how := "formatted"
		if m.answer.plain {
			how = "raw"
		}
		right = how
		if len(r.Body) > 0 {
			right = human.Bytes(int64(len(r.Body))) + " · " + how
		}
	}
	return widgets.Box(m.st, title, right, markLines("answer", m.answer.View(m.st)), w, h, m.focus == answerPane)
}

// markLines makes each line a zone of its own: panes stand side by side, and the ends of
// zones over several lines could not be told apart.
func markLines(id, s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = zone.Mark(id, l)
	}
	return strings.Join(lines, "\n")
}
