package items

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/tui/widgets/picker"
)

// The actions of the dialog. Its owner binds keys to them.
const (
	Add       = "add"
	Edit      = "edit"
	Delete    = "delete"
	Undo      = "undo"
	Redo      = "redo"
	Up        = "up"
	Down      = "down"
	Duplicate = "duplicate"
	Named     = "name"
	Role      = "role"
	Repair    = "repair"
	Raw       = "raw"
	Close     = "close"
)

// Actions are all actions, in the order of offering them.
func Actions() []string {
	return []string{Repair, Add, Edit, Close, Delete, Undo, Up, Down, Named, Role, Duplicate, Redo, Raw}
}

// Off says why an action is unavailable now, "" when it is available.
func (m *Model) Off(action string) string {
	switch action {
	case Undo:
		if len(m.undo) == 0 {
			return "nothing was changed"
		}
	case Redo:
		if len(m.redo) == 0 {
			return "nothing was undone"
		}
	case Raw, Close:
	case Repair:
		if len(m.list) == 0 {
			return "there is no " + m.spec.noun()
		}
		if _, ok := m.spec.repair(m.list[m.Cursor()], m.facts); !ok {
			return "nothing here can be repaired by itself"
		}
	default:
		return m.offList(action)
	}
	return ""
}

// offList is [Model.Off] for the actions on the items of a list.
func (m *Model) offList(action string) string {
	switch {
	case action == Edit && !m.spec.List, action == Named && m.part("name") < 0, action == Role && m.part("role") < 0:
		return "there is nothing like that here"
	case !m.spec.List && (action == Named || action == Role):
	case !m.spec.List:
		return "this is one object, not a list"
	case action != Add && len(m.list) == 0:
		return "there is no " + m.spec.noun()
	case action == Up && m.Cursor() == 0:
		return "it is the first"
	case action == Down && m.Cursor() == len(m.list)-1:
		return "it is the last"
	}
	return ""
}

// Takes reports whether the key of an action stands for the action now: while an item is edited,
// most keys are for its form.
func (m *Model) Takes(action string) bool {
	switch {
	case m.choosing != nil:
		return action == Close
	case m.edit != nil:
		return inForm(action)
	}
	return true
}

// Do carries out an action; one that is off says why in the dialog.
func (m *Model) Do(action string) Event {
	m.note = ""
	if m.choosing != nil && action != Close {
		return Event{}
	}
	if m.note = m.Off(action); m.note != "" {
		return Event{}
	}
	at := m.Cursor()
	switch action {
	case Add:
		return m.add()
	case Edit:
		m.open(at)
	case Named, Role:
		m.open(at)
		m.edit.focus(m.part(map[string]string{Named: "name", Role: "role"}[action]))
	case Raw:
		ev := m.done()
		ev.Raw = true
		return ev
	case Close:
		return m.close()
	case Undo:
		return m.travel(&m.undo, &m.redo, "")
	case Redo:
		return m.travel(&m.redo, &m.undo, "")
	case Repair:
		return m.repair(at)
	default:
		ev := m.done() // an item that is edited is not the one that moves
		next := m.arranged(action, m.Cursor())
		next.Left = ev.Left
		next.Changed = next.Changed || ev.Changed
		return next
	}
	return Event{}
}

// arranged moves, copies or removes an item.
func (m *Model) arranged(action string, at int) Event {
	if at >= len(m.list) {
		return Event{}
	}
	list := slices.Clone(m.list)
	switch action {
	case Delete:
		m.note = fmt.Sprintf("%s %d is removed; undo brings it back", m.spec.noun(), at+1)
		return m.change(slices.Delete(list, at, at+1), at)
	case Duplicate:
		return m.change(slices.Insert(list, at+1, list[at]), at+1)
	case Up, Down:
		to := at + map[string]int{Up: -1, Down: 1}[action]
		if to < 0 || to >= len(list) {
			return Event{}
		}
		list[at], list[to] = list[to], list[at]
		return m.change(list, to)
	}
	return Event{}
}

func (m *Model) repair(at int) Event {
	fixed, _ := m.spec.repair(m.list[at], m.facts)
	list := slices.Clone(m.list)
	list[at] = fixed
	ev := m.change(list, at)
	ev.Left = true
	if m.edit != nil {
		m.reopen()
	}
	return ev
}

// add begins a new item: its kind is chosen first where there are several.
func (m *Model) add() Event {
	ev := m.done()
	if m.spec.Tag == "" {
		return m.insert("")
	}
	list := make([]picker.Item, len(m.spec.Tags))
	for i, t := range m.spec.Tags {
		list[i] = picker.Item{ID: t, Title: t, Detail: m.tagHelp(t)}
	}
	p := picker.New("Add: "+m.spec.Tag, "", list)
	m.choosing = &p
	return ev
}

// tagHelp describes the parts of an item of a kind.
func (m *Model) tagHelp(tag string) string {
	for i := range m.spec.Parts {
		if p := &m.spec.Parts[i]; p.Only == tag {
			return p.Hint
		}
	}
	return ""
}

func (m *Model) chosen(ev picker.Event) Event {
	switch ev {
	case picker.Picked:
		it, _ := m.choosing.Current()
		m.choosing = nil
		return m.insert(it.ID)
	case picker.Cancelled:
		m.choosing = nil
	}
	return Event{}
}

// insert inserts an empty item behind the cursor and opens it; one left empty is removed again.
func (m *Model) insert(tag string) Event {
	item := map[string]any{}
	if tag != "" {
		item[m.spec.Tag] = tag
	}
	at := min(m.Cursor()+1, len(m.list))
	m.remember()
	m.setList(slices.Insert(slices.Clone(m.list), at, any(item)))
	m.open(at)
	m.edit.added, m.edit.kept = true, true
	return Event{Changed: true, Left: true}
}

// paste adds an item for each line that is a path or a URL, as when files are dragged
// onto the list; other text becomes one item of text.
func (m *Model) paste(text string) Event {
	if !m.spec.List {
		return Event{}
	}
	lines := []string{strings.TrimSpace(text)}
	if split := nonEmpty(text); !slices.ContainsFunc(split, func(s string) bool { return !looksLikeReference(s) }) {
		lines = split
	}
	list := slices.Clone(m.list)
	at := min(m.Cursor()+1, len(list))
	for _, l := range lines {
		item, ok := m.spec.wrap(l, m.facts)
		if l == "" || !ok {
			m.note = "what was pasted does not fit a new " + m.spec.noun()
			return Event{}
		}
		list = slices.Insert(list, at, item)
		at++
	}
	ev := m.change(list, at-1)
	ev.Left = true
	return ev
}

func nonEmpty(text string) []string {
	var out []string
	for l := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// part is the index of the part with a name, below 0 for none.
func (m *Model) part(name string) int {
	return slices.IndexFunc(m.spec.Parts, func(p Part) bool { return p.Name() == name })
}
