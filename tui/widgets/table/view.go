package table

import (
	"strconv"
	"strings"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// inks are the styles of one drawing.
type inks struct{ head, row, selected, marked, cursor widgets.Ink }

// View draws the table in exactly the size set. Focus says whether keys go to it: the row under
// the cursor then stands out more. Each row is a zone.
func (m *Model) View(st *themes.Styles, focus bool) string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	k := inks{
		head: widgets.NewInk(st.Head), row: widgets.NewInk(st.Row),
		marked: widgets.NewInk(st.RowMarked), cursor: widgets.NewInk(st.Accent),
	}
	if focus {
		k.selected = widgets.NewInk(st.RowSelected)
	} else {
		k.selected = widgets.NewInk(st.Strong)
		k.cursor = widgets.NewInk(st.Faint)
	}
	var b strings.Builder
	b.Grow(m.h * (m.w + 64))
	b.WriteString(m.header(k))
	n, vis, top := m.src.Len(), m.Visible(), m.Top()
	if n == 0 {
		if vis > 0 {
			b.WriteByte('\n')
			b.WriteString(m.empty(st, vis))
		}
		return b.String()
	}
	side := widgets.Scrollbar(st, n, vis, top)
	line := make([]byte, 0, m.w+128)
	for y := range vis {
		b.WriteByte('\n')
		i := top + y
		if i >= n {
			b.WriteString(widgets.Fit("", m.w, 1))
			continue
		}
		line = m.row(line[:0], k, m.src.Row(i), i == m.rows.Cursor())
		b.WriteString(zone.Mark(m.Prefix+strconv.Itoa(i), string(line)))
		if m.w > bar {
			b.WriteByte(' ')
			b.WriteString(side[y])
		}
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
	first := true
	for i, c := range m.cols {
		if m.widths[i] == 0 {
			continue
		}
		if !first {
			cells = append(cells, "  "...)
		}
		first = false
		if c.Zone != "" {
			cells = append(cells, zone.Mark(c.Zone, string(appendCell(nil, c.Title, m.widths[i], c.Right)))...)
			continue
		}
		cells = appendCell(cells, c.Title, m.widths[i], c.Right)
	}
	return widgets.Fit(string(cells), m.w, 1)
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
	first := true
	for i, c := range m.cols {
		w := m.widths[i]
		if w == 0 {
			continue
		}
		if !first {
			line = append(line, "  "...)
			used += gap
		}
		first = false
		used += w
		var cell Cell
		if i < len(r.Cells) {
			cell = r.Cells[i]
		}
		if cell.Ink == (widgets.Ink{}) {
			line = appendCell(line, cell.Text, w, c.Right)
			continue
		}
		line = append(line, cell.Ink.Begin()...)
		line = appendCell(line, cell.Text, w, c.Right)
		line = append(line, cell.Ink.End()...)
		line = append(line, base.Begin()...)
	}
	for ; used < m.inner(); used++ {
		line = append(line, ' ')
	}
	return append(line, base.End()...)
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
