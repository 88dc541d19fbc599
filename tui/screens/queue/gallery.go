package queue

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// gallery shows the jobs of the list as a grid of pictures. The cursor is the table's.
type gallery struct {
	on    bool
	level int // of cellWidths
	top   int // the first row of cells that shows
	ink   galleryInks

	want  map[string]preview.Key      // asked for, by job: those in sight
	got   map[string]preview.ReadyMsg // what came of it
	words words
}

// galleryInks are styles of what is drawn on every key.
type galleryInks struct{ selected, passive, marked, good, frame widgets.Ink }

func newGalleryInks(st *themes.Styles) galleryInks {
	return galleryInks{
		selected: widgets.NewInk(st.RowSelected), passive: widgets.NewInk(st.Strong), marked: widgets.NewInk(st.RowMarked),
		good: widgets.NewInk(st.Good), frame: widgets.NewInk(st.Border),
	}
}

func newGallery() gallery {
	return gallery{level: usualCell, want: map[string]preview.Key{}, got: map[string]preview.ReadyMsg{}, words: newWords()}
}

// Cells of the gallery, in cells of the terminal.
const (
	cellGutter = 2  // left of each: its sign
	cellGap    = 1  // line below each row
	barRoom    = 2  // of the scroll bar
	leastCell  = 14 // width to which cells of the usual size give way
	usualCols  = 3  // on a narrow screen
	usualCell  = 3  // the place of the usual size among cellWidths
	maxCells   = 80 // pictures in sight: fewer than the loader keeps for a terminal
)

// cellWidths are the sizes that a person chooses from.
func cellWidths() []int { return []int{10, 14, 18, 22, 30, 38, 54, 74} }

// grid is how the cells lie.
type grid struct {
	w, pict, labels int // of a cell: its width, and lines of its picture and below it
	cols, rows      int // of cells
}

// line is the height of a row of cells, with the gap below it.
func (g grid) line() int { return g.pict + g.labels + cellGap }

// grid is that of the room there is.
func (m *Model) grid() grid { return m.gridOf(m.gallery.level) }

func (m *Model) gridOf(level int) grid {
	iw, ih := widgets.Inner(m.tableWidth(), m.h)
	return gridFor(iw, ih-m.headLines(), level)
}

// gridFor is the grid of a size in a room; where that would show too many pictures, of the
// next one that does not.
func gridFor(w, h, level int) grid {
	widths := cellWidths()
	for {
		g := gridAt(w, h, widths[level], level == usualCell)
		if g.cols*g.rows <= maxCells || level == len(widths)-1 {
			return g
		}
		level++
	}
}

// gridAt lays cells of at least a width out. With give they become narrower than that, so
// that a narrow screen has some beside each other. What is left of the room they share.
func gridAt(w, h, width int, give bool) grid {
	room := max(0, w-barRoom)
	g := grid{w: width, labels: 2}
	for n := usualCols; give && n > 1 && room < n*(g.w+cellGutter); n-- {
		if each := room/n - cellGutter; each >= leastCell {
			g.w = each
			break
		}
	}
	g.w = max(1, min(g.w, room-cellGutter))
	g.cols = max(1, room/(g.w+cellGutter))
	g.w = max(1, room/g.cols-cellGutter)
	if h < 6 {
		g.labels = 1
	}
	g.pict = max(1, min((g.w*7+12)/24, h-g.labels))
	g.rows = max(1, (h+cellGap)/g.line())
	spare := max(0, h+cellGap-g.rows*g.line())
	g.pict = max(g.pict, min(g.pict+spare/g.rows, (g.w+1)/2))
	return g
}

// sight are the first job that shows in the list or the gallery, and how many there is
// room for.
func (m *Model) sight() (first, n int) {
	if !m.gallery.on {
		return m.table.Top(), m.table.Visible()
	}
	g := m.grid()
	return m.gallery.top * g.cols, g.rows * g.cols
}

// toggleGallery shows the jobs as a grid, or as a list again.
func (m *Model) toggleGallery() {
	m.gallery.on = !m.gallery.on
	m.focus = tablePane
	m.layout()
}

// place scrolls the gallery so that the cursor is in sight.
func (m *Model) place() {
	if !m.gallery.on {
		return
	}
	g := m.grid()
	row := max(0, m.table.Cursor()) / g.cols
	top := max(row-g.rows+1, min(m.gallery.top, row))
	m.gallery.top = max(0, min(top, gridRows(m.jobs.len(), g)-g.rows))
}

