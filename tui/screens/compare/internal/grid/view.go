package grid

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/jobs/compare"
	"darkroom/themes"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// Sizes in cells of the terminal.
const (
	headLines  = 2  // the model, and what came of it
	leastCell  = 16 // wide
	mostCell   = 28
	leastTall  = 22 // with a thumbnail
	leastSide  = 12 // of a row's header that has more than the prompt's name
	leastLines = 6  // of a row with a thumbnail that is lower than it could be
	mostTall   = 44
	bar        = 2 // a blank and the scroll bar
	exactFrom  = 20
)

// inks are the styles of what is drawn at every key.
type inks struct {
	text, strong, muted, faint, warn, bad, border, selected, passive, head widgets.Ink
	state                                                                  map[string]sign
}

type sign struct {
	text string
	ink  widgets.Ink
}

func newInks(st *themes.Styles) inks {
	k := inks{
		text: widgets.NewInk(st.Text), strong: widgets.NewInk(st.Strong), muted: widgets.NewInk(st.Muted), faint: widgets.NewInk(st.Faint),
		warn: widgets.NewInk(st.Warn), bad: widgets.NewInk(st.Bad), border: widgets.NewInk(st.Border),
		selected: widgets.NewInk(st.RowSelected), passive: widgets.NewInk(st.Strong), head: widgets.NewInk(st.Head),
		state: map[string]sign{"none": {"·", widgets.NewInk(st.Faint)}},
	}
	for _, s := range []string{"queued", "running", "completed", "failed", "ambiguous", "unknown", "dropped"} {
		text, style := widgets.Sign(st, s)
		k.state[s] = sign{text, widgets.NewInk(style)}
	}
	return k
}

// shape says how the room is shared.
type shape struct {
	side       int // width of the rows' headers
	cell       int // width of a cell
	line       int // height of a row, with the gap below a thumbnail
	cols, rows int // in sight
}

func (m *Model) shape() shape {
	return m.shapeFor(m.tall)
}

func (m *Model) shapeFor(tall bool) shape {
	s := shape{line: 1}
	s.side = max(8, min(40, m.w*24/100))
	least, most := leastCell, mostCell
	body := max(1, m.h-headLines)
	if tall {
		least, most = leastTall, mostTall
		if n := len(m.rows); n > 0 { // few results take the room that there is
			most = max(most, (body/n-2)*32/9)
		}
		if most > mostTall {
			s.side = max(8, min(24, m.w*14/100))
		}
	}
	room := max(0, m.w-s.side-1-bar)
	if tall { // a narrower header where that brings another column in sight
		narrow := max(8, min(s.side, m.w*14/100))
		if more := max(0, m.w-narrow-1-bar); more/(least+1) > room/(least+1) && room/(least+1) < len(m.cols) {
			s.side, room = narrow, more
		}
	}
	s.cols = max(1, min(len(m.cols), room/(least+1)))
	s.cell = max(1, min(most, room/s.cols-1))
	if spare := room - s.cols*(s.cell+1); spare > 0 && len(m.cols) > 0 {
		s.side += min(spare, 60-s.side)
	}
	if tall {
		s.line = min(body, 2+max(2, s.cell*9/32))
		each := body / max(1, len(m.rows))             // all rows show
		whole := body / ((body + s.line - 1) / s.line) // or as many as there is room for, the last one whole
		switch {
		case each >= leastLines && each < s.line:
			s.line = each
		case len(m.rows)*s.line > body && whole*4 >= s.line*3:
			s.line = min(body, max(4, whole))
		}
	}
	s.rows = max(1, body/s.line)
	return s
}

// View draws it in exactly its room; focus says that the cursor has the keys.
func (m *Model) View(focus bool) string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	s := m.shape()
	bars := widgets.Scrollbar(m.st, len(m.rows)*s.line, s.rows*s.line, m.top*s.line)
	out := make([]string, 0, m.h)
	out = append(out, m.head(s)...)
	for y := m.top; y < min(len(m.rows), m.top+s.rows); y++ {
		for i, l := range m.drawn(y, s, focus) {
			out = append(out, l+" "+bars[(y-m.top)*s.line+i])
		}
	}
	if m.w < exactFrom || m.h < headLines+1 { // what no one can read
		return zone.Mark(Zone, widgets.Fit(strings.Join(out, "\n"), m.w, m.h))
	}
	for len(out) < m.h {
		out = append(out, strings.Repeat(" ", m.w))
	}
	return zone.Mark(Zone, strings.Join(out, "\n"))
}

