package queue

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/gallery"
	"darkroom/tui/widgets/table"
)

// way is a way that leads beyond the jobs read.
type way int

const (
	nowhere way = iota
	toTop
	toEnd
)

// course is where the cursor is to go once the jobs there are read. No key is lost meanwhile: those
// that move it count, and others wait for the job that they mean.
type course struct {
	owed  int // rows that it is still to go down, up with a minus
	way   way
	going bool // the page at the end of the way is asked for
	early bool // the list is what was read of another filter: there may be more
	typed []tea.KeyMsg
}

// maxTyped bounds the keys that wait.
const maxTyped = 4096

// waits reports whether a key is to wait, or to be counted.
func (c *course) waits() bool { return c.owed != 0 || c.way != nowhere }

// stay ends the way: the cursor stays where it is.
func (h *history) stay() {
	if h.way != nowhere && h.going {
		h.halt()
	}
	h.course = course{early: h.early}
}

// keep has a key wait. Escape gives up what waits.
func (h *history) keep(k tea.KeyMsg) {
	switch {
	case k.Type == tea.KeyEsc:
		h.stay()
	case len(h.typed) < maxTyped:
		h.typed = append(h.typed, k)
	}
}

// span are the first and the last row of the pages read: marked jobs and others that were asked for may
// stand above and below.
func (l *listing) span() (first, last int) {
	h := &l.jobs
	last = l.table.Len() - 1
	if h.more() && h.last != nil {
		if i, ok := h.Index(h.last.ID); ok {
			last = h.folds.Of(i, false)
		}
	}
	if h.before() && h.first != nil {
		if i, ok := h.Index(h.first.ID); ok {
			first = h.folds.Of(i, false)
		}
	}
	return first, last
}

// open reports whether the list goes on beyond its last row, or before its first one.
func (l *listing) open(by int) bool {
	h := &l.jobs
	if j := l.job(); j != nil && !h.within(j) {
		return false
	}
	if by < 0 {
		return h.before()
	}
	return h.more() || h.early
}

// move does what a key means in the list. Where it leads beyond what was read, that is read.
func (l *listing) move(k tea.KeyMsg) {
	h := &l.jobs
	switch name := k.String(); {
	case (name == "end" || name == "G") && h.more():
		h.owed, h.way, h.going = 0, toEnd, false
		return
	case (name == "home" || name == "g") && h.before():
		h.owed, h.way, h.going = 0, toTop, false
		return
	}
	if by := l.stride(k); by != 0 {
		rows := &l.table.Model // those of batches, too
		first, last := l.span()
		to := rows.Cursor() + h.owed + by
		switch {
		case to > last && l.open(1):
			h.owed = to - last
			rows.SetCursor(last)
			return
		case to < first && l.open(-1):
			h.owed = to - first
			rows.SetCursor(first)
			return
		case h.owed != 0:
			h.owed = 0
			rows.SetCursor(to)
			return
		}
	}
	if l.gallery {
		if to, moved := l.grid.Update(k, l.table.Cursor()); moved {
			l.table.SetCursor(to)
			return
		}
	}
	l.table.Update(k)
}

// next puts the cursor on the next row.
func (l *listing) next() {
	if _, last := l.span(); l.table.Model.Cursor() < last || !l.open(1) {
		l.table.step(1)
		return
	}
	l.jobs.owed++
}

// endless is where a list of the same shape has no end near.
const endless = 1 << 24

// stride is by how many rows a key moves the cursor where the list does not end, 0 for a key that does
// not, or leads to its end.
func (l *listing) stride(k tea.KeyMsg) int {
	if l.gallery {
		g := l.grid
		cols, _ := g.Shape()
		from := endless/2*cols + max(0, l.table.Cursor())%cols
		g.SetSource(endlessCards{&l.cards, endless * cols})
		to, _ := g.Update(k, from)
		return within(to - from)
	}
	t := l.table.Model
	t.SetSource(table.Func{N: endless})
	t.SetCursor(endless / 2)
	t.Update(k)
	return within(t.Cursor() - endless/2)
}

// within is a number of rows, 0 for one that leads to the end.
func within(by int) int {
	if by > endless/4 || by < -endless/4 {
		return 0
	}
	return by
}

// endlessCards are cards without an end near.
type endlessCards struct {
	gallery.Source
	n int
}

func (e endlessCards) Len() int { return e.n }

// arrive puts the cursor where it was to go, as far as that is read, and reports whether it went.
func (l *listing) arrive(went way) bool {
	h := &l.jobs
	rows := &l.table.Model
	first, last := l.span()
	switch {
	case went == toEnd:
		rows.SetCursor(rows.Len() - 1)
	case went == toTop:
		rows.SetCursor(0)
	case h.owed != 0:
		at := rows.Cursor() + h.owed
		to := max(first, min(at, last))
		rows.SetCursor(to)
		if h.owed = at - to; h.owed > 0 && !h.more() || h.owed < 0 && !h.before() {
			h.owed = 0
		}
	default:
		return false
	}
	return true
}

// moves reports whether a key moves the cursor in the list, and does nothing else.
func moves(m *Model, k tea.KeyMsg) bool {
	if m.focus != tablePane || m.zoom.On() || m.pulse {
		return false
	}
	if _, ok := m.commands.Lookup(k.String()); ok {
		return false
	}
	return m.list.stride(k) != 0
}

// goOn does what was typed while the jobs that it means were read.
func goOn(m *Model) tea.Cmd {
	h := &m.list.jobs
	var cmds []tea.Cmd
	for len(h.typed) > 0 && !h.waits() {
		k := h.typed[0]
		h.typed = h.typed[1:]
		rest := h.typed
		h.typed = nil
		cmds = append(cmds, m.key(k))
		h.typed = append(h.typed, rest...)
	}
	return tea.Batch(cmds...)
}
