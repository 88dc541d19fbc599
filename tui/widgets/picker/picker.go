// Package picker is a dialog that finds one of many items by a few letters: the command palette,
// the choice of a model.
package picker

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/list"
	"darkroom/tui/widgets/zone"
)

// Item is an item to pick. Title is searched first, then Group, Detail, ID and Words.
type Item struct {
	ID, Title string
	// Detail stands muted behind the title; Keys at the right end.
	Detail, Keys string
	// Group is the heading above the items of a group while the query is empty. Items of a group
	// should be adjacent.
	Group string
	// Alone is the detail where the heading of the group does not show, "" for the same.
	Alone string
	// Off says why the item cannot be picked now; it is shown in place of Detail.
	Off string
	// Sign stands before the title, one cell wide; Boost ranks the item before others that match
	// equally well.
	Sign  string
	Boost int
	// Words are searched, too. One that was found shows before the detail, unless that has it.
	Words []string
	// About are lines about the item, shown below the list while it has the cursor.
	About []string
}

// Event is what a key or a click did.
type Event int

// Events of the dialog.
const (
	None      Event = iota // nothing to do
	Picked                 // [Model.Current] was chosen
	Cancelled              // the dialog was left
)

// Model is the dialog. Make it with [New]. It belongs to one model: not safe for
// concurrent use.
type Model struct {
	// Title stands at the left of the upper border, Keys at its right; Placeholder in the empty
	// input; Note, a remark about the list, in the last line.
	Title, Placeholder, Keys, Note string
	// Empty is shown when nothing is found: it says what to do then.
	Empty string
	// Aligned aligns the details in one column.
	Aligned bool

	items []Item
	in    *form.Editor
	found []match
	rows  list.Model // the items that were found
	top   int        // the first visible line, counting headings of groups
}

// maxQuery bounds the query, in characters.
const maxQuery = 200

// New makes a dialog over items; the first one that is not off has the cursor.
func New(title, placeholder string, items []Item) Model {
	m := Model{Title: title, Placeholder: placeholder, in: form.NewEditor(false), rows: list.New(10)}
	m.in.Limit = maxQuery
	m.SetItems(items)
	return m
}

// SetItems replaces the items; the query stays, and so does the item under the cursor when it is
// among the new ones.
func (m *Model) SetItems(items []Item) {
	id := ""
	if it, ok := m.Current(); ok {
		id = it.ID
	}
	m.items = items
	m.search()
	m.Select(id)
}

// SetQuery replaces the query.
func (m *Model) SetQuery(q string) {
	m.in.SetValue(q)
	m.search()
}

// Query is the typed text.
func (m *Model) Query() string { return m.in.Value() }

// Select puts the cursor on an item; nothing happens when it is not in the list.
func (m *Model) Select(id string) {
	for i, f := range m.found {
		if id != "" && m.items[f.item].ID == id {
			m.rows.Select(i)
			return
		}
	}
}

// Current is the item under the cursor; false when nothing was found.
func (m *Model) Current() (Item, bool) {
	if len(m.found) == 0 {
		return Item{}, false
	}
	return m.items[m.found[m.rows.Cursor()].item], true
}

// Update takes a key.
func (m *Model) Update(msg tea.KeyMsg) Event {
	switch msg.String() {
	case "esc", "ctrl+c", "ctrl+g":
		return Cancelled
	case "enter":
		return m.pick()
	case "up", "ctrl+p", "shift+tab":
		m.rows.Turn(-1)
	case "down", "ctrl+n", "tab":
		m.rows.Turn(1)
	case "pgup":
		m.rows.Move(-m.rows.Rows())
	case "pgdown":
		m.rows.Move(m.rows.Rows())
	case "home":
		m.rows.Select(0)
	case "end":
		m.rows.Select(len(m.found))
	default:
		if _, changed := m.in.Update(msg, 0); changed {
			m.search()
		}
	}
	return None
}

// Wheel moves the cursor by notches of the mouse wheel.
func (m *Model) Wheel(delta int) { m.rows.Move(delta) }

// Click takes a click: "pick:<id>" picks.
func (m *Model) Click(c zone.Click) Event {
	id, ok := strings.CutPrefix(c.Zone, zonePrefix)
	if !ok {
		return None
	}
	for i, f := range m.found {
		if zoneName(m.items[f.item].ID) == id {
			m.rows.Select(i)
			return m.pick()
		}
	}
	return None
}

const zonePrefix = "pick:"

// zoneName is an item's ID as the name of its zone, which has to be ASCII: other bytes would end
// the mark.
func zoneName(id string) string {
	for i := range len(id) {
		if id[i] < ' ' || id[i] > '~' {
			return fmt.Sprintf("x%x", id)
		}
	}
	return id
}

func (m *Model) pick() Event {
	if it, ok := m.Current(); !ok || it.Off != "" {
		return None
	}
	return Picked
}

func (m *Model) search() {
	m.found = find(m.items, m.in.Value())
	m.rows.Reset(len(m.found))
	m.top = 0
	for i, f := range m.found {
		if m.items[f.item].Off == "" {
			m.rows.Select(i)
			return
		}
	}
}
