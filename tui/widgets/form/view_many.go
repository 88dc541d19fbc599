package form

import (
	"strconv"
	"strings"

	"darkroom/tui/widgets/zone"
)

// renderMany draws a text of many lines: plain, in a frame, or as a list.
func (f *Form) renderMany(d *Field, focus bool) []string {
	e := f.editor(d)
	ew := f.editorWidth(d)
	most := d.MaxRows
	if most <= 0 {
		most = 6
	}
	most = max(most, d.MinRows)
	rows := min(max(e.Rows(ew), d.MinRows, 1), most)
	if d.Kind == List && f.pathsShow(d, focus) {
		rows = min(e.Rows(ew), 8*most) // of which a path takes one only
	}
	lines := e.render(ew, rows, f.paper(d, focus))
	for i := range lines {
		lines[i] = zone.Mark(f.zone(d, "e"+strconv.Itoa(i)), lines[i])
	}
	switch {
	case d.Kind == List:
		return f.renderList(d, e, lines, most, focus)
	case f.boxed(d):
		return f.frame(d, lines, ew, focus)
	}
	return lines
}

// renderList adds what takes an item out, and a line that adds one. A path takes one
// line, in the place of all those that its URL would.
func (f *Form) renderList(d *Field, e *Editor, lines []string, most int, focus bool) []string {
	_, w := f.values()
	ew := f.editorWidth(d)
	visual := e.layout(ew)
	out := make([]string, 0, len(lines)+1)
	passed := 0
	for i, l := range lines {
		if len(out) == most {
			break
		}
		passed++
		tail, n := "  ", e.top+i
		head := pad(f.numbers(d))
		if n < len(visual) {
			item, first := e.item(visual[n])
			head = f.number(d, e, visual[n], first)
			path, ok := f.asPath(d, focus, item)
			switch {
			case ok && !first && i > 0:
				continue
			case ok:
				l = zone.Mark(f.zone(d, "e"+strconv.Itoa(i)), f.path(path, ew))
			}
			if first && visual[n].end > visual[n].start {
				tail = " " + zone.Mark(f.zone(d, "x"+strconv.Itoa(i)), f.ink.faint.Text("×"))
			}
		}
		out = append(out, head+l+tail)
	}
	if e.Len() == 0 {
		return out
	}
	l := line{w: w}
	l.put(zone.Mark(f.zone(d, "+"), f.ink.faint.Text("+ add")), 5)
	if hidden := len(visual) - passed; hidden > 0 {
		l.text(f.ink.faint, "  "+strconv.Itoa(hidden)+" more lines")
	}
	if d.Detail != "" {
		l.text(f.ink.faint, "  "+d.Detail)
	}
	f.note(d, &l, d.Mark >= Warn)
	return append(out, l.done())
}

// frame draws a box around the lines of a text, with its length and Corner below. It stands
// out while what is typed goes into it.
func (f *Form) frame(d *Field, lines []string, ew int, focus bool) []string {
	ink := f.ink.border
	if focus && f.capture {
		ink = f.ink.borderFocus
	}
	w := ew + 4
	out := make([]string, 0, len(lines)+2)
	out = append(out, ink.Text("┌"+rule(w-2)+"┐"))
	side := ink.Text("│")
	for _, l := range lines {
		out = append(out, side+" "+l+" "+side)
	}
	foot := " " + strconv.Itoa(f.editor(d).Len()) + " "
	if d.Corner != "" {
		foot += "─ " + d.Corner + " "
	}
	foot, n := clip(foot, w-4)
	return append(out, ink.Text("└"+rule(w-3-n))+f.ink.faint.Text(foot)+ink.Text("─┘"))
}

// rule is a horizontal line of n cells.
func rule(n int) string { return strings.Repeat("─", max(0, n)) }
