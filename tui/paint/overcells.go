package paint

import (
	"image"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi/kitty"

	"darkroom/tui/paint/internal/pixels"
)

// placeholder begins every cell of a picture.
const placeholder = string(kitty.Placeholder)

// part is a cell of a picture: which one, and which of its cells.
type part struct {
	number uint8
	x, y   int
}

// partOf reads a cell of a picture; false for one that no picture of ours has.
func (p *pictures) partOf(c cell) (part, bool) {
	digits, ok := strings.CutPrefix(c.pen.fg, "38;5;")
	if !ok {
		return part{}, false
	}
	number, err := strconv.ParseUint(digits, 10, 8)
	if err != nil {
		return part{}, false
	}
	var marks [3]int
	rest := c.text[len(placeholder):]
	for i := range marks {
		r, n := utf8.DecodeRuneInString(rest)
		rest = rest[n:]
		if marks[i] = markIndex(r); marks[i] < 0 {
			return part{}, false
		}
	}
	return part{uint8(number), marks[1], marks[0]}, marks[2] == p.high && rest == ""
}

// markIndex returns the number that a mark stands for, -1 for another character.
func markIndex(r rune) int {
	i := sort.Search(maxCells, func(i int) bool { return kitty.Diacritic(i) >= r })
	if i < maxCells && kitty.Diacritic(i) == r {
		return i
	}
	return -1
}

// spot is a cell of the screen over which pixels have to be painted.
type spot struct {
	x, y int
	part part
}

// overCells paints the parts of pictures that belong over some cells, which hold blanks now.
// Whatever a later frame puts into such a cell erases the pixels in it; only cells that become free
// again are painted again.
func (p *pictures) overCells(dst []byte, spots []spot, height int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range areas(spots) {
		pic := p.byNumber[a.part.number]
		// Pixels in the last row would make the terminal scroll.
		a.rows = min(a.rows, height-1-a.y)
		if pic == nil || pic.sixel == nil && pic.inline == nil || a.rows <= 0 {
			continue
		}
		w, h := pic.size.X/pic.cols, pic.size.Y/pic.rows
		r := image.Rect(a.part.x*w, a.part.y*h, (a.part.x+a.cols)*w, (a.part.y+a.rows)*h)
		dst = appendMove(dst, a.x, a.y)
		if pic.sixel != nil {
			dst = pixels.AppendSixel(dst, pic.sixel, r)
		} else {
			dst = pixels.AppendInline(dst, pic.inline, r, a.cols, a.rows, pic.moving)
		}
	}
	return dst
}

// area is a rectangle of cells that show a rectangle of one picture.
type area struct {
	spot       // the upper left one
	cols, rows int
}

// areas joins cells, given in the order of the screen, into few rectangles, though not always the
// fewest.
func areas(spots []spot) []area {
	var runs []area
	for _, s := range spots {
		if n := len(runs); n > 0 {
			r := &runs[n-1]
			if r.y == s.y && r.x+r.cols == s.x && r.part.number == s.part.number &&
				r.part.y == s.part.y && r.part.x+r.cols == s.part.x {
				r.cols++
				continue
			}
		}
		runs = append(runs, area{s, 1, 1})
	}
	var out []area
	for _, r := range runs {
		if i := above(out, r); i >= 0 {
			out[i].rows++
		} else {
			out = append(out, r)
		}
	}
	return out
}

// above finds the area that r continues downwards, -1 for none.
func above(all []area, r area) int {
	for i := len(all) - 1; i >= 0; i-- {
		a := all[i]
		if a.y+a.rows == r.y && a.x == r.x && a.cols == r.cols && a.part.number == r.part.number &&
			a.part.x == r.part.x && a.part.y+a.rows == r.part.y {
			return i
		}
	}
	return -1
}
