package form

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/tui/widgets/zone"
)

// renderMany draws a text of many lines: plain, in a frame, or as a list.
func (p *panel) renderMany(d *Field, focus bool) []string {
	e := p.editor(d)
	ew := p.editorWidth(d)
	least := p.least(d)
	most := d.MaxRows
	if most <= 0 {
		most = 6
	}
	if most = max(most, least); d.Grows {
		most = max(most, 2*least)
	}
	rows := min(max(e.Rows(ew), least, 1), most)
	if d.Kind == List && p.pathsShow(d, focus) {
		rows = min(e.Rows(ew), 8*most) // of which a path takes one only
	}
	lines := e.render(ew, rows, p.paper(d, focus))
	if d.Kind == Lines && !p.boxed(d) && focus && p.capture {
		p.tellLineEnds(d, e, lines, ew)
	}
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
	if focus && p.capture {
		l.text(p.ink.faint, "  "+itemEnds)
	}
	if hidden := len(visual) - passed; hidden > 0 {
		l.text(p.ink.faint, "  "+strconv.Itoa(hidden)+" more lines")
	}
	if d.Detail != "" {
		l.text(p.ink.faint, "  "+d.Detail)
	}
	p.note(d, &l, d.Mark >= Warn)
	return append(out, l.done())
}

// lineEnds says how a line of a long text ends, while it is written.
const lineEnds = "enter new line"

// itemEnds says how an item of a list ends, while it is written.
const itemEnds = "enter another one"

// tellLineEnds writes how lines end behind the last line of a text without a frame, which has no other
// place for it. Where the text needs the cells, it has them.
func (p *panel) tellLineEnds(d *Field, e *Editor, lines []string, w int) {
	last := len(lines) - 1
	used := 1 // the cursor
	switch visual := e.layout(w); {
	case e.Len() == 0 && last == 0:
		_, n := show(d.Hint)
		used += n
	case e.top+last < len(visual):
		used += e.width(visual[e.top+last].start, visual[e.top+last].end)
	}
	n := len(lineEnds)
	if used+2+n > w {
		return
	}
	lines[last] = ansi.Truncate(lines[last], w-n, "") + p.ink.faint.Text(lineEnds)
}

// tallFrom is the height from which a form is taller than its rows need: half of what is more goes to
// the text that grows.
const tallFrom = 32

// least is the least number of lines of a long text.
func (p *panel) least(d *Field) int {
	if d.Grows {
		return max(d.MinRows, p.h/5+max(0, p.h-tallFrom)/2)
	}
	return d.MinRows
}

// frame draws a box around the lines of a text, with its length and Corner below. The box stands
// out while the text is being edited.
func (p *panel) frame(d *Field, lines []string, ew int, focus bool) []string {
	ink, writing := p.ink.border, focus && p.capture
	if writing {
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
	if _, n := show(foot); writing && n+len(lineEnds)+7 < w {
		foot = " " + lineEnds + " ─" + foot
	}
	foot, n := clip(foot, w-4)
	return append(out, ink.Text("└"+rule(w-3-n))+p.ink.faint.Text(foot)+ink.Text("─┘"))
}

// rule is a horizontal line of n cells.
func rule(n int) string { return strings.Repeat("─", max(0, n)) }
