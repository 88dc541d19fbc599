package compose

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/themes"
	"darkroom/tui/screens/compose/internal/pens"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/format"
)

// edge is the border of the draft's box, which seldom changes.
type edge struct {
	w, h          int
	focus         bool
	title         string
	footer, right string
	st            *themes.Styles
	top, bottom   string
}

// helpLines is how many lines explain the focused field.
func (m *Model) helpLines() int {
	switch {
	case m.h < 7:
		return 0
	case m.h < 20:
		return 1
	default:
		return 2
	}
}

// draftPane is the box with the form and the help of the focused field. The form's
// lines are exact already, so only the border is put around them.
func (m *Model) draftPane(w int) []string {
	body := m.form.Lines()
	body = append(body, m.help(w-4)...)
	m.border(w)
	e := &m.frame.edge
	out := make([]string, 0, m.h)
	out = append(out, e.top)
	side := m.pens.Border.Text("│")
	if e.focus {
		side = m.pens.BorderFocus.Text("│")
	}
	for i := 0; i < m.h-2 && i < len(body); i++ {
		out = append(out, side+" "+body[i]+" "+side)
	}
	if len(out) < m.h {
		out = append(out, e.bottom)
	}
	for len(out) < m.h {
		out = append(out, widgets.Fit("", w, 1))
	}
	return out
}

// border makes the upper and lower edge of the draft's box, when they have changed.
func (m *Model) border(w int) {
	e := edge{w: w, h: m.h, focus: m.over.Top() == nil, st: m.st, title: "Draft", footer: m.save.Note(), right: m.overflow()}
	if t := m.originTitle(); t != "" && w >= 60 {
		e.title += " · " + t
	}
	old := m.frame.edge
	if old.top != "" && old.w == e.w && old.h == e.h && old.focus == e.focus && old.footer == e.footer && old.right == e.right && old.title == e.title && old.st == e.st {
		return
	}
	ink := m.pens.Faint
	box := strings.Split(widgets.BoxFooter(m.st, e.title, ink.Text(e.right), ink.Text(e.footer), "", w, max(m.h, 2), e.focus), "\n")
	e.top, e.bottom = box[0], box[len(box)-1]
	m.frame.edge = e
}

// overflow says that there is more of the form than shows.
func (m *Model) overflow() string {
	s := ""
	if m.form.Above() > 0 {
		s = "↑"
	}
	if m.form.Below() > 0 {
		s += "↓"
	}
	if m.narrow() {
		key := m.deps.Keys.Keys("compose.view-json")
		if s = strings.TrimSpace(s + " " + m.verdict()); key != "" {
			s += " · " + key
		}
	}
	return s
}

// verdict is the checks in a few cells, for where there is no room to list them.
func (m *Model) verdict() string {
	bad, warn := 0, 0
	for i := range m.problems {
		switch m.problems[i].Severity {
		case catalog.Block:
			bad++
		case catalog.Warn:
			warn++
		}
	}
	switch {
	case m.refusal.text != "":
		return "✗ refused"
	case bad > 0:
		return "✗ " + format.Plural(bad, "problem")
	case warn > 0:
		return "⚠ " + format.Plural(warn, "warning")
	default:
		return "✓ ready"
	}
}

// help explains the focused field in a fixed number of lines: what is wrong with it,
// else what the gateway says about it and where.
func (m *Model) help(w int) []string {
	n := m.helpLines()
	if n == 0 {
		return nil
	}
	text, source, mark := m.explain(m.form.Focused())
	if s := m.pasteTells(); s != "" {
		text, source, mark = s, "", form.Info
	}
	ink := m.pens.Muted
	if mark != form.Fine {
		ink = m.pens.Marks[mark]
		text = pens.Signs[mark] + " " + text
	}
	if source != "" {
		text += "  [" + source + "]"
	}
	if m.form.Paused() {
		text = "letters or enter go on typing, digits and signs are keys now · " + text
	}
	out := make([]string, 0, n)
	for _, l := range widgets.WrapLines(client.CleanLine(text), w, n) {
		out = append(out, ink.Text(widgets.Line(l, w)))
	}
	for len(out) < n {
		out = append(out, widgets.Line("", w))
	}
	return out
}
