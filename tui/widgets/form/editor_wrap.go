package form

import (
	"unicode"
	"unicode/utf8"
)

// span is a visual line: the clusters from start up to end, without the line feed.
type span struct{ start, end int }

// layout is the text in lines of at most w cells, one of which is kept for a cursor
// behind the last cluster. Lines break behind blanks, and inside words that are longer
// than a line.
func (e *Editor) layout(w int) []span {
	w = max(2, w) - 1
	if e.lines != nil && e.wrapAt == w && e.wrapVersion == e.version {
		return e.lines
	}
	e.wrapAt, e.wrapVersion = w, e.version
	e.lines = e.lines[:0]
	start, width, brk := 0, 0, -1 // brk: where the line may break, behind a blank
	for i, c := range e.cells {
		if c == "\n" {
			e.lines = append(e.lines, span{start, i})
			start, width, brk = i+1, 0, -1
			continue
		}
		_, n := glyph(c)
		if width+n > w && i > start {
			at := i
			if brk > start {
				at = brk
			}
			e.lines = append(e.lines, span{start, at})
			start, brk, width = at, -1, 0
			for _, r := range e.cells[start:i] {
				_, k := glyph(r)
				width += k
			}
		}
		width += n
		if c == " " || c == "\t" || n == 2 && !e.punctuation(i+1) { // wide scripts break anywhere
			brk = i + 1
		}
	}
	e.lines = append(e.lines, span{start, len(e.cells)})
	return e.lines
}

// punctuation reports whether a cluster belongs to the text before it.
func (e *Editor) punctuation(i int) bool {
	if i >= len(e.cells) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(e.cells[i])
	return unicode.IsPunct(r)
}

// at is the visual line and the column of the cursor.
func (e *Editor) at(w int) (row, col int) {
	lines := e.layout(w)
	for i := range lines {
		if lines[i].start <= e.cur {
			row = i
		}
	}
	return row, e.width(lines[row].start, min(e.cur, lines[row].end))
}

func (e *Editor) width(from, to int) int {
	w := 0
	for _, c := range e.cells[from:to] {
		_, n := glyph(c)
		w += n
	}
	return w
}

// Rows is how many visual lines the text takes in w cells; at least one.
func (e *Editor) Rows(w int) int {
	if !e.multi {
		return 1
	}
	return len(e.layout(w))
}

// vertical moves the cursor by visual lines; false when it is already at the edge.
func (e *Editor) vertical(by, w int) bool {
	lines := e.layout(w)
	row, col := e.at(w)
	to := min(max(row+by, 0), len(lines)-1)
	if to == row {
		return false
	}
	if e.goal < 0 {
		e.goal = col
	}
	goal := e.goal
	e.SetCursor(e.index(lines[to], goal))
	// A soft break's end is the next line's beginning: stay on this line.
	if r, _ := e.at(w); r > to && e.cur > lines[to].start {
		e.SetCursor(e.cur - 1)
	}
	e.goal = goal
	return true
}

// index is the cluster of a visual line at a column, or the line's end.
func (e *Editor) index(s span, col int) int {
	x := 0
	for i := s.start; i < s.end; i++ {
		_, n := glyph(e.cells[i])
		if x+n > col {
			return i
		}
		x += n
	}
	return s.end
}

// Point puts the cursor at a cell of the text as it was last drawn in w cells; row
// counts from the first line that showed.
func (e *Editor) Point(row, col, w int) {
	if !e.multi {
		e.SetCursor(e.index(span{e.top, len(e.cells)}, col))
		return
	}
	lines := e.layout(w)
	e.SetCursor(e.index(lines[min(max(row+e.top, 0), len(lines)-1)], col))
}
