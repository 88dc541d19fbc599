// Package finder is a dialog over texts that its owner searches for, page by page: the typed query
// narrows the list, and the owner brings the results.
package finder

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/list"
	"darkroom/tui/widgets/zone"
)

// Item is a text that was found. ID must be printable and without blanks.
type Item struct {
	ID string
	// Text is clean and may have many lines; Detail stands at the right end of its line.
	Text, Detail string
}

// Event is what a key or a click did.
type Event int

// Events of the dialog.
const (
	None      Event = iota
	Changed         // another query was typed: look for it
	Picked          // [Model.Current] was chosen
	Cancelled       // the dialog was left
	Wanting         // the end of the list is near: bring more items, if there are any
)

// Model is the dialog. Make it with [New]. It belongs to one model: not safe for concurrent
// use.
type Model struct {
	// Title stands in the border, Hint in the empty input, Keys below the list.
	Title, Hint, Keys string
	// Busy says that more items are on their way, Done that there are no more; Note says what went
	// wrong, or why the list is empty.
	Busy, Done bool
	Note       string

	in    *form.Editor
	items []Item
	rows  list.Model
}

// nearEnd is how many items before the end of the list more of them are requested.
const nearEnd = 20

// New makes an empty dialog.
func New(title, hint string) *Model {
	return &Model{Title: title, Hint: hint, in: form.NewEditor(false), rows: list.New(10)}
}

// Query is the typed text, without blanks around it.
func (m *Model) Query() string { return strings.TrimSpace(m.in.Value()) }

// Reset removes all items, for another query.
func (m *Model) Reset() {
	m.items = nil
	m.rows.Reset(0)
	m.Done, m.Note = false, ""
}

// Add appends items.
func (m *Model) Add(items ...Item) {
	m.items = append(m.items, items...)
	m.rows.SetLen(len(m.items))
}

// Len is the number of items.
func (m *Model) Len() int { return len(m.items) }

// Current is the item under the cursor; false when there is none.
func (m *Model) Current() (Item, bool) {
	if len(m.items) == 0 {
		return Item{}, false
	}
	return m.items[m.rows.Cursor()], true
}

// Update takes a key.
func (m *Model) Update(k tea.KeyMsg) Event {
	switch k.String() {
	case "esc", "ctrl+c":
		return Cancelled
	case "enter":
		if _, ok := m.Current(); ok {
			return Picked
		}
		return None
	case "up", "ctrl+p", "shift+tab":
		return m.move(-1)
	case "down", "ctrl+n", "tab", "ctrl+r":
		return m.move(1)
	case "pgup":
		return m.move(-m.rows.Rows())
	case "pgdown":
		return m.move(m.rows.Rows())
	}
	before := m.Query()
	m.in.Update(form.InLine(k), 40)
	if m.Query() != before {
		return Changed
	}
	return None
}

// Wheel moves the cursor by notches of the mouse wheel.
func (m *Model) Wheel(delta int) Event { return m.move(delta) }

// Click takes a click; one on an item moves to it, a double one picks it.
func (m *Model) Click(c zone.Click) Event {
	switch again, ok := m.rows.Click(c, zonePrefix); {
	case !ok:
		return None
	case again:
		return Picked
	default:
		return m.move(0)
	}
}

const zonePrefix = "find:"

// move moves the cursor and stops at the ends.
func (m *Model) move(n int) Event {
	m.rows.Move(n)
	if !m.Done && !m.Busy && m.rows.Cursor()+nearEnd >= len(m.items) {
		return Wanting
	}
	return None
}