// Sight says which columns and rows show, "" where all do.
func (m *Model) Sight() string {
	s := m.shape()
	var parts []string
	if s.cols < len(m.cols) {
		parts = append(parts, fmt.Sprintf("columns %d–%d of %d", m.left+1, m.left+s.cols, len(m.cols)))
	}
	if s.rows < len(m.rows) {
		parts = append(parts, fmt.Sprintf("row %d of %d", m.row+1, len(m.rows)))
	}
	return strings.Join(parts, " · ")
}

// head are the lines above the cells.
func (m *Model) head(s shape) []string {
	corner, below := "", ""
	if m.order != AsPlanned {
		corner = m.order.String()
	}
	if m.completed() {
		switch {
		case m.stamped:
			below = "median, gateway"
		case m.measured:
			below = "median"
		default:
			below = "median, by polls"
		}
	}
	border := m.ink.border.Text("│")
	one := []string{m.ink.muted.Text(widgets.Line(corner, s.side)), border}
	two := []string{m.ink.muted.Text(widgets.Line(below, s.side)), border}
	for x := m.left; x < min(len(m.cols), m.left+s.cols); x++ {
		c := &m.across[m.cols[x]]
		ink := m.ink.head
		gap := " "
		if x == m.col {
			ink = m.ink.strong
			if m.st.Plain {
				gap = "▾"
			}
		}
		name := c.name
		if m.formats && c.format != "" {
			name = joined(c.name, c.format, s.cell)
		}
		one = append(one, gap, ink.Text(widgets.Line(name, s.cell)))
		two = append(two, " ", m.ink.muted.Text(widgets.Line(c.text(), s.cell)))
	}
	blank := strings.Repeat(" ", max(0, m.blank(s)+bar))
	return []string{strings.Join(one, "") + blank, strings.Join(two, "") + blank}
}

// joined is a name and a format in w cells; the format stays whole.
func joined(name, format string, w int) string {
	room := w - widgets.Width(format) - 1
	if room < 6 {
		return name + " " + format
	}
	return widgets.Truncate(name, room) + " " + format
}

// completed reports whether a trial has.
func (m *Model) completed() bool {
	return slices.ContainsFunc(m.across, func(c column) bool { return c.ok > 0 })
}

// text is what came of a column: "5/6 · 4.1–4.6 s".
func (t *tally) text() string {
	if t.sent == 0 {
		return ""
	}
	text := fmt.Sprintf("%d/%d", t.ok, t.ended)
	if t.ended == 0 {
		text = fmt.Sprintf("%d sent", t.sent)
	}
	if span := say.Span(t.median); span != "" {
		text += " · " + span
	}
	return text
}

// drawn is a row of the view, from those that are drawn already where it is not the cursor's.
func (m *Model) drawn(y int, s shape, focus bool) []string {
	if y == m.row || y == m.top { // the first one in sight names its prompt
		return m.draw(y, s, focus)
	}
	if l, ok := m.lines[y]; ok {
		return l
	}
	l := m.draw(y, s, focus)
	m.lines[y] = l
	return l
}

func (m *Model) draw(y int, s shape, focus bool) []string {
	side := m.side(y, s)
	lines := make([]strings.Builder, s.line)
	for i := range lines {
		lines[i].WriteString(side[i])
		lines[i].WriteString(m.ink.border.Text("│"))
	}
	for x := m.left; x < min(len(m.cols), m.left+s.cols); x++ {
		here := y == m.row && x == m.col
		gap := " "
		if here && m.st.Plain {
			gap = "▸"
		}
		if n := m.groups[m.rows[y].group].cells[m.cols[x]]; n > 0 && m.marked == [2]int{n, m.rows[y].repeat} {
			gap = m.ink.strong.Text("•")
		}
		for i, l := range m.cell(m.rows[y], m.cols[x], s, here, focus) {
			if i > 0 {
				gap = " "
			}
			lines[i].WriteString(gap)
			lines[i].WriteString(l)
		}
	}
	blank := strings.Repeat(" ", max(0, m.blank(s)))
	out := make([]string, s.line)
	for i := range lines {
		out[i] = lines[i].String() + blank
	}
	return out
}

// blank is the room right of the last cell in sight.
func (m *Model) blank(s shape) int {
	return m.w - bar - s.side - 1 - min(s.cols, len(m.cols)-m.left)*(s.cell+1)
}

