// Package table is a list with columns and a cursor that makes only the visible rows: a hundred
// thousand rows cost no more than a screenful.
package table

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/widgets"
	"darkroom/tui/widgets/list"
	"darkroom/tui/widgets/zone"
)

// Column describes one column. Widths are cells.
type Column struct {
	Title string
	// Min is the width that the column needs; wider values are cut. Min is at least 1.
	Min int
	// Max bounds what Weight may add; 0 is no bound.
	Max int
	// Weight is the column's share of the remaining width; 0 takes none.
	Weight int
	// Drop is the order in which columns go when the table is too narrow: the highest goes first; a
	// column with 0 stays.
	Drop int
	// Zone is that of the title, for clicks; "" for none.
	Zone string
	// Right aligns to the right, as numbers are.
	Right bool
	// Tight has one blank follow the column, not two, as suits signs. The last column is not tight.
	Tight bool
	// End is a second title, at the right end of the column, for what cells have there; it shows where
	// there is room for both. EndZone is its zone, "" for none.
	End, EndZone string
}

// Cell is one value. Text is a clean line; Ink colours it (zero: as the row).
type Cell struct {
	Text string
	Ink  widgets.Ink
	// Tail follows the text in an ink of its own, and End stands at the right end of the column: Text
	// is cut for them, down to half of the column. Cells of a column that aligns to the right have
	// neither.
	Tail, End       string
	TailInk, EndInk widgets.Ink
}

// Row is the content of one line: a cell for each column; missing ones are blank.
type Row struct {
	Cells []Cell
	// Marked rows carry a sign, as for bulk actions.
	Marked bool
	// Ink colours cells that have none of their own.
	Ink widgets.Ink
	// Picture and Below are used in rows of several lines, see [Tall]: a line of the picture for each,
	// of exactly its width, and what the lines but the first say. Missing ones are blank.
	Picture []string
	Below   []Cell
}

// Tall are rows of several lines. The zero value is rows of one.
type Tall struct {
	Lines   int // of a row
	Picture int // cells of the picture, over all lines of a row; 0 for none
	// From is the column before which the picture stands. The lines but the first begin below that
	// column and reach to the end of the row.
	From int
}

// Source gives the rows. It is asked for the visible rows each time they are drawn: Row has to be
// cheap.
type Source interface {
	Len() int
	// Row returns the row i, 0 <= i < Len().
	Row(i int) Row
}

// Func is a Source of a length and a function.
type Func struct {
	N  int
	At func(i int) Row
}

// Len is the number of rows.
func (f Func) Len() int { return f.N }

// Row is the row i.
func (f Func) Row(i int) Row { return f.At(i) }

// Model is a table. Make it with [New], then set a source and a size. It belongs to one
// screen: not safe for concurrent use.
type Model struct {
	// Prefix begins the zone of each row, "<prefix><index>". New sets "row:".
	Prefix string
	// Empty is shown in place of rows when there are none.
	Empty string

	cols   []Column
	widths []int  // by column; 0 for one that was dropped
	head   string // the line of titles as laid out, "" until it is drawn
	src    Source
	w, h   int
	tall   Tall
	rows   list.Model
}

// New makes a table with columns.
func New(cols []Column) Model {
	m := Model{Prefix: "row:", cols: cols, src: Func{}}
	m.layout()
	return m
}

// SetColumns replaces the columns.
func (m *Model) SetColumns(cols []Column) {
	m.cols = cols
	m.layout()
}

// SetSource sets the source of the rows. Call it again, with the same source or another, whenever
// the number of rows has changed. The cursor keeps its index where it can.
func (m *Model) SetSource(s Source) {
	if s == nil {
		s = Func{}
	}
	m.src = s
	m.clamp()
}

// SetTall sets how high rows are; the row under the cursor stays in sight.
func (m *Model) SetTall(t Tall) {
	if t == m.tall {
		return
	}
	m.tall = t
	m.layout()
	m.clamp()
}

// Tall returns how high rows are.
func (m *Model) Tall() Tall { return m.tall }

// lines are the lines of a row.
func (m *Model) lines() int { return max(1, m.tall.Lines) }

// BelowWidth is the width of the lines of a row but the first.
func (m *Model) BelowWidth() int { return max(0, m.inner()-m.below()) }

// SetSize sets the size in cells, including the line of titles and the scroll bar.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = max(0, w), max(0, h)
	m.layout()
	m.clamp()
}

// Len is the number of rows.
func (m *Model) Len() int { return m.src.Len() }

// Cursor is the index of the row under the cursor, -1 when there are no rows.
func (m *Model) Cursor() int {
	if m.src.Len() == 0 {
		return -1
	}
	return m.rows.Cursor()
}

// SetCursor puts the cursor on the row i, or the nearest one, and brings it into sight.
func (m *Model) SetCursor(i int) {
	m.clamp()
	m.rows.Select(i)
	m.rows.Window()
}

// Top is the index of the first row that shows.
func (m *Model) Top() int {
	from, _ := m.rows.Window()
	return from
}

// SetTop makes the row i the first visible one, as far as the cursor stays in sight.
func (m *Model) SetTop(i int) {
	m.clamp()
	m.rows.SetTop(i)
}

// ColumnWidth is the width of a column in cells, 0 for one that found no room.
func (m *Model) ColumnWidth(i int) int {
	if i < 0 || i >= len(m.widths) {
		return 0
	}
	return m.widths[i]
}

// Visible is the number of rows that fit.
func (m *Model) Visible() int { return max(0, m.h-1) / m.lines() }

// Update moves the cursor by a key, and reports whether it was a moving key: arrows, j k, pages,
// ctrl+d ctrl+u, home end, g G.
func (m *Model) Update(k tea.KeyMsg) bool {
	page := max(1, m.Visible()-1)
	switch k.String() {
	case "up", "k":
		m.SetCursor(m.rows.Cursor() - 1)
	case "down", "j":
		m.SetCursor(m.rows.Cursor() + 1)
	case "pgup", "ctrl+b":
		m.SetCursor(m.rows.Cursor() - page)
	case "pgdown", "ctrl+f":
		m.SetCursor(m.rows.Cursor() + page)
	case "ctrl+u":
		m.SetCursor(m.rows.Cursor() - max(1, page/2))
	case "ctrl+d":
		m.SetCursor(m.rows.Cursor() + max(1, page/2))
	case "home", "g":
		m.SetCursor(0)
	case "end", "G":
		m.SetCursor(m.src.Len() - 1)
	default:
		return false
	}
	return true
}

// Wheel scrolls by notches of the mouse wheel; the cursor stays on its row as long as
// that shows.
func (m *Model) Wheel(delta int) {
	m.clamp()
	m.rows.Scroll(3 * delta)
}

// Click puts the cursor on the clicked row, and reports whether there was one.
func (m *Model) Click(c zone.Click) bool {
	i, ok := m.RowOf(c.Zone)
	if ok {
		m.SetCursor(i)
	}
	return ok
}

// RowOf is the row that a zone stands for.
func (m *Model) RowOf(zoneID string) (int, bool) {
	m.clamp()
	return m.rows.Hit(zoneID, m.Prefix)
}

// clamp keeps the cursor on a row and in sight.
func (m *Model) clamp() {
	m.rows.SetRows(m.Visible())
	m.rows.SetLen(m.src.Len())
	m.rows.Window()
}
