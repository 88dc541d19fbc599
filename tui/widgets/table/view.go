package table

import (
	"strconv"
	"strings"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// inks are the styles of a table, with the focus or without.
type inks struct{ head, row, selected, marked, cursor widgets.Ink }

type bothInks struct{ focus, away inks }

func newInks(st *themes.Styles) *bothInks {
	k := inks{
		head: widgets.NewInk(st.Head), row: widgets.NewInk(st.Row), selected: widgets.NewInk(st.RowSelected),
		marked: widgets.NewInk(st.RowMarked), cursor: widgets.NewInk(st.Accent),
	}
	both := bothInks{focus: k, away: k}
	both.away.selected, both.away.cursor = widgets.NewInk(st.Strong), widgets.NewInk(st.Faint)
	return &both
}

// View draws the table in exactly the size set. Focus says whether keys go to it: the row under
// the cursor then stands out more. Each row is a zone.
func (m *Model) View(st *themes.Styles, focus bool) string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	both := themes.Derived(st, newInks)
	k := both.away
	if focus {
		k = both.focus
	}
	var b strings.Builder
	b.Grow(m.h * (m.w + 64))
	b.WriteString(m.header(k))
	n, vis, top := m.src.Len(), m.Visible(), m.Top()
	if n == 0 {
		if m.h > 1 {
			b.WriteByte('\n')
			b.WriteString(m.empty(st, m.h-1))
		}
		return b.String()
	}
	high := m.lines()
	side := widgets.Scrollbar(st, n*high, vis*high, top*high)
	line := make([]byte, 0, high*(m.w+128))
	for i := top; i < min(n, top+vis); i++ {
		r, selected, edge := m.src.Row(i), i == m.rows.Cursor(), side[(i-top)*high:]
		line = m.row(line[:0], k, r, selected)
		for y := 1; y < high; y++ {
			if m.w > bar {
				line = append(append(line, ' '), edge[y-1]...)
			}
			line = m.more(append(line, '\n'), k, r, selected, y)
		}
		b.WriteByte('\n')
		b.WriteString(zone.Mark(m.Prefix+strconv.Itoa(i), string(line)))
		if m.w > bar {
			b.WriteByte(' ')
			b.WriteString(edge[high-1])
		}
	}
	for y := 1 + max(0, min(n-top, vis))*high; y < m.h; y++ {
		b.WriteByte('\n')
		b.WriteString(widgets.Fit("", m.w, 1))
	}
	return b.String()
}

// inner is the width of a row without the scroll bar.
func (m *Model) inner() int {
	if m.w > bar {
		return m.w - bar
	}
	return m.w
}

func (m *Model) empty(st *themes.Styles, h int) string {
	text := widgets.Wrap(m.Empty, max(1, m.w-2*gutter))
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = widgets.Center(widgets.NewInk(st.Muted).Text(l), m.w)
	}
	blank := strings.Repeat("\n", max(0, (h-len(lines))/3))
	return widgets.Fit(blank+strings.Join(lines, "\n"), m.w, h)
}

func (m *Model) header(k inks) string {
	if m.head == "" {
		m.head = m.titles()
	}
	return k.head.Text(m.head)
}

// titles is the line of titles.
func (m *Model) titles() string {
	cells := make([]byte, 0, m.w+32)
	cells = append(cells, "  "...)
	blanks := 0
	for i, c := range m.cols {
		if m.widths[i] == 0 {
			continue
		}
		cells = append(cells, "  "[:blanks]...)
		if i == m.tall.From {
			cells = append(cells, strings.Repeat(" ", m.picture())...)
		}
		blanks = c.gap()
		w, end := m.widths[i], widgets.Width(c.End)
		if end > 0 && widgets.Width(c.Title)+gap+end <= w {
			cells = appendTitle(cells, c.Zone, c.Title, w-end, false)
			cells = appendTitle(cells, c.EndZone, c.End, end, true)
			continue
		}
		cells = appendTitle(cells, c.Zone, c.Title, w, c.Right)
	}
	return widgets.Fit(string(cells), m.w, 1)
}

// appendTitle appends a title, as the zone that it stands for.
func appendTitle(line []byte, id, title string, w int, right bool) []byte {
	if id == "" {
		return appendCell(line, title, w, right)
	}
	return append(line, zone.Mark(id, string(appendCell(nil, title, w, right)))...)
}