// gridRows is how many rows of cells n jobs fill.
func gridRows(n int, g grid) int { return (n + g.cols - 1) / g.cols }

// galleryLine is the line of the screen, among rows of cells, on which the cursor is; -1
// where the top of the gallery shows, which stays then.
func (m *Model) galleryLine() int {
	if !m.gallery.on || m.gallery.top == 0 {
		return -1
	}
	return max(0, m.table.Cursor())/m.grid().cols - m.gallery.top
}

// keepLine scrolls so that the cursor is on the line on which it was.
func (m *Model) keepLine(line int) {
	if line >= 0 {
		m.gallery.top = max(0, max(0, m.table.Cursor())/m.grid().cols-line)
	}
	m.place()
}

// moveCell moves the cursor in the grid, and reports whether the key is one to move by.
func (m *Model) moveCell(name string) bool {
	g := m.grid()
	at, n := m.table.Cursor(), m.jobs.len()
	if n == 0 {
		return false
	}
	page := g.cols * max(1, g.rows)
	switch name {
	case "left", "h":
		at--
	case "right", "l":
		at++
	case "up", "k":
		at = m.upDown(at, -g.cols)
	case "down", "j":
		at = m.upDown(at, g.cols)
	case "pgup", "ctrl+b":
		at = m.upDown(at, -page)
	case "pgdown", "ctrl+f":
		at = m.upDown(at, page)
	case "ctrl+u":
		at = m.upDown(at, -g.cols*max(1, g.rows/2))
	case "ctrl+d":
		at = m.upDown(at, g.cols*max(1, g.rows/2))
	case "home", "g":
		at = 0
	case "end", "G":
		at = n - 1
	default:
		return false
	}
	m.table.SetCursor(max(0, min(at, n-1)))
	m.place()
	return true
}

// upDown moves by rows and stays in the column; at the last row, which may be short, on
// its last job.
func (m *Model) upDown(at, by int) int {
	g, n := m.grid(), m.jobs.len()
	if to := at + by; to >= 0 && to < n {
		return to
	}
	if by < 0 {
		return at % g.cols
	}
	last := (n - 1) / g.cols
	if at/g.cols == last {
		return at
	}
	return min(last*g.cols+at%g.cols, n-1)
}

// wheelCells scrolls; the cursor stays where it is as long as that is in sight.
func (m *Model) wheelCells(delta int) {
	g, at, n := m.grid(), max(0, m.table.Cursor()), m.jobs.len()
	if n == 0 {
		return
	}
	top := max(0, min(m.gallery.top+delta, gridRows(n, g)-g.rows))
	row := max(top, min(at/g.cols, top+g.rows-1))
	m.gallery.top = top
	m.table.SetCursor(min(row*g.cols+at%g.cols, n-1))
	m.place()
}

// resized is the size next to the one that shows that looks another way, or a reason why
// there is none.
func (m *Model) resized(by int) (level int, off string) {
	if !m.gallery.on {
		return 0, "only the gallery has cells; " + m.deps.Keys.Keys("queue.gallery") + " shows it"
	}
	now := m.grid()
	for level = m.gallery.level + by; level >= 0 && level < len(cellWidths()); level += by {
		if m.gridOf(level) != now {
			return level, ""
		}
	}
	if by < 0 {
		return 0, "the cells can not be smaller here"
	}
	return 0, "the cells can not be larger"
}

func (m *Model) resizeCells(by int) {
	if level, off := m.resized(by); off == "" {
		m.gallery.level = level
		m.layout()
	}
}

// cellOf is the job of a zone of the gallery, by its place in the list.
func (m *Model) cellOf(zoneID string) (int, bool) {
	id, ok := strings.CutPrefix(zoneID, cellZone)
	if !ok {
		return 0, false
	}
	return m.jobs.index(id)
}

// clickCell puts the cursor on a cell; a double click opens the detail.
func (m *Model) clickCell(msg screen.ClickMsg) (tea.Cmd, bool) {
	i, ok := m.cellOf(msg.Zone)
	if !ok || !m.gallery.on {
		return nil, false
	}
	m.table.SetCursor(i)
	m.setFocus(tablePane)
	m.settle()
	if msg.Double {
		return m.do("queue.open"), true
	}
	return nil, true
}
