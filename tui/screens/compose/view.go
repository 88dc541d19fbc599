package compose

import (
	"strings"

	"darkroom/tui/screens/compose/internal/frame"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

// drawn is what was last drawn. A message, a size and other styles make it stale: nothing else
// changes what shows, so nothing else says so.
type drawn struct {
	view  string
	fresh bool // view shows the model as it is

	draft frame.Draft
	side  frame.Side
}

// room is what there is to draw in.
func (m *Model) room() frame.Room {
	return frame.Room{W: m.w, H: m.h, Request: m.onlyPane, Wire: m.request.Tab() == request.Wire}
}

// layout hands the sizes on to the parts.
func (m *Model) layout() {
	m.sheet.Form.SetSize(m.room().FormSize())
	if m.sheet.Known.Modality != "" {
		m.sheet.Form.SetFields(m.sheet.Rows())
	}
	m.last.fresh = false
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
	r, k := m.room(), m.deps.Keys
	m.last.side.Layout(r, &m.request, &m.checks, m.sheet.CheckItems(m.runTells(), m.late.Hint()))
	left, right := r.Sizes()
	var lines []string
	if left > 0 {
		lines = m.draftBox(r)
	}
	if right > 0 {
		pane := m.last.side.Lines(m.st, r, &m.request, &m.checks, k.Keys(actChecksDown), k.Keys(actChecksUp))
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
	view = m.over.View(view)
	m.last.view, m.last.fresh = view, true
	return view
}

// draftBox is the form, with what there is to say of its focused field.
func (m *Model) draftBox(r frame.Room) []string {
	w, _ := r.Sizes()
	body := m.sheet.Form.Lines() // which finds what there is above and below
	e := frame.Edge{Title: "Draft", Footer: m.save.Note(), Focus: m.over.Top() == nil}
	if t := m.sheet.OriginTitle(); t != "" && w >= 60 {
		e.Title += " · " + t
	}
	if m.sheet.Form.Above() > 0 {
		e.Right = "↑"
	}
	if m.sheet.Form.Below() > 0 {
		e.Right += "↓"
	}
	if r.Narrow() {
		e.Right = strings.TrimSpace(e.Right + " " + m.sheet.Verdict())
		if key := m.deps.Keys.Keys(actJSON); key != "" {
			e.Right += " · " + key
		}
	}
	text, source, mark := m.sheet.Explain(m.sheet.Form.Focused())
	if s := m.pasting.Hint(); s != "" {
		text, source, mark = s, "", form.Info
	}
	body = append(body, frame.Help(&m.pens, text, source, mark, m.sheet.Form.Paused(), w-4, r.HelpLines())...)
	return m.last.draft.Lines(m.st, &m.pens, e, body, w, m.h)
}
