package paint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// maxGap is how many unchanged cells between two changed ones are sent again
// rather than jumped over: a jump costs about as many bytes.
const maxGap = 5

// eraseFrom is how many spaces in a row are erased rather than sent: to erase them and to jump
// behind them costs eight bytes.
const eraseFrom = 9

// Synchronised output (DEC mode 2026): the terminal shows what stands between at once.
const syncBegin, syncEnd = "\x1b[?2026h", "\x1b[?2026l"

// frame is one View, with the size it was made for.
type frame struct {
	lines         []string // text and SGR only; never written to
	width, height int      // cells
	cursor        cursor
}

// same reports whether a frame shows what another one does.
func (f *frame) same(g *frame) bool {
	return f.width == g.width && f.height == g.height && f.cursor == g.cursor && slices.Equal(f.lines, g.lines)
}

// cursor is the terminal's own cursor. Columns and rows count from 0.
type cursor struct {
	x, y  int
	shown bool
}

// screen holds what the terminal shows and computes what must be sent to show
// another frame. It does no I/O.
//
// Between two paints the terminal's pen is reset and autowrap is off.
type screen struct {
	shown    frame
	lines    []string // of shown
	known    bool     // false: the terminal's content is unknown, paint all
	a, b     []cell   // scratch
	changed  []bool   // scratch
	body     []byte   // scratch
	pen      pen      // in force while a line is being painted
	rowsSent int      // rows in body
	apart    bool     // what needs a pen goes to strokes
	strokes  strokes  // scratch

	pics  *pictures // nil for none
	spots []spot    // cells of this paint that pixels belong over
	part  string    // colour of the last cell of a picture that was seen
}

// invalidate forgets what the terminal shows: the next paint is a full one.
func (s *screen) invalidate() { s.known = false }

// paint appends to dst what turns the terminal's content into f, and nothing at
// all when it is the same.
func (s *screen) paint(dst []byte, f frame) []byte {
	fresh := !s.known || f.width != s.shown.width || f.height != s.shown.height
	if !fresh && f.same(&s.shown) {
		return dst
	}
	s.body, s.rowsSent, s.spots, s.part = s.body[:0], 0, s.spots[:0], ""
	next := f.lines[:min(len(f.lines), f.height)]
	if fresh {
		s.body = append(s.body, "\x1b[m\x1b[H\x1b[2J"...)
		s.rowsSent = f.height // whatever the lines are, it is one picture
	}
	s.strokes.reset(f.width)
	s.apart = s.differing(next, fresh) >= strokesFrom
	for y, text := range next {
		old := ""
		if !fresh && y < len(s.lines) {
			old = s.lines[y]
		}
		if text != old {
			s.paintLine(y, old, text, f.width)
		}
	}
	for y := len(next); !fresh && y < len(s.lines); y++ {
		s.paintLine(y, s.lines[y], "", f.width)
	}
	for _, st := range s.strokes.all[:s.strokes.used] {
		s.setPen(st.pen)
		s.body = append(s.body, st.body...)
	}
	s.setPen(pen{})
	if s.strokes.used > 0 {
		s.rowsSent = max(s.rowsSent, strokesFrom) // a row of which all is in strokes was not counted
	}
	if len(s.spots) > 0 {
		s.body = s.pics.overCells(s.body, s.spots, f.height)
		s.rowsSent++
	}
	s.placeCursor(f.cursor, fresh)
	s.lines = next
	s.shown, s.known = f, true
	return s.wrap(dst)
}

// differing returns how many of the next lines are others than those that show.
func (s *screen) differing(next []string, fresh bool) (n int) {
	for y, text := range next {
		if fresh || y >= len(s.lines) || s.lines[y] != text {
			n++
		}
	}
	return n
}

// wrap puts the body into synchronised output. One row needs none: it arrives
// in one write anyway.
func (s *screen) wrap(dst []byte) []byte {
	if len(s.body) == 0 {
		return dst
	}
	if s.rowsSent < 2 {
		return append(dst, s.body...)
	}
	dst = append(dst, syncBegin...)
	dst = append(dst, s.body...)
	return append(dst, syncEnd...)
}

// paintLine sends what differs between two texts of row y. Between two rows the pen is quiet: what is
// erased has the terminal's own background.
func (s *screen) paintLine(y int, old, text string, width int) {
	was, now := parseLine(s.a, old, width), parseLine(s.b, text, width)
	s.a, s.b = was.cells, now.cells
	before := len(s.body)
	if was.odd || now.odd {
		s.paintWhole(y, was, now)
	} else {
		s.paintRuns(y, was, now)
	}
	s.calm()
	if len(s.body) > before {
		s.rowsSent++
	}
}

// paintWhole erases the row and draws it anew. After each cell whose width
// terminals disagree about it moves to our column, so that the rest of the row
// is in place whatever the terminal did.
func (s *screen) paintWhole(y int, was, now line) {
	if sameCells(was.cells, now.cells) {
		return
	}
	s.moveTo(0, y)
	if len(was.cells) > 0 {
		s.body = append(s.body, "\x1b[K"...)
	}
	x := 0
	for _, c := range now.cells {
		s.put(x, y, c)
		x += c.width
		if c.odd && x < now.width {
			s.sequence(x+1, 'G')
		}
	}
}

