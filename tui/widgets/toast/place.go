package toast

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/zone"
)

// The most that a message takes: lines, and cells of a line that is not alone.
const (
	maxLines = 3
	maxWidth = 60
	margin   = 1 // cells between a message and the right edge
)

// Room is what a message must leave free in a frame.
type Room struct {
	Above, Below int         // lines at the top and at the bottom
	Pressed      []zone.Rect // what can be pressed
	// Typing says that a form shows: a message takes one line of it at most, unless the lines are
	// blank.
	Typing bool
}

// Over lays the newest message over a frame: a box where there is nothing else to be seen, or a line
// of its own, as low as it can stand without hiding a button or the row that has the cursor. The
// others are only counted. It is the zone "toast:<n>"; a click on it is for [Stack.Dismiss].
func (s *Stack) Over(st *themes.Styles, frame string, r Room) string {
	if len(s.list) == 0 {
		return frame
	}
	f := survey(st, frame, r)
	if f.w < 8 || f.bottom <= f.top {
		return frame
	}
	m, more := s.list[len(s.list)-1], ""
	if n := len(s.list) - 1; n > 0 {
		more = fmt.Sprintf(" · %d more", n)
	}
	line, whole := m.line(st, more, f.w-2*margin)
	box, bx, by := "", 0, 0
	if !r.Typing || !whole {
		box, bx, by = m.boxed(st, more, &f)
	}
	switch {
	case box != "":
		return overlay.Place(frame, box, bx, by)
	case whole || r.Typing || f.bottom-f.top < 2*maxLines:
		return overlay.Place(frame, line, f.w-margin-widgets.Width(line), f.calmest(widgets.Width(line), 1))
	default:
		strip := m.strip(st, more, f.w-2*margin)
		return overlay.Place(frame, strip, f.w-margin-widgets.Width(strip), f.calmest(widgets.Width(strip), widgets.Height(strip)))
	}
}

// line is the message in one line of at most w cells, and whether that is all of it.
func (m message) line(st *themes.Styles, more string, w int) (string, bool) {
	sign, style := m.look(st)
	ink := widgets.NewInk(style)
	room := max(0, w-6-widgets.Width(more))
	text := Shorten(m.text, room)
	return zone.Mark(m.zone(), ink.Text("┤ "+sign+" "+text)+widgets.NewInk(st.Muted).Text(more)+ink.Text(" ├")), text == m.text
}

// strip is the message in as many lines as it needs, without a border.
func (m message) strip(st *themes.Styles, more string, w int) string {
	sign, style := m.look(st)
	ink := widgets.NewInk(style)
	lines, iw := m.lines(w-6, more)
	for i, l := range lines {
		lead := " "
		if i == 0 {
			lead = sign
		}
		lines[i] = ink.Text("┃ "+lead+" ") + ink.Text(widgets.Fit(l, iw, 1)) + "  "
	}
	return zone.Mark(m.zone(), strings.Join(lines, "\n"))
}

// boxed is the message in a box where nothing else is, the wide one before narrow ones that are
// higher; "" where there is no room for all of it.
func (m message) boxed(st *themes.Styles, more string, f *field) (box string, x, y int) {
	for _, w := range []int{maxWidth, maxWidth * 3 / 4, maxWidth * 3 / 5} {
		lines, iw := m.lines(min(f.w-2*margin, w)-6, more)
		if more != "" && !strings.HasSuffix(lines[len(lines)-1], "more") || strings.HasSuffix(lines[len(lines)-1], widgets.Ellipsis) {
			continue
		}
		if x, y, ok := f.blank(iw+6, len(lines)+2); ok {
			return m.box(st, lines, iw), x, y
		}
	}
	return "", 0, 0
}

func (m message) box(st *themes.Styles, lines []string, iw int) string {
	sign, style := m.look(st)
	ink := widgets.NewInk(style)
	rule := strings.Repeat("─", iw+4)
	out := []string{ink.Text("╭" + rule + "╮")}
	for i, l := range lines {
		lead := " "
		if i == 0 {
			lead = sign
		}
		out = append(out, ink.Text("│ "+lead+" ")+widgets.Fit(l, iw, 1)+ink.Text(" │"))
	}
	out = append(out, ink.Text("╰"+rule+"╯"))
	return zone.Mark(m.zone(), strings.Join(out, "\n"))
}

// lines are the message wrapped into lines of at most w cells, and how wide they are.
func (m message) lines(w int, more string) ([]string, int) {
	text := Shorten(m.text, max(w, maxLines*w-widgets.Width(more)-w/4))
	if !strings.HasSuffix(text, widgets.Ellipsis) {
		text += more
	}
	lines := widgets.WrapLines(text, w, maxLines)
	return lines, widgets.Width(strings.Join(lines, "\n"))
}

// minPath is how long a path is that can be shortened.
const minPath = 16

