package form

import (
	"strconv"
	"strings"

	"darkroom/tui/widgets/zone"
)

// renderMany draws a text of many lines: plain, in a frame, or as a list.
func (p *panel) renderMany(d *Field, focus bool) []string {
	e := p.editor(d)
	ew := p.editorWidth(d)
	most := d.MaxRows
	if most <= 0 {
		most = 6
	}
	most = max(most, d.MinRows)
	rows := min(max(e.Rows(ew), d.MinRows, 1), most)
	if d.Kind == List && p.pathsShow(d, focus) {
		rows = min(e.Rows(ew), 8*most) // of which a path takes one only
	}
	lines := e.render(ew, rows, p.paper(d, focus))
	for i := range lines {
		lines[i] = zone.Mark(p.zone(d, "e"+strconv.Itoa(i)), lines[i])
	}
	switch {
	case d.Kind == List:
		return p.renderList(d, e, lines, most, focus)
	case p.boxed(d):
		return p.frame(d, lines, ew, focus)
	}
	return lines
}

// renderList adds the button that removes an item, and a line that adds one. A path takes one
// line, in place of all those of its URL.
func (p *panel) renderList(d *Field, e *Editor, lines []string, most int, focus bool) []string {
	_, w := p.values()
	ew := p.editorWidth(d)
	visual := e.layout(ew)
	out := make([]string, 0, len(lines)+1)
	passed := 0
	for i, l := range lines {
		if len(out) == most {
			break
		}
		passed++
		tail, n := "  ", e.top+i
		head := pad(p.numbers(d))
		if n < len(visual) {
			item, first := e.item(visual[n])
			head = p.number(d, e, visual[n], first)
			path, ok := p.asPath(d, focus, item)
			switch {
			case ok && !first && i > 0:
				continue
			case ok:
				l = zone.Mark(p.zone(d, "e"+strconv.Itoa(i)), p.path(path, ew))
			}
			if first && visual[n].end > visual[n].start {
				tail = " " + zone.Mark(p.zone(d, "x"+strconv.Itoa(i)), p.ink.faint.Text("×"))
			}
		}
		out = append(out, head+l+tail)
	}
	if e.Len() == 0 {
		return out
	}
	l := line{w: w}
	l.put(zone.Mark(p.zone(d, "+"), p.ink.faint.Text("+ add")), 5)
	if hidden := len(visual) - passed; hidden > 0 {
		l.text(p.ink.faint, "  "+strconv.Itoa(hidden)+" more lines")
	}
	if d.Detail != "" {
		l.text(p.ink.faint, "  "+d.Detail)
	}
	p.note(d, &l, d.Mark >= Warn)
	return append(out, l.done())
}

// frame draws a box around the lines of a text, with its length and Corner below. The box stands
// out while the text is being edited.
func (p *panel) frame(d *Field, lines []string, ew int, focus bool) []string {
	ink := p.ink.border
	if focus && p.capture {
		ink = p.ink.borderFocus
	}
	w := ew + 4
	out := make([]string, 0, len(lines)+2)
	out = append(out, ink.Text("┌"+rule(w-2)+"┐"))
	side := ink.Text("│")
	for _, l := range lines {
		out = append(out, side+" "+l+" "+side)
	}
	foot := " " + strconv.Itoa(p.editor(d).Len()) + " "
	if d.Corner != "" {
		foot += "─ " + d.Corner + " "
	}
	foot, n := clip(foot, w-4)
	return append(out, ink.Text("└"+rule(w-3-n))+p.ink.faint.Text(foot)+ink.Text("─┘"))
}

// rule is a horizontal line of n cells.
func rule(n int) string { return strings.Repeat("─", max(0, n)) }
