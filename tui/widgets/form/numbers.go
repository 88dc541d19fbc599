package form

import (
	"strconv"
	"strings"
)

// manyItems is the number of items from which their numbers take two digits.
const manyItems = 20

// numbers is the room for the numbers of a list's items, 0 where they have none: a single item is
// not numbered.
func (p *panel) numbers(d *Field) int {
	if _, w := p.values(); d.Kind != List || !d.Numbered || w < 16 {
		return 0
	}
	switch n := strings.Count(strings.TrimRight(p.Text(d.ID), "\n"), "\n"); {
	case n == 0:
		return 0
	case n >= manyItems:
		return 3
	default:
		return 2
	}
}

// NumberOf is the number shown before the item n of a list, counted from 0.
func NumberOf(n int) string {
	if n < 0 || n >= manyItems {
		return strconv.Itoa(n + 1)
	}
	return string(rune('①' + n))
}

// number is the text before a line of a list's item: its number before the first line.
func (p *panel) number(d *Field, e *Editor, s span, first bool) string {
	w := p.numbers(d)
	if w == 0 {
		return ""
	}
	if !first || s.end == s.start {
		return pad(w)
	}
	n := 0
	for _, c := range e.cells[:s.start] {
		if c == "\n" {
			n++
		}
	}
	text := NumberOf(n)
	_, k := show(text)
	return p.ink.faint.Text(text) + pad(max(0, w-k))
}

// Insert inserts text at the cursor of a field, as pasting does; false when the field takes none,
// or nothing was inserted.
func (f *Form) Insert(id, text string) bool {
	i := f.index(id)
	if i < 0 || !f.rows[i].field.editable() {
		return false
	}
	return f.editor(&f.rows[i].field).Insert(text)
}

// Item is the text of the focused list's item at the cursor and its index; false where no list has
// the focus or the item is empty.
func (f *Form) Item() (text string, index int, ok bool) {
	r := f.current()
	if r == nil || r.field.Kind != List {
		return "", 0, false
	}
	items := strings.Split(f.Text(r.field.ID), "\n")
	at := f.editor(&r.field).item0()
	if at >= len(items) || strings.TrimSpace(items[at]) == "" {
		return "", 0, false
	}
	return items[at], at, true
}

// item0 is the index of the line that the cursor is in.
func (e *Editor) item0() int {
	n := 0
	for _, c := range e.cells[:min(e.cur, len(e.cells))] {
		if c == "\n" {
			n++
		}
	}
	return n
}

// MoveItem moves the item at the cursor of the focused list up (-1) or down (+1), and the cursor
// with it, as one undo step. It is ignored at the ends.
func (f *Form) MoveItem(by int) Event {
	_, at, ok := f.Item()
	if !ok {
		return Event{}
	}
	r := f.current()
	e := f.editor(&r.field)
	items := strings.Split(e.Value(), "\n")
	to := at + by
	if to < 0 || to >= len(items) || strings.TrimSpace(items[to]) == "" {
		return Event{}
	}
	items[at], items[to] = items[to], items[at]
	e.selectAll()
	e.Insert(strings.Join(items, "\n"))
	// The cursor goes to the beginning of the moved item.
	cells := 0
	for _, it := range items[:to] {
		cells += len(clusters(it)) + 1
	}
	e.SetCursor(cells)
	f.free = false
	return Event{Kind: Changed, ID: r.field.ID}
}

// Before is the character in front of the cursor of a field, "" at its beginning.
func (p *panel) Before(id string) string {
	e := p.texts[id]
	if e == nil || e.cur == 0 || e.all {
		return ""
	}
	return e.cells[e.cur-1]
}
