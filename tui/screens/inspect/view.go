package inspect

import (
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
	"darkroom/tui/widgets/zone"
)

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
	m.answer.fill(m.st, &m.q, max(0, m.table.Cursor()), iw, ih)
}

func (m *Model) factLines(w int) []string {
	f := sheet{st: m.st, held: held(&m.deps), q: &m.q, catalog: m.deps.Catalog, planOf: m.deps.PlanOf, key: m.commands.Key, now: m.deps.Now(), times: m.deps.Times.At(m.deps.Now()), w: w}
	if b := m.hand.shown; b != nil { // as it was seen, and nothing besides
		f.without = b.Without
		return f.lines()
	}
	f.player, f.seen, f.watched = m.outside.Text(m.q.found.Job), m.sights.Seen(m.q.asked), m.sights.Watching(m.q.asked)
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
	parts := []string{m.input.view(m.st, m.room, m.q.formatLabel(), frameTitle(m), m.focus == inputPane)}
	switch {
	case h == 0:
	case m.listing:
		iw, ih := widgets.Inner(m.w, m.h-m.inputHeight())
		focus := m.focus != inputPane
		parts = append(parts, widgets.Box(m.st, human.Plural(len(m.many.rows), "id"), m.many.title(held(&m.deps)), m.many.view(m.st, iw, ih, focus), m.w, m.h-m.inputHeight(), focus))
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
	return m.stack.View(widgets.Fit(strings.Join(parts, "\n"), m.w, m.h))
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
