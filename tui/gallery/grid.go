// Package gallery shows results as a grid of pictures, and one of them on the whole screen. It
// works on plain values and knows no screen: whoever shows a gallery owns the cursor, and says what
// each cell is about.
package gallery

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

// Media is a file to look at. Poster is a picture that stands for a file that cannot be shown, and
// Spare one that stands for a Poster that is gone; "" for none.
type Media struct{ Path, Poster, Spare string }

// Cell is what stands below a picture, on two lines: the text, with what is to be noticed before it;
// who made it, a fact about it, and as much of the rest as there is room for. All of it is clean.
type Cell struct {
	Marked bool
	Sign   string // of a state that is to be noticed, "" for the usual one
	Ink    widgets.Ink
	Text   string // the first line
	Gone   bool   // it is struck out, as what is no more wanted
	Name   string
	Fact   string // how far it is; "" says how long the file plays
	Signs  string // coloured, at the right end
	Extra  string // words that may give way, as tags
	Age    string // gives way first
}

// Source is what a grid shows. It is asked only about what is in sight.
type Source interface {
	Len() int
	// Media returns the id of a cell and what it shows a picture of, zero for nothing.
	Media(i int) (id string, m Media)
	Cell(i, w int) Cell // for lines of w cells
	// Card returns what stands in place of a picture, at most h lines of w cells.
	Card(i, w, h int) []string
}

// Grid is a grid of pictures. Make it with [NewGrid], and give it a source, styles and a size.
type Grid struct {
	loader   *preview.Loader // nil shows cards
	pictures preview.Several // of the cells in sight
	source   Source
	st       *themes.Styles
	ink      inks

	w, h  int
	level int // of cellWidths
	top   int // the first row of cells that shows
}

// inks are the styles of what is drawn at every key press.
type inks struct{ text, muted, faint, accent, bad, strong, marked, frame, struck widgets.Ink }

func newInks(st *themes.Styles) inks {
	return inks{
		text: widgets.NewInk(st.Text), muted: widgets.NewInk(st.Muted), faint: widgets.NewInk(st.Faint),
		accent: widgets.NewInk(st.Accent), bad: widgets.NewInk(st.Bad),
		strong: widgets.NewInk(st.Strong), marked: widgets.NewInk(st.RowMarked), frame: widgets.NewInk(st.Border),
		struck: widgets.NewInk(st.Struck),
	}
}

// NewGrid returns an empty grid with cells of the usual size. slot tells its pictures from those of
// others that the loader works for.
func NewGrid(l *preview.Loader, slot string) Grid {
	return Grid{loader: l, pictures: preview.NewSeveral(l, slot), level: usualCell}
}

// SetSource says what the grid shows.
func (g *Grid) SetSource(s Source) { g.source = s }

// SetStyles says how the grid is drawn.
func (g *Grid) SetStyles(st *themes.Styles) { g.st, g.ink = st, newInks(st) }

// SetSize sets the room of the grid, in cells of the terminal.
func (g *Grid) SetSize(w, h int) { g.w, g.h = w, h }

// Cells of the grid, in cells of the terminal.
const (
	cellGutter = 2  // a column on either side, where the frame of the cursor is
	cellGap    = 1  // line between rows, where the frame is, too
	framedFrom = 6  // lines from which there is room for a frame above and below
	barRoom    = 2  // of the scroll bar
	leastCell  = 14 // the least width to which cells of the usual size shrink
	usualCols  = 3  // in a narrow room
	usualCell  = 3  // the place of the usual size among cellWidths
	maxCells   = 80 // pictures in sight: fewer than the loader keeps for a terminal
)

// UsualWidth is the width of cells until somebody chooses another.
const UsualWidth = 22

// cellWidths returns the widths that a person chooses from.
func cellWidths() []int { return []int{10, 14, 18, UsualWidth, 30, 38, 54, 74} }

// shape says how the cells are laid out.
type shape struct {
	w, pict, labels int // of a cell: its width, and lines of its picture and below it
	cols, rows      int // of cells
	edge            int // lines above the first row, and as many below the last one
}

// line returns the height of a row of cells, with the gap below it.
func (s shape) line() int { return s.pict + s.labels + cellGap }

// high returns the height of n rows of cells, with the lines around them.
func (s shape) high(n int) int { return n*s.line() - cellGap + 2*s.edge }

// rowsOf returns how many rows n cells fill.
func (s shape) rowsOf(n int) int { return (n + s.cols - 1) / s.cols }

func (g *Grid) shape() shape { return shapeFor(g.w, g.h, g.level) }

// shapeFor returns the shape of cells of a size in a room; if that would show too many pictures, of
// the next size that does not.
func shapeFor(w, h, level int) shape {
	widths := cellWidths()
	for {
		s := shapeAt(w, h, widths[level], level == usualCell)
		if s.cols*s.rows <= maxCells || level == len(widths)-1 {
			return s
		}
		level++
	}
}