// put sends one cell, at the column and row where the terminal's cursor is. A cell of a
// picture is text for a terminal that knows placeholders, and otherwise a blank that
// pixels are painted over later.
func (s *screen) put(x, y int, c cell) {
	if s.pictured(c) {
		c = s.picture(x, y, c)
	}
	if c.odd && s.pics != nil && s.pics.behindTmux() {
		c.text = parted(c.text)
		c.text += strings.Repeat(" ", max(0, c.width-ansi.StringWidth(c.text)))
	}
	if !c.empty() || !s.pen.quiet() {
		s.setPen(c.pen)
	}
	s.body = append(s.body, c.text...)
}

// empty reports whether a cell shows nothing.
func (c cell) empty() bool { return c.text == " " && c.pen == (pen{}) }

// picture takes note of a picture's cell, and returns what to send for it.
func (s *screen) picture(x, y int, c cell) cell {
	protocol := s.pics.using()
	if protocol == KittyPictures {
		if c.pen.fg != s.part { // one of the many of a line is enough
			s.part = c.pen.fg
			if p, ok := s.pics.partOf(c); ok {
				s.pics.shown(p.number)
			}
		}
		return c
	}
	if p, ok := s.pics.partOf(c); ok && protocol.Exact() {
		s.spots = append(s.spots, spot{x, y, p})
	}
	return cell{text: " ", width: 1}
}

func sameCells(a, b []cell) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// paintRuns sends the runs of changed cells, each after a move to its column.
// It is used only where every cell's width is beyond doubt.
func (s *screen) paintRuns(y int, was, now line) {
	s.compare(was, now)
	x := 0
	at, gap := -1, 0 // the terminal's column, -1 when not in this row; first cell not sent since
	for j := 0; j < len(now.cells); j++ {
		c := now.cells[j]
		if !s.changed[j] {
			x += c.width
			continue
		}
		if n := s.strokeFrom(now.cells, j); n > 0 {
			s.strokes.add(c.pen, x, y, now.cells[j:j+n])
			for _, c := range now.cells[j : j+n] {
				x += c.width
			}
			j += n - 1
			continue
		}
		s.reach(at, x, y, now.cells[gap:j])
		if n := s.emptyFrom(now.cells, j); n >= eraseFrom {
			s.calm()
			s.sequence(n, 'X')
			at = x
			x += n
			j += n - 1
		} else {
			s.put(x, y, c)
			x += c.width
			at = x
		}
		gap = j + 1
	}
	if was.width > now.width {
		s.calm()
		if at != now.width {
			s.moveTo(now.width, y)
		}
		s.body = append(s.body, "\x1b[K"...)
	}
}

// compare notes which cells of a row differ from what is there.
func (s *screen) compare(was, now line) {
	s.changed = s.changed[:0]
	i, wasX, nowX := 0, 0, 0
	for _, c := range now.cells {
		same := wasX == nowX && i < len(was.cells) && was.cells[i] == c
		s.changed = append(s.changed, !same)
		nowX += c.width
		for i < len(was.cells) && wasX < nowX {
			wasX += was.cells[i].width
			i++
		}
	}
}

// emptyFrom returns how many empty cells can be erased from the jth on, up to the last changed one of
// them. Where pixels may lie over the cells they are sent: not every terminal takes pixels away with
// what it erases.
func (s *screen) emptyFrom(cells []cell, j int) (n int) {
	if s.pics != nil && s.pics.using().Exact() {
		return 0
	}
	for k := j; k < len(cells) && cells[k].empty(); k++ {
		if s.changed[k] {
			n = k + 1 - j
		}
	}
	return n
}

// reach brings the terminal's cursor from a column of the row, -1 for another row, to column x of row
// y: by sending the few unchanged cells between once more, or by a move.
func (s *screen) reach(at, x, y int, between []cell) {
	switch {
	case at == x:
	case at < 0:
		s.moveTo(x, y)
	case x-at <= maxGap && s.fits(between):
		for _, c := range between {
			s.body = append(s.body, c.text...)
		}
	default:
		s.sequence(x-at, 'C')
	}
}

// fits reports whether cells can be sent with the pen that is in force.
func (s *screen) fits(cells []cell) bool {
	quiet := s.pen.quiet()
	for _, c := range cells {
		if c.pen != s.pen && (!quiet || !c.empty()) {
			return false
		}
	}
	return true
}

// calm takes away what would be seen on a space, or left behind by erasing.
func (s *screen) calm() {
	if !s.pen.quiet() {
		s.setPen(pen{})
	}
}

// sequence sends a control sequence with a number.
func (s *screen) sequence(n int, final byte) {
	s.body = append(s.body, "\x1b["...)
	s.body = strconv.AppendInt(s.body, int64(n), 10)
	s.body = append(s.body, final)
}

func (s *screen) setPen(p pen) { s.body, s.pen = p.appendTo(s.body, s.pen), p }

func (s *screen) moveTo(x, y int) { s.body = appendMove(s.body, x, y) }

// appendMove appends a cursor move to a column and row that count from 0.
func appendMove(dst []byte, x, y int) []byte {
	dst = append(dst, "\x1b["...)
	dst = strconv.AppendInt(dst, int64(y+1), 10)
	if x > 0 {
		dst = append(dst, ';')
		dst = strconv.AppendInt(dst, int64(x+1), 10)
	}
	return append(dst, 'H')
}

// placeCursor shows the terminal's cursor where the model wants it, or hides it.
func (s *screen) placeCursor(c cursor, fresh bool) {
	was := s.shown.cursor
	if c.shown && (fresh || len(s.body) > 0 || c != was) {
		s.moveTo(c.x, c.y)
	}
	if c.shown != was.shown || fresh {
		if c.shown {
			s.body = append(s.body, "\x1b[?25h"...)
		} else if was.shown {
			s.body = append(s.body, "\x1b[?25l"...)
		}
	}
}