// Shorten makes a text of one line at most w cells wide: paths in it are shortened in the middle
// first, the longest one before the others, and what is still too long loses its end.
func Shorten(text string, w int) string {
	words := strings.Split(text, " ")
	for widgets.Width(text) > w {
		at, long := -1, minPath
		for i, word := range words {
			if n := widgets.Width(word); n > long && strings.Count(word, "/") > 1 && !strings.Contains(word, widgets.Ellipsis) {
				at, long = i, n
			}
		}
		if at < 0 {
			return widgets.Truncate(text, w)
		}
		words[at] = middle(words[at], max(minPath, long-(widgets.Width(text)-w)))
		text = strings.Join(words, " ")
	}
	return text
}

// middle leaves out the middle of a path, so that w cells are left: its end says which file it is.
func middle(path string, w int) string {
	head := w / 3
	return ansi.Truncate(path, head, "") + widgets.Ellipsis + ansi.TruncateLeft(path, widgets.Width(path)-(w-head-1), "")
}

// field is what a frame has in its cells.
type field struct {
	room        Room
	w           int
	top, bottom int     // the lines that a message may take
	ink         [][]int // how many cells left of one, in its line, are not blank
	text        [][]int // the same for cells that are more than a border
	cursor      []bool  // lines that have the cursor
}

func survey(st *themes.Styles, frame string, r Room) field {
	lines := strings.Split(frame, "\n")
	f := field{room: r, w: widgets.Width(frame), top: r.Above, bottom: len(lines) - r.Below}
	marks := cursorMarks(st)
	for _, l := range lines {
		ink, text := make([]int, f.w+1), make([]int, f.w+1)
		plain := ansi.Strip(l)
		x := 0
		for state := byte(0); len(plain) > 0; {
			seq, w, n, next := widgets.Decode(plain, state)
			plain, state = plain[n:], next
			for range w {
				if x == f.w {
					break
				}
				ink[x+1], text[x+1] = ink[x], text[x]
				if seq != " " {
					ink[x+1]++
				}
				if seq != " " && !isBorder(seq) {
					text[x+1]++
				}
				x++
			}
		}
		for ; x < f.w; x++ {
			ink[x+1], text[x+1] = ink[x], text[x]
		}
		f.ink, f.text = append(f.ink, ink), append(f.text, text)
		f.cursor = append(f.cursor, hasCursor(l, marks))
	}
	return f
}

// isBorder reports whether a cell is part of a border.
func isBorder(seq string) bool {
	r := []rune(seq)
	return len(r) == 1 && r[0] >= '─' && r[0] <= '╿'
}

// cursorMarks are the sequences that begin what has the cursor: a cell of a text, the row of a list,
// the label of a field.
func cursorMarks(st *themes.Styles) []string {
	var out []string
	for _, style := range []interface{ Render(...string) string }{st.Cursor, st.RowSelected, st.LabelFocus} {
		if on, _, ok := strings.Cut(style.Render("x"), "x"); ok && on != "" {
			out = append(out, on)
		}
	}
	return out
}

func hasCursor(line string, marks []string) bool {
	if slices.ContainsFunc(marks, func(on string) bool { return strings.Contains(line, on) }) {
		return true
	}
	return strings.HasPrefix(strings.TrimLeft(ansi.Strip(line), " │┃"), "›")
}

// blank is where a block of w x h cells hides nothing at all: as low as it can be, then as far right.
func (f *field) blank(w, h int) (x, y int, ok bool) {
	for y := f.bottom - h; y >= f.top; y-- {
		for x := f.w - margin - w; x >= 0; x-- {
			if f.isBlank(x, y, w, h) {
				return x, y, true
			}
		}
	}
	return 0, 0, false
}

func (f *field) isBlank(x, y, w, h int) bool {
	for _, row := range f.ink[y : y+h] {
		if row[x+w] > row[x] {
			return false
		}
	}
	return true
}

// calmest is the line at which a block of w x h cells at the right edge hides the least: a border
// rather than a text, no button and no row with the cursor, and among equal ones the lowest.
func (f *field) calmest(w, h int) int {
	const barred = 1 << 20
	best, least := f.bottom-h, barred+1
	for y := f.bottom - h; y >= f.top; y-- {
		x, hidden := f.w-margin-w, 0
		at := zone.Rect{X: x, Y: y, W: w, H: h}
		for i := y; i < y+h; i++ {
			hidden += f.text[i][x+w] - f.text[i][x]
			if f.cursor[i] {
				hidden += barred / maxLines
			}
		}
		if slices.ContainsFunc(f.room.Pressed, func(z zone.Rect) bool { return overlap(z, at) }) {
			hidden += barred
		}
		if hidden < least {
			best, least = y, hidden
		}
		if y < f.bottom-f.bottom/2 && least < barred/maxLines {
			break // far from where one looks for it
		}
	}
	return max(0, best)
}

func overlap(a, b zone.Rect) bool {
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}
