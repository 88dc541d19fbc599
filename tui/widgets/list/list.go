// Package list is the common part of all lists: a cursor on one of so many items, and a window
// that keeps it in sight. The items themselves, and how each is drawn, are the owner's business.
package list

import (
	"strconv"
	"strings"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// Model is the cursor and the window of a list. The zero value has no items and no room.
type Model struct {
	n, at, top, rows int
}

// New is a list without items, with a window of so many lines.
func New(rows int) Model { return Model{rows: rows} }

// Len is the number of items.
func (m *Model) Len() int { return m.n }

// SetLen sets the number of items; the cursor stays where it can.
func (m *Model) SetLen(n int) {
	m.n = n
	m.Select(m.at)
}

// Reset starts another list at its first item.
func (m *Model) Reset(n int) { m.n, m.at, m.top = n, 0, 0 }

// Rows is the number of lines of the window.
func (m *Model) Rows() int { return m.rows }

// SetRows says how many lines the window has.
func (m *Model) SetRows(n int) { m.rows = max(0, n) }

// Cursor is the item under the cursor, 0 where there is none.
func (m *Model) Cursor() int { return m.at }

// Select puts the cursor on an item, or the nearest one.
func (m *Model) Select(i int) { m.at = max(0, min(i, m.n-1)) }

// Move moves the cursor, and stops at the ends.
func (m *Model) Move(by int) { m.Select(m.at + by) }

// Turn moves the cursor and wraps around at the ends, as suits a short list.
func (m *Model) Turn(by int) {
	if m.n > 0 {
		m.at = ((m.at+by)%m.n + m.n) % m.n
	}
}

// Scroll moves the window; the cursor stays on its item as long as that is in sight.
func (m *Model) Scroll(by int) {
	if m.rows <= 0 {
		return
	}
	m.top = max(0, min(m.top+by, m.n-m.rows))
	m.at = max(m.top, min(m.at, m.top+m.rows-1, m.n-1))
}

// SetTop makes an item the first visible one, as far as the cursor stays in sight.
func (m *Model) SetTop(i int) {
	m.top = i
	m.Window()
}

// Window is the range of visible items, to exclusive; it includes the cursor's.
func (m *Model) Window() (from, to int) {
	m.top = Window(m.top, m.at, m.at, m.n, m.rows)
	return m.top, min(m.n, m.top+m.rows)
}

// Hit is the item of a zone named by a prefix and the item's index.
func (m *Model) Hit(zoneID, prefix string) (int, bool) {
	rest, ok := strings.CutPrefix(zoneID, prefix)
	i, err := strconv.Atoi(rest)
	return i, ok && err == nil && i >= 0 && i < m.n
}

// Click puts the cursor on the clicked item, as [Model.Hit] finds it; again says that the item is
// to be opened: it had the cursor already, or the click is a double one.
func (m *Model) Click(c zone.Click, prefix string) (again, ok bool) {
	i, ok := m.Hit(c.Zone, prefix)
	if !ok {
		return false, false
	}
	again = c.Double || m.at == i
	m.Select(i)
	return again, true
}

// Lines draws the visible items, in at most w cells each, with a scroll bar where there are more
// items than lines.
func (m *Model) Lines(st *themes.Styles, w int, line func(i, w int) string) []string {
	m.Window()
	return Lines(st, m.top, m.n, m.rows, w, line)
}

// Window is the first of n lines shown in a window of so many rows that began at top before: both
// first and last are in sight, or only last where there is no room for both.
func Window(top, first, last, n, rows int) int {
	if rows <= 0 {
		return 0
	}
	top = max(min(top, first), last-rows+1)
	return max(0, min(top, n-rows))
}

// leastBar is the width from which there is room for a scroll bar.
const leastBar = 9

// Lines draws the visible lines, of n, in a window that begins at top.
func Lines(st *themes.Styles, top, n, rows, w int, line func(i, w int) string) []string {
	var bar []string
	if n > rows && w >= leastBar {
		w -= 2
		bar = widgets.Scrollbar(st, n, rows, top)
	}
	out := make([]string, 0, max(0, min(rows, n-top)))
	for y := 0; y < rows && top+y < n; y++ {
		l := line(top+y, w)
		if bar != nil {
			l += " " + bar[y]
		}
		out = append(out, l)
	}
	return out
}
