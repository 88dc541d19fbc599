package paint

import "strconv"

// strokesFrom is how many changed rows make it worth while to sort a paint by pens: a move costs some
// seven bytes, a colour nineteen. With fewer rows most pens would be used once.
const strokesFrom = 8

// strokes are the parts of a paint that need a pen, by pen. Each part is a move and text, and none lies
// over another one, so that they can be sent in any order, after all that needs no pen.
type strokes struct {
	all   []stroke // those in use come first; the buffers of the others are kept
	used  int
	width int // of the screen: behind its last column the cursor does not go
}

type stroke struct {
	pen  pen
	body []byte
	x, y int // where the terminal's cursor is after it
}

func (s *strokes) reset(width int) { s.used, s.width = 0, width }

// of returns the stroke of a pen.
func (s *strokes) of(p pen) *stroke {
	for i := range s.all[:s.used] {
		if s.all[i].pen == p {
			return &s.all[i]
		}
	}
	if s.used == len(s.all) {
		s.all = append(s.all, stroke{})
	}
	st := &s.all[s.used]
	s.used++
	st.pen, st.body, st.x, st.y = p, st.body[:0], -1, -1
	return st
}

// add appends cells of one row, the first at column x. One cell below another one, as of a border, is
// reached by a step down.
func (s *strokes) add(p pen, x, y int, cells []cell) {
	st := s.of(p)
	switch {
	case st.y == y-1 && st.x == x+1 && st.x < s.width:
		st.body = append(st.body, "\b\x1b[B"...)
	case st.y != y || x < st.x:
		st.body = appendMove(st.body, x, y)
	case st.x < x:
		st.body = append(st.body, "\x1b["...)
		st.body = strconv.AppendInt(st.body, int64(x-st.x), 10)
		st.body = append(st.body, 'C')
	}
	for _, c := range cells {
		st.body = append(st.body, c.text...)
		x += c.width
	}
	st.x, st.y = x, y
}

// strokeFrom returns how many cells of a row, from the jth on, one pen draws: changed ones, with what is
// between them where that costs less than a move. 0 says that they are not to be set apart.
func (s *screen) strokeFrom(cells []cell, j int) int {
	if !s.apart || cells[j].pen == (pen{}) || s.pictured(cells[j]) {
		return 0
	}
	p, quiet, n := cells[j].pen, cells[j].pen.quiet(), 0
	for k := j; k < len(cells) && k-j-n <= maxGap; k++ {
		c := cells[k]
		switch {
		case quiet && c.empty(): // shows the same with and without the pen
		case c.pen != p || s.pictured(c):
			return n
		case s.changed[k]:
			n = k + 1 - j
		}
	}
	return n
}

// pictured reports whether a cell is one of a picture.
func (s *screen) pictured(c cell) bool {
	return s.pics != nil && len(c.text) > len(placeholder) && c.text[:len(placeholder)] == placeholder
}
