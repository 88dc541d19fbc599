package form

import (
	"strings"

	"darkroom/tui/cells"
	"darkroom/tui/widgets"
)

// paper is what an editor is drawn with.
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

// follow keeps the line row among the h of n lines that show, and no empty ones.
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

// renderLine draws the clusters of a span that fit, with the cursor when it is there.
func (e *Editor) renderLine(s span, w int, p paper, cursor bool) string {
	var before, on, behind strings.Builder
	x, seen := 0, false
	if p.bar && cursor && s.start <= e.cur {
		x = 1 // the cell of the bar
	}
	for i := s.start; i < s.end; i++ {
		g, n := glyph(e.cells[i])
		if x+n > w {
			break
		}
		x += n
		switch {
		case cursor && i == e.cur && !e.all:
			on.WriteString(g)
			seen = true
		case seen:
			behind.WriteString(g)
		default:
			before.WriteString(g)
		}
	}
	if cursor && !e.all && !seen && !p.bar && x < w {
		on.WriteString(" ")
		x++
	}
	text := p.text
	if p.focus && e.all {
		text = p.selection
	}
	var b strings.Builder
	if p.bar && cursor && s.start <= e.cur {
		b.WriteString(text.Text(before.String()) + bar + text.Text(on.String()+behind.String()) + pad(w-x))
		return b.String()
	}
	for _, part := range []struct {
		s     string
		style widgets.Ink
	}{{before.String(), text}, {on.String(), p.cursor}, {behind.String(), text}} {
		if part.s != "" {
			b.WriteString(part.style.Text(part.s))
		}
	}
	b.WriteString(pad(w - x))
	return b.String()
}
