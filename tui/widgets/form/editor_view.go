package form

import (
	"strings"

	"darkroom/tui/cells"
	"darkroom/tui/widgets"
)

// paper holds the styles and the options of drawing an editor.
type paper struct {
	text, cursor, selection, placeholder widgets.Ink
	hint                                 string // shown while there is no text
	focus                                bool
	bar                                  bool // draw the cursor as a sign, not as a colour
	onHint                               bool // the cursor stands on the hint, not before it
}

// bar is the cursor where colours do not show.
const bar = "▏"

// render draws h lines of w cells with the cursor's line among them.
func (e *Editor) render(w, h int, p paper) []string {
	out := make([]string, 0, h)
	if len(e.cells) == 0 {
		out = append(out, e.renderEmpty(w, p))
	} else if e.multi {
		lines := e.layout(w)
		row, _ := e.at(w)
		e.follow(row, h, len(lines))
		for i := e.top; i < len(lines) && len(out) < h; i++ {
			out = append(out, e.renderLine(lines[i], w, p, p.focus && i == row))
		}
	} else {
		e.slide(w)
		out = append(out, e.renderLine(span{e.top, len(e.cells)}, w, p, p.focus))
	}
	for len(out) < h {
		out = append(out, pad(w))
	}
	for i, l := range out {
		if len(l) != w && cells.Width(l) != w { // clusters that join side by side
			out[i] = widgets.Line(l, w)
		}
	}
	return out
}

// follow keeps the line row among the h visible ones of n lines, without empty lines below.
func (e *Editor) follow(row, h, n int) {
	e.top = max(0, min(e.top, n-h))
	if row < e.top {
		e.top = row
	}
	if row >= e.top+h {
		e.top = row - h + 1
	}
}

// slide keeps the cursor of a one-line text within w cells.
func (e *Editor) slide(w int) {
	if e.width(0, len(e.cells)) < w {
		e.top = 0
		return
	}
	e.top = min(e.top, e.cur)
	for e.top < e.cur && e.width(e.top, e.cur) > w-2 {
		e.top++
	}
	for e.top > 0 && e.width(e.top-1, len(e.cells)) <= w-2 { // the room has grown
		e.top--
	}
}

func (e *Editor) renderEmpty(w int, p paper) string {
	if !p.focus {
		s, n := clip(p.hint, w)
		return p.placeholder.Text(s) + pad(w-n)
	}
	if p.onHint && p.hint != "" {
		s, n := clip(p.hint, w)
		first := clusters(s)[0]
		return p.cursor.Text(first) + p.placeholder.Text(s[len(first):]) + pad(w-n)
	}
	s, n := clip(p.hint, w-1)
	line := p.cursor.Text(" ")
	if p.bar {
		line = bar
	}
	if s != "" {
		line += p.placeholder.Text(s)
	}
	return line + pad(w-n-1)
}

// renderLine draws the clusters of a span that fit, with the cursor when it is among them.
func (e *Editor) renderLine(s span, w int, p paper, cursor bool) string {
	asBar := p.bar && cursor && s.start <= e.cur
	x := 0
	if asBar {
		x = 1 // the cell of the bar
	}
	before, on, behind, n := e.around(s, w-x, cursor && !e.all)
	x += n
	if cursor && !e.all && on == "" && !p.bar && x < w {
		on = " "
		x++
	}
	text := p.text
	if p.focus && e.all {
		text = p.selection
	}
	if asBar {
		return text.Text(before) + bar + text.Text(on+behind) + pad(w-x)
	}
	var b strings.Builder
	for _, part := range []struct {
		s     string
		style widgets.Ink
	}{{before, text}, {on, p.cursor}, {behind, text}} {
		if part.s != "" {
			b.WriteString(part.style.Text(part.s))
		}
	}
	b.WriteString(pad(w - x))
	return b.String()
}

// around returns the clusters of a span that fit into w cells, and their width: before the cursor,
// under it, and behind it. All come before a cursor that is elsewhere.
func (e *Editor) around(s span, w int, cursor bool) (before, on, behind string, x int) {
	var parts [3]strings.Builder
	at := 0
	for i := s.start; i < s.end; i++ {
		g, n := glyph(e.cells[i])
		if x+n > w {
			break
		}
		x += n
		switch {
		case cursor && i == e.cur:
			parts[1].WriteString(g)
			at = 2
		default:
			parts[at].WriteString(g)
		}
	}
	return parts[0].String(), parts[1].String(), parts[2].String(), x
}