// side is the header of a row: its prompt and settings, which run on over the repeats of a group from
// the first that shows, and which repeat it is.
func (m *Model) side(y int, s shape) []string {
	l := m.rows[y]
	g := &m.groups[l.group]
	first := y
	for first > m.top && m.rows[first-1].group == l.group {
		first--
	}
	ink := m.ink.text
	if y == m.row {
		ink = m.ink.strong
	}
	right := ""
	if m.repeats > 1 {
		right = fmt.Sprintf(" %d/%d ", l.repeat, m.repeats)
	}
	room := max(0, s.side-widgets.Width(right))
	text := g.prompt
	if s.side >= leastSide { // else it would stand in syllables
		if g.settings != "" {
			text += " " + g.settings + " ·"
		}
		text += " " + g.text
	}
	wrapped := widgets.WrapLines(text, max(1, room-1), max(1, m.repeats)*s.line)
	out := make([]string, s.line)
	for i := range out {
		text := ""
		if at := (y-first)*s.line + i; at < len(wrapped) {
			text = ink.Text(widgets.Truncate(wrapped[at], room))
		}
		if i == 0 {
			out[i] = widgets.Line(text, room) + m.ink.muted.Text(widgets.Truncate(right, s.side))
		} else {
			out[i] = widgets.Line(text, s.side)
		}
	}
	return out
}

// cell is a cell: its state in the first line, and its picture below.
func (m *Model) cell(l line, col int, s shape, here, focus bool) []string {
	c, t := m.cellAt(l, col), m.trialAt(l, col)
	faint := m.match != nil && (c == nil || !m.match[(c.Number-1)*m.repeats+l.repeat-1])
	out := make([]string, s.line)
	out[0] = m.face(m.faceOf(c, t, l.repeat), s.cell, here, focus, faint)
	if s.line == 1 {
		return out
	}
	for i, p := range m.pics.lines(t, s.cell, s.line-2, &m.ink) {
		out[i+1] = p
	}
	out[s.line-1] = strings.Repeat(" ", s.cell)
	return out
}

// faceOf is what a cell says; of what is over it stays as it is.
func (m *Model) faceOf(c *compare.Cell, t *compare.Trial, repeat int) say.Face {
	if c == nil || t == nil || !t.Ended() {
		return say.FaceOf(c, t, m.now())
	}
	at := (c.Number-1)*m.repeats + repeat - 1
	f, ok := m.faces[at]
	if !ok {
		f = say.FaceOf(c, t, m.now())
		m.faces[at] = f
	}
	return f
}

// bar is a progress in w cells.
func (m *Model) bar(share float64, w int) string {
	at := [2]int{int(share*100 + 0.5), w}
	s, ok := m.bars[at]
	if !ok {
		percent := fmt.Sprintf("%3d %%", at[0])
		s = widgets.Progress(m.st, share, w-len(percent)-1) + " " + percent
		m.bars[at] = s
	}
	return s
}

// face draws what a cell says in exactly w cells.
func (m *Model) face(f say.Face, w int, here, focus, faint bool) string {
	if f.State == "" {
		return m.selected(strings.Repeat(" ", w), here, focus)
	}
	k, ok := m.ink.state[f.State]
	if !ok {
		k = m.ink.state["unknown"]
	}
	room := max(0, w-2-len([]rune(f.Badge)))
	var body string
	width := room
	switch text := f.Text; {
	case f.Share >= 0 && room >= 12:
		body = m.bar(f.Share, room)
	default:
		ink := m.ink.text
		switch f.State {
		case "none", "queued":
			ink = m.ink.faint
		case "failed":
			ink = m.ink.bad
		}
		text = widgets.Truncate(text, room)
		width = widgets.Width(text)
		if faint {
			ink = m.ink.faint
		}
		body = ink.Text(text)
	}
	sign := k.ink.Text(k.text)
	if faint {
		sign = m.ink.faint.Text(k.text)
	}
	badge := m.ink.warn.Text(f.Badge)
	return m.selected(widgets.Line(sign+" "+body+strings.Repeat(" ", max(0, room-width))+badge, w), here, focus)
}

func (m *Model) selected(s string, here, focus bool) string {
	switch {
	case here && focus:
		return m.ink.selected.Over(s)
	case here:
		return m.ink.passive.Over(s)
	default:
		return s
	}
}