// shapeAt lays out cells of at least a width. With give they may be narrower, so that a narrow room
// has several side by side. They share what is left of the room.
func shapeAt(w, h, width int, give bool) shape {
	room := max(0, w-barRoom)
	s := shape{w: width, labels: 2}
	for n := usualCols; give && n > 1 && room < n*(s.w+cellGutter); n-- {
		if each := room/n - cellGutter; each >= leastCell {
			s.w = each
			break
		}
	}
	s.w = max(1, min(s.w, room-cellGutter))
	s.cols = max(1, room/(s.w+cellGutter))
	s.w = max(1, room/s.cols-cellGutter)
	if h < framedFrom {
		s.labels = 1
	} else {
		s.edge = 1
	}
	h -= 2 * s.edge
	s.pict = max(1, min((s.w*7+12)/24, h-s.labels))
	s.rows = max(1, (h+cellGap)/s.line())
	spare := max(0, h+cellGap-s.rows*s.line())
	s.pict = max(s.pict, min(s.pict+spare/s.rows, (s.w+1)/2))
	return s
}

// Shape returns how many cells stand side by side, and how many rows of them show.
func (g *Grid) Shape() (cols, rows int) {
	s := g.shape()
	return s.cols, s.rows
}

// Sight returns the first cell that shows, and for how many there is room.
func (g *Grid) Sight() (first, n int) {
	s := g.shape()
	return g.top * s.cols, s.rows * s.cols
}

// Reveal scrolls so that the cell of the cursor is in sight.
func (g *Grid) Reveal(at int) {
	s := g.shape()
	row := max(0, at) / s.cols
	top := max(row-s.rows+1, min(g.top, row))
	g.top = max(0, min(top, s.rowsOf(g.source.Len())-s.rows))
}

// Line returns the row of the screen on which the cursor is; -1 if the top of the grid shows, which
// then stays.
func (g *Grid) Line(at int) int {
	if g.top == 0 {
		return -1
	}
	return max(0, at)/g.shape().cols - g.top
}

// KeepLine scrolls so that the cursor stays on the row of the screen that [Grid.Line] returned.
func (g *Grid) KeepLine(line, at int) {
	if line >= 0 {
		g.top = max(0, max(0, at)/g.shape().cols-line)
	}
	g.Reveal(at)
}

// Update returns where a key takes the cursor; false for a key that does not move it.
func (g *Grid) Update(k tea.KeyMsg, at int) (int, bool) {
	s, n := g.shape(), g.source.Len()
	if n == 0 {
		return at, false
	}
	page := s.cols * max(1, s.rows)
	half := s.cols * max(1, s.rows/2)
	switch k.String() {
	case "left", "h":
		at--
	case "right", "l":
		at++
	case "up", "k":
		at = s.upDown(at, -s.cols, n)
	case "down", "j":
		at = s.upDown(at, s.cols, n)
	case "pgup", "ctrl+b":
		at = s.upDown(at, -page, n)
	case "pgdown", "ctrl+f":
		at = s.upDown(at, page, n)
	case "ctrl+u":
		at = s.upDown(at, -half, n)
	case "ctrl+d":
		at = s.upDown(at, half, n)
	case "home", "g":
		at = 0
	case "end", "G":
		at = n - 1
	default:
		return at, false
	}
	at = max(0, min(at, n-1))
	g.Reveal(at)
	return at, true
}

// upDown moves by rows within the column; in the last row, which may be short, to its last cell.
func (s shape) upDown(at, by, n int) int {
	if to := at + by; to >= 0 && to < n {
		return to
	}
	if by < 0 {
		return at % s.cols
	}
	last := (n - 1) / s.cols
	if at/s.cols == last {
		return at
	}
	return min(last*s.cols+at%s.cols, n-1)
}

// Wheel scrolls, and returns the cursor, which stays where it is as long as it is in sight.
func (g *Grid) Wheel(delta, at int) int {
	s, n := g.shape(), g.source.Len()
	if n == 0 {
		return at
	}
	at = max(0, at)
	g.top = max(0, min(g.top+delta, s.rowsOf(n)-s.rows))
	row := max(g.top, min(at/s.cols, g.top+s.rows-1))
	at = min(row*s.cols+at%s.cols, n-1)
	g.Reveal(at)
	return at
}

// CanResize reports whether there is a larger (1) or smaller (-1) size that looks different.
func (g *Grid) CanResize(by int) bool { return g.resized(by) >= 0 }

// Resize makes the cells larger or smaller.
func (g *Grid) Resize(by int) {
	if level := g.resized(by); level >= 0 {
		g.level = level
	}
}

func (g *Grid) resized(by int) int {
	now := g.shape()
	for level := g.level + by; level >= 0 && level < len(cellWidths()); level += by {
		if shapeFor(g.w, g.h, level) != now {
			return level
		}
	}
	return -1
}

// Width returns the width of cells that was chosen.
func (g *Grid) Width() int { return cellWidths()[g.level] }

// SetWidth chooses a width; one that does not exist changes nothing.
func (g *Grid) SetWidth(w int) {
	for level, width := range cellWidths() {
		if width == w {
			g.level = level
		}
	}
}

// cellZone begins the zone of a cell; its id follows.
const cellZone = "cell:"

// Hit returns the id of the cell that a zone belongs to.
func Hit(zone string) (id string, ok bool) { return strings.CutPrefix(zone, cellZone) }
