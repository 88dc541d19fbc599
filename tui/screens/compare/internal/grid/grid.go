// Package grid shows a run as a grid: prompts, settings and repeats down, models and formats across,
// with headers that stay in sight. It draws only the cells that show, so that ten thousand cost no
// more than a screenful. It works on plain values and starts no command but those of previews.
package grid

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs/compare"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/widgets/zone"
)

// Zone is that of all cells and headers.
const Zone = "grid"

// Model is the grid. Make it with [New]; it belongs to one screen.
type Model struct {
	st  *themes.Styles
	ink inks
	now func() time.Time

	sheet
	view             // what of the sheet shows
	w, h      int    // the room
	row, col  int    // the cursor, as places in the view
	top, left int    // the first row and column in sight
	tall      bool   // thumbnails show
	chosen    bool   // a person chose whether they do; else they do where all rows have room for them
	marked    [2]int // the cell and the repeat that carry a mark, zero for none
	pics      thumbs
	names     say.Names

	lines map[int][]string  // drawn rows by their place in the view, but the cursor's
	faces map[int]say.Face  // of the trials that are over, by cell and repeat
	bars  map[[2]int]string // progress in percent, by width
}

// New returns an empty grid. slot tells its pictures from those of others that the loader works for;
// a nil loader shows none.
func New(l *preview.Loader, slot string, now func() time.Time, names say.Names) *Model {
	return &Model{now: now, names: names, pics: newThumbs(l, slot), lines: map[int][]string{}, faces: map[int]say.Face{}, bars: map[[2]int]string{}}
}

// SetStyles says how it is drawn.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st, m.ink = st, newInks(st)
	clear(m.bars)
	m.forget()
}

// SetSize sets the room in cells.
func (m *Model) SetSize(w, h int) {
	if w == m.w && h == m.h {
		return
	}
	m.w, m.h = max(0, w), max(0, h)
	m.forget()
	m.reveal()
}

// Show takes a run, or news of the one that shows: the cursor, the order and the filter stay then.
func (m *Model) Show(r *compare.Run) {
	same := m.run != nil && r != nil && m.run.ID == r.ID
	at, repeat := m.place()
	m.sheet = newSheet(r, m.names)
	clear(m.faces)
	if !same {
		m.view = view{}
		m.row, m.col, m.top, m.left, m.marked = 0, 0, 0, 0, [2]int{}
		m.pics.drop(nil)
	}
	m.refresh()
	if same {
		m.seek(at, repeat)
	}
}

// Run is what shows, nil for nothing.
func (m *Model) Run() *compare.Run { return m.run }

// place is the place of the cursor that outlasts another order: a cell's number and the repeat. 0 for
// a place that no cell has.
func (m *Model) place() (cell, repeat int) {
	if m.Bare() {
		return 0, 0
	}
	r := m.rows[m.row]
	return m.groups[r.group].cells[m.cols[m.col]], r.repeat
}

// seek puts the cursor on a cell's repeat, if it shows.
func (m *Model) seek(cell, repeat int) bool {
	if cell < 1 || cell > len(m.where) {
		return false
	}
	at := m.where[cell-1]
	for i, r := range m.rows {
		if r.group != at.group || r.repeat != repeat {
			continue
		}
		for j, c := range m.cols {
			if c == at.col {
				m.row, m.col = i, j
				m.reveal()
				return true
			}
		}
	}
	return false
}

// refresh shows the sheet as it is now, in the order and through the filter.
func (m *Model) refresh() {
	m.rows, m.cols, m.match = m.pick(&m.sheet)
	m.row, m.col = within(m.row, len(m.rows)), within(m.col, len(m.cols))
	m.forget()
	m.reveal()
}

func within(i, n int) int { return max(0, min(i, n-1)) }

// forget drops the drawn rows.
func (m *Model) forget() { clear(m.lines) }

// Tick draws the ages of what is under way anew.
func (m *Model) Tick() { m.forget() }

// Moving reports whether something in sight changes with the time.
func (m *Model) Moving() bool {
	for y := m.top; y < min(len(m.rows), m.top+m.shape().rows); y++ {
		for _, c := range m.cols {
			if t := m.trialAt(m.rows[y], c); t != nil && !t.Ended() {
				return true
			}
		}
	}
	return false
}

// Current is the cell under the cursor, its repeat, and its newest trial, nil for one that was not
// sent; the cell is nil where there is none.
func (m *Model) Current() (c *compare.Cell, repeat int, t *compare.Trial) {
	cell, repeat := m.place()
	if cell == 0 {
		return nil, 0, nil
	}
	return m.run.Cell(cell), repeat, m.trialAt(m.rows[m.row], m.cols[m.col])
}

// Trial is the newest trial of a place, nil for none.
func (m *Model) Trial(cell, repeat int) *compare.Trial {
	if m.run == nil || m.run.Cell(cell) == nil || repeat < 1 || repeat > m.repeats {
		return nil
	}
	return m.trials[(cell-1)*m.repeats+repeat-1]
}

