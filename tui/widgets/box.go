package widgets

import (
	"strings"

	"darkroom/themes"
)

// Box draws a rounded border of exactly w x h cells around content, which is cut or
// filled to fit. The title stands in the top border, right at its right end; both may
// be styled, plain text gets the theme's title style.
func Box(st *themes.Styles, title, right, content string, w, h int, focus bool) string {
	return Stack(st, []Part{{Title: title, Right: right, Content: content}}, "", w, h, focus)
}

// BoxFooter is [Box] with a text at the right end of the bottom border as well.
func BoxFooter(st *themes.Styles, title, right, footer, content string, w, h int, focus bool) string {
	return Stack(st, []Part{{Title: title, Right: right, Content: content}}, footer, w, h, focus)
}

// Part is a section of a [Stack]: a line with a title and the content below it.
type Part struct {
	Title, Right, Content string
	// Height is the number of lines of content; 0 takes a share of those left by the others.
	Height int
}

// Inner is the room that a box of w x h cells leaves for its content. There is one blank cell on
// each side within the border, dropped below a width of 20 cells.
func Inner(w, h int) (int, int) { return max(0, w-2-2*margin(w)), max(0, h-2) }

// InnerStack is the room for the content of parts in a [Stack] of w x h cells: the
// width, and the height of each part.
func InnerStack(parts []Part, w, h int) (int, []int) {
	iw, _ := Inner(w, h)
	return iw, heights(parts, h)
}

func margin(w int) int {
	if w < 20 {
		return 0
	}
	return 1
}

// Stack draws one border of exactly w x h cells around parts stacked on each other, with a line
// and a title between them. Below 2 x 2 cells it draws only blanks.
func Stack(st *themes.Styles, parts []Part, footer string, w, h int, focus bool) string {
	if w < 2 || h < 2 || len(parts) == 0 {
		return Fit("", w, h)
	}
	inks := chromeOf(st)
	border, title := inks.border, inks.title
	if focus {
		border, title = inks.borderFocus, inks.titleFocus
	}
	edge := edges{border: border, title: title, w: w}
	side := border.Text("│")
	pad := blanks(margin(w))
	iw, _ := Inner(w, h)

	left, right := side+pad, pad+side+"\n"
	var out strings.Builder
	n := 0 // lines so far; the last one is the border's
	line := func(left, text, right string) {
		if n < h-1 {
			n++
			out.WriteString(left)
			out.WriteString(text)
			out.WriteString(right)
		}
	}
	size := h * (len(left) + len(right))
	for _, p := range parts {
		size += len(p.Content)
	}
	out.Grow(size)
	room := heights(parts, h)
	for i, p := range parts {
		if i == 0 {
			line(edge.line("╭", "╮", p.Title, p.Right), "", "\n")
		} else {
			line(edge.line("├", "┤", p.Title, p.Right), "", "\n")
		}
		for _, l := range fitLines(p.Content, iw, room[i]) {
			line(left, l, right)
		}
	}
	out.WriteString(edge.line("╰", "╯", "", footer))
	return out.String()
}

// heights shares h lines among parts: fixed ones first, as far as there is room, then the others
// in equal shares. The sum with all borders is h, except for parts that found no room at all.
func heights(parts []Part, h int) []int {
	out := make([]int, len(parts))
	free := h - 1 - len(parts)
	open := 0
	for i, p := range parts {
		if p.Height <= 0 {
			open++
			continue
		}
		out[i] = max(0, min(p.Height, free))
		free -= out[i]
	}
	free = max(0, free)
	if open == 0 {
		out[len(out)-1] += free
		return out
	}
	for i, p := range parts {
		if p.Height <= 0 {
			out[i] = (free + open - 1) / open
			free -= out[i]
			open--
		}
	}
	return out
}

// edges draws the horizontal lines of a box.
type edges struct {
	border, title Ink
	w             int
}

// line is one horizontal border with a text at each end. The right text is left out
// when there is no room for both.
func (e edges) line(left, right, title, note string) string {
	free := e.w - 2
	var b strings.Builder
	b.Grow(e.w * 4)
	t, n := e.label(title, free-2), ""
	if note != "" && free-lineWidth(t)-2 >= lineWidth(note)+2 {
		n = e.label(note, free)
	}
	if t == "" && n == "" {
		return e.border.Text(left + strings.Repeat("─", free) + right)
	}
	fill := free - lineWidth(t) - lineWidth(n)
	trail := 0
	if n != "" && fill > 0 {
		trail = 1
	}
	b.WriteString(e.border.Text(left))
	b.WriteString(t)
	b.WriteString(e.border.Text(strings.Repeat("─", max(0, fill-trail))))
	b.WriteString(n)
	b.WriteString(e.border.Text(strings.Repeat("─", trail) + right))
	return b.String()
}

// label is a text with a blank on each side, cut to w cells; "" when nothing fits.
func (e edges) label(s string, w int) string {
	if s == "" || w < 3 {
		return ""
	}
	s = cut(s, w-2)
	if !strings.Contains(s, "\x1b") {
		s = e.title.Text(s)
	}
	return " " + s + " "
}
