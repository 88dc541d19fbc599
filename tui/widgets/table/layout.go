package table

const (
	gutter = 2 // one sign for cursor and mark, and a blank
	gap    = 2 // blanks between columns
	bar    = 2 // a blank and the scroll bar
)

// layout shares the width among the columns. Columns with the highest Drop go until the least
// widths of the others fit; then the remaining width goes to those with a weight.
func (m *Model) layout() {
	m.widths, m.head = make([]int, len(m.cols)), ""
	room := m.w - gutter - bar - m.picture()
	if room <= 0 {
		return
	}
	kept := 0
	need := -gap
	for i, c := range m.cols {
		m.widths[i] = max(1, c.Min)
		need += m.widths[i] + c.gap()
		kept++
	}
	for need > room && kept > 1 {
		i := m.mostDroppable()
		if i < 0 {
			break
		}
		need -= m.widths[i] + m.cols[i].gap()
		m.widths[i] = 0
		kept--
	}
	if need > room {
		m.squeeze(need - room)
		return
	}
	m.grow(room - need)
}

// picture is the width that the pictures of rows take, with the blank after them.
func (m *Model) picture() int {
	if m.tall.Picture > 0 {
		return m.tall.Picture + 1
	}
	return 0
}

// below is where the lines of a row but the first begin, behind the picture.
func (m *Model) below() int {
	at := gutter + m.picture()
	for i := range min(m.tall.From, len(m.cols)) {
		if m.widths[i] > 0 {
			at += m.widths[i] + m.cols[i].gap()
		}
	}
	return at
}

// gap is how many blanks follow the column.
func (c *Column) gap() int {
	if c.Tight {
		return gap - 1
	}
	return gap
}

func (m *Model) mostDroppable() int {
	at := -1
	for i, c := range m.cols {
		if m.widths[i] > 0 && c.Drop > 0 && (at < 0 || c.Drop >= m.cols[at].Drop) {
			at = i
		}
	}
	return at
}

// squeeze takes cells from the widest column until the columns that have to stay fit.
// When each is down to one cell, the last ones go after all.
func (m *Model) squeeze(over int) {
	for over > 0 {
		at, last := 0, -1
		for i, w := range m.widths {
			if w > m.widths[at] {
				at = i
			}
			if w > 0 {
				last = i
			}
		}
		switch {
		case last < 0:
			return
		case m.widths[at] > 1:
			m.widths[at]--
			over--
		default:
			m.widths[last] = 0
			over -= 1 + m.cols[last].gap()
		}
	}
}

// grow hands out free cells by weight, in rounds, since a column may reach its bound.
func (m *Model) grow(free int) {
	for free > 0 {
		weights := 0
		for i := range m.cols {
			if m.canGrow(i) {
				weights += m.cols[i].Weight
			}
		}
		if weights == 0 {
			return
		}
		before := free
		for i, c := range m.cols {
			if !m.canGrow(i) {
				continue
			}
			add := min(max(1, before*c.Weight/weights), free)
			if c.Max > 0 {
				add = min(add, c.Max-m.widths[i])
			}
			m.widths[i] += add
			free -= add
		}
	}
}

func (m *Model) canGrow(i int) bool {
	c := m.cols[i]
	return m.widths[i] > 0 && c.Weight > 0 && (c.Max == 0 || m.widths[i] < c.Max)
}
