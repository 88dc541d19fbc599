package items

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/widgets/list"
	"darkroom/tui/widgets/picker"
)

// Event is the effect of a key, a click or an action.
type Event struct {
	Changed bool // [Model.Value] has changed
	Left    bool // the focus left a part: paths in it can be checked
	Closed  bool // the dialog must close
	Raw     bool // the value is to be edited as JSON instead
}

// Model is the dialog. Make it with [New]. It belongs to one goroutine.
type Model struct {
	spec  Spec
	list  []any // the items; the object itself for a value that is no list
	facts map[string]Fact
	st    *themes.Styles

	rows       list.Model
	undo, redo []snapshot
	note       string // the last action's remark

	edit     *editing      // the item that is edited, nil for the list
	choosing *picker.Model // the kind of a new item is being chosen
}

// snapshot is the value before an edit. Items are never written to, so it shares them.
type snapshot struct {
	list   []any
	cursor int
}

// undoDepth is how many steps back are kept.
const undoDepth = 200

// New is the dialog for a value: a list or an object as the Spec says, nil for none.
// Another value is as none: do not open the dialog for it.
func New(spec Spec, value any, st *themes.Styles) *Model {
	m := &Model{spec: spec, st: st, rows: list.New(8)}
	m.setList(m.taken(value))
	if !spec.List {
		m.open(0)
	}
	return m
}

func (m *Model) taken(value any) []any {
	switch t := value.(type) {
	case []any:
		if m.spec.List {
			return slices.Clone(t)
		}
	case map[string]any:
		if !m.spec.List {
			return []any{t}
		}
	}
	if m.spec.List {
		return nil
	}
	return []any{map[string]any{}}
}

// Value is the present value: nil for a list without items, and for an object without keys.
// Unedited, it is the given value, item by item.
func (m *Model) Value() any {
	if m.spec.List {
		if len(m.list) == 0 {
			return nil
		}
		return slices.Clone(m.list)
	}
	if o, ok := m.list[0].(map[string]any); !ok || len(o) > 0 {
		return m.list[0]
	}
	return nil
}

// SetValue takes a value that changed elsewhere, as when paths became references. The cursor and
// the edit in progress stay as far as the item still exists.
func (m *Model) SetValue(value any) {
	m.setList(m.taken(value))
	if m.edit != nil {
		if m.edit.at >= len(m.list) {
			m.edit = nil
			return
		}
		m.refill()
	}
}

// SetFacts sets the known facts about references; the map is not written to.
func (m *Model) SetFacts(facts map[string]Fact) {
	m.facts = facts
	if m.edit != nil {
		m.dress()
	}
}

// SetStyles changes what the dialog is drawn with.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st = st
	if m.edit != nil {
		m.edit.form.SetStyles(st)
	}
}

// Capturing reports that typed text goes into a field.
func (m *Model) Capturing() bool {
	return m.choosing != nil || m.edit != nil && m.edit.form.Capturing()
}

// Inside reports that closing goes back to the list first.
func (m *Model) Inside() bool { return m.choosing != nil || m.edit != nil && m.spec.List }

// Len is the number of items.
func (m *Model) Len() int { return len(m.list) }

// Cursor is the index of the item under the cursor.
func (m *Model) Cursor() int { return m.rows.Cursor() }

// Select puts the cursor on an item, or the nearest one.
func (m *Model) Select(i int) { m.rows.Select(i) }

func (m *Model) setList(list []any) {
	m.list = list
	m.rows.SetLen(len(list))
}

// Update handles a key that belongs to no action.
func (m *Model) Update(k tea.KeyMsg) Event {
	m.note = ""
	switch {
	case m.choosing != nil:
		return m.chosen(m.choosing.Update(k))
	case m.edit != nil:
		return m.editKey(k)
	case k.Paste:
		return m.paste(string(k.Runes))
	}
	page := max(1, m.rows.Rows()-1)
	switch k.String() {
	case "up", "k", "shift+tab":
		m.rows.Move(-1)
	case "down", "j", "tab":
		m.rows.Move(1)
	case "pgup":
		m.rows.Move(-page)
	case "pgdown", " ":
		m.rows.Move(page)
	case "home", "g":
		m.Select(0)
	case "end", "G":
		m.Select(len(m.list))
	case "esc":
		return Event{Closed: true}
	}
	return Event{}
}

// change replaces the list, as an undo step.
func (m *Model) change(list []any, cursor int) Event {
	m.remember()
	m.setList(list)
	m.Select(cursor)
	return Event{Changed: true}
}

func (m *Model) remember() {
	m.undo = append(m.undo, snapshot{m.list, m.Cursor()})
	if len(m.undo) > undoDepth {
		m.undo = slices.Delete(m.undo, 0, len(m.undo)-undoDepth)
	}
	m.redo = nil
}

func (m *Model) travel(from, to *[]snapshot, none string) Event {
	n := len(*from)
	if n == 0 {
		m.note = none
		return Event{}
	}
	s := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, snapshot{m.list, m.Cursor()})
	m.setList(s.list)
	m.Select(s.cursor)
	if m.edit != nil {
		m.reopen()
	}
	return Event{Changed: true}
}