// Mark marks a place, in place of another one; zeros for none.
func (m *Model) Mark(cell, repeat int) {
	m.marked = [2]int{cell, repeat}
	m.forget()
}

// Seek puts the cursor on a place, and reports whether it shows.
func (m *Model) Seek(cell, repeat int) bool { return m.seek(cell, repeat) }

// Step returns the place of the next shown trial with a file (1), or of the one before (-1), row by
// row; false at the end.
func (m *Model) Step(by int) (cell, repeat int, ok bool) {
	for i := m.row*len(m.cols) + m.col + by; i >= 0 && i < len(m.rows)*len(m.cols); i += by {
		r, c := m.rows[i/len(m.cols)], m.cols[i%len(m.cols)]
		if t := m.trialAt(r, c); t != nil && len(t.Files) > 0 {
			return m.groups[r.group].cells[c], r.repeat, true
		}
	}
	return 0, 0, false
}

// FirstFailed puts the cursor on the next trial that failed, from the first again after the last;
// false where none did.
func (m *Model) FirstFailed() bool {
	n := len(m.rows) * len(m.cols)
	for k := 1; k <= n; k++ {
		i := (m.row*len(m.cols) + m.col + k) % n
		r, c := m.rows[i/len(m.cols)], m.cols[i%len(m.cols)]
		if t := m.trialAt(r, c); t != nil && t.Ended() && !t.OK() {
			m.row, m.col = i/len(m.cols), i%len(m.cols)
			m.reveal()
			return true
		}
	}
	return false
}

// Tall reports whether thumbnails show; SetTall shows them, or lines alone.
func (m *Model) Tall() bool { return m.tall }

// SetTall shows thumbnails, or lines alone.
func (m *Model) SetTall(on bool) {
	m.tall, m.chosen = on, true
	m.forget()
	m.reveal()
}

// Update moves the cursor by a key; false for a key that does not move it.
func (m *Model) Update(k tea.KeyMsg) bool {
	if len(m.rows) == 0 {
		return false
	}
	page := max(1, m.shape().rows-1)
	switch k.String() {
	case "left", "h":
		m.col--
	case "right", "l":
		m.col++
	case "up", "k":
		m.row--
	case "down", "j":
		m.row++
	case "pgup", "ctrl+b":
		m.row -= page
	case "pgdown", "ctrl+f":
		m.row += page
	case "ctrl+u":
		m.row -= max(1, page/2)
	case "ctrl+d":
		m.row += max(1, page/2)
	case "g":
		m.row = 0
	case "G":
		m.row = len(m.rows) - 1
	case "home":
		m.col = 0
	case "end":
		m.col = len(m.cols) - 1
	default:
		return false
	}
	m.row, m.col = within(m.row, len(m.rows)), within(m.col, len(m.cols))
	m.reveal()
	return true
}

// Wheel scrolls by notches; the cursor stays where it is as long as that shows.
func (m *Model) Wheel(delta int) {
	s := m.shape()
	by := 3
	if m.tall {
		by = 1
	}
	m.top = max(0, min(m.top+by*delta, len(m.rows)-s.rows))
	m.row = within(max(m.top, min(m.row, m.top+s.rows-1)), len(m.rows))
}

// Click puts the cursor on the cell of a click; false for a click on no cell. header is the column of
// the view whose header was clicked, -1 for none.
func (m *Model) Click(c zone.Click) (cell bool, header int) {
	s := m.shape()
	x := c.X - s.side - 1
	if c.Zone != Zone || x < 0 {
		return false, -1
	}
	col := m.left + x/(s.cell+1)
	if x/(s.cell+1) >= s.cols || col >= len(m.cols) {
		return false, -1
	}
	if c.Y < headLines {
		return false, col
	}
	row := m.top + (c.Y-headLines)/s.line
	if row >= min(len(m.rows), m.top+s.rows) {
		return false, -1
	}
	m.row, m.col = row, col
	return true, -1
}

// reveal scrolls so that the cursor is in sight.
func (m *Model) reveal() {
	m.fit()
	s := m.shape()
	left := m.left
	m.top = window(m.top, m.row, len(m.rows), s.rows)
	if m.left = window(m.left, m.col, len(m.cols), s.cols); m.left != left {
		m.forget()
	}
}

// fit chooses thumbnails where all rows and columns have room for them, unless a person chose.
func (m *Model) fit() {
	if m.chosen || m.pics.loader == nil {
		return
	}
	t, s := m.shapeFor(true), m.shapeFor(false)
	if on := len(m.rows) > 0 && t.line > 3 && t.rows >= len(m.rows) && t.cols >= min(len(m.cols), s.cols); on != m.tall {
		m.tall = on
		m.forget()
	}
}

func window(top, at, n, room int) int {
	top = max(min(top, at), at-room+1)
	return max(0, min(top, n-room))
}