// row appends one row without its zone and its scroll bar, exactly inner cells.
func (m *Model) row(line []byte, k inks, r Row, selected bool) []byte {
	base := r.Ink
	if base == (widgets.Ink{}) {
		base = k.row
	}
	if selected {
		base = k.selected
	}
	used := gutter
	if m.inner() < gutter {
		return append(line, widgets.Fit("", m.inner(), 1)...)
	}
	line = append(line, base.Begin()...)
	switch {
	case selected && r.Marked:
		line = appendInk(line, base, k.marked, "◉")
	case selected:
		line = appendInk(line, base, k.cursor, "▸")
	case r.Marked:
		line = appendInk(line, base, k.marked, "•")
	default:
		line = append(line, ' ')
	}
	line = append(line, ' ')
	blanks := 0
	for i := range m.cols {
		c, w := &m.cols[i], m.widths[i]
		if w == 0 {
			continue
		}
		line = append(line, "  "[:blanks]...)
		if i == m.tall.From {
			line = m.appendPicture(line, base, r, 0)
			used += m.picture()
		}
		used += blanks + w
		blanks = c.gap()
		var cell Cell
		if i < len(r.Cells) {
			cell = r.Cells[i]
		}
		if cell.Tail == "" && cell.End == "" {
			line = appendInked(line, base, cell.Ink, cell.Text, w, c.Right)
			continue
		}
		line = appendParts(line, base, cell, w)
	}
	for ; used < m.inner(); used++ {
		line = append(line, ' ')
	}
	return append(line, base.End()...)
}

// more appends the line y > 0 of a row, exactly inner cells.
func (m *Model) more(line []byte, k inks, r Row, selected bool, y int) []byte {
	base := r.Ink
	if base == (widgets.Ink{}) {
		base = k.row
	}
	if selected {
		base = k.selected
	}
	from, w := m.below(), m.BelowWidth()
	if w == 0 {
		return append(line, widgets.Fit("", m.inner(), 1)...)
	}
	line = append(line, base.Begin()...)
	for range from - m.picture() {
		line = append(line, ' ')
	}
	line = m.appendPicture(line, base, r, y)
	var c Cell
	if y <= len(r.Below) {
		c = r.Below[y-1]
	}
	return append(appendParts(line, base, c, w), base.End()...)
}

// appendPicture appends the line y of a row's picture, and the blank after it.
func (m *Model) appendPicture(line []byte, base widgets.Ink, r Row, y int) []byte {
	if m.tall.Picture <= 0 {
		return line
	}
	if y < len(r.Picture) {
		line = append(append(line, base.Over(r.Picture[y])...), base.Begin()...)
	} else {
		for range m.tall.Picture {
			line = append(line, ' ')
		}
	}
	return append(line, ' ')
}

// appendParts appends a cell of several parts in w cells.
func appendParts(line []byte, base widgets.Ink, c Cell, w int) []byte {
	end := min(widgets.Width(c.End), w/2)
	room := w
	if end > 0 {
		room = max(0, w-end-gap)
	}
	text, tail := widgets.Width(c.Text), widgets.Width(c.Tail)
	if text+tail > room {
		tail = min(tail, room-min(text, (room+1)/2))
		text = min(text, room-tail)
	}
	line = appendInked(line, base, c.Ink, c.Text, text, false)
	if tail > 0 {
		line = appendInked(line, base, c.TailInk, c.Tail, tail, false)
	}
	for range w - text - tail - end {
		line = append(line, ' ')
	}
	if end > 0 {
		line = appendInked(line, base, c.EndInk, c.End, end, true)
	}
	return line
}

// appendInked appends text in w cells, in an ink or, with the zero one, as the row, and goes back to
// base.
func appendInked(line []byte, base, ink widgets.Ink, text string, w int, right bool) []byte {
	if ink == (widgets.Ink{}) {
		return appendCell(line, text, w, right)
	}
	line = append(line, ink.Begin()...)
	line = appendCell(line, text, w, right)
	line = append(line, ink.End()...)
	return append(line, base.Begin()...)
}

// appendInk appends text in ink and goes back to base.
func appendInk(line []byte, base, ink widgets.Ink, text string) []byte {
	line = append(line, ink.Text(text)...)
	return append(line, base.Begin()...)
}

// appendCell appends text cut or filled to w cells.
func appendCell(line []byte, text string, w int, right bool) []byte {
	n := widgets.Width(text)
	if n > w || strings.ContainsAny(text, "\n\r\t") {
		text = widgets.Line(text, w)
		n = w
	}
	if right {
		for range w - n {
			line = append(line, ' ')
		}
		return append(line, text...)
	}
	line = append(line, text...)
	for range w - n {
		line = append(line, ' ')
	}
	return line
}
