package items

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/widgets/form"
)

// Rows of an item's form beside those of its parts, which are "p" and the part's index.
const (
	rowTag    = "#tag"
	rowButton = "#do"
	rowOther  = "#o."
	rowValue  = "#value"
)

// zonePrefix begins the zones of an item's form.
const zonePrefix = "items/"

// editing is an item in its form.
type editing struct {
	at    int
	form  *form.Form
	added bool              // it is new, and is removed if left empty
	kept  bool              // undo can restore the value before this visit
	bad   map[string]string // rows whose text is not JSON, with what is wrong
	sure  bool              // escape was pressed on such a row once
	stash map[string]any    // parts of other tags, by key, while the tag is being stepped through
	texts map[int]bool      // parts that held text when the form was opened: a number in text stays text
}

func (e *editing) focus(part int) { e.form.Focus("p" + strconv.Itoa(part)) }

// open shows the form of an item.
func (m *Model) open(at int) {
	m.Select(at)
	m.edit = &editing{at: at, form: form.New(zonePrefix, m.st), bad: map[string]string{}, stash: map[string]any{}, texts: map[int]bool{}}
	if item, ok := m.list[at].(map[string]any); ok {
		for i := range m.spec.Parts {
			v, _, _ := get(item, m.spec.Parts[i].Path)
			_, m.edit.texts[i] = v.(string)
			m.edit.form.SetText("p"+strconv.Itoa(i), m.spec.Parts[i].text(item))
		}
	}
	m.dress()
	if i := m.firstPart(); i >= 0 {
		m.edit.focus(i)
	}
}

// firstPart is the part to begin with: what the item is about.
func (m *Model) firstPart() int {
	item, _ := m.list[m.edit.at].(map[string]any)
	parts := m.spec.parts(item)
	if i := slices.IndexFunc(parts, func(i int) bool {
		return m.spec.Parts[i].Only != "" || m.spec.Tag == "" && m.spec.Parts[i].Kind == Lines
	}); i >= 0 {
		return parts[i]
	}
	if len(parts) > 0 {
		return parts[0]
	}
	return -1
}

// reopen shows the form anew, after the value changed under it.
func (m *Model) reopen() {
	focus := m.edit.form.Focused()
	m.edit = nil
	if m.Cursor() < len(m.list) {
		m.open(m.Cursor())
		m.edit.form.Focus(focus)
	}
}

// refill takes over changes made elsewhere, as a path that became a reference.
func (m *Model) refill() {
	item, ok := m.list[m.edit.at].(map[string]any)
	if !ok {
		m.reopen()
		return
	}
	for i := range m.spec.Parts {
		id := "p" + strconv.Itoa(i)
		p := &m.spec.Parts[i]
		if v, _, _ := get(item, p.Path); m.edit.bad[id] == "" && !same(p.value(m.edit.form.Text(id), v, m.edit.texts[i]), v) {
			m.edit.form.SetText(id, p.text(item))
		}
	}
	m.dress()
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// write takes over the text of a row.
func (m *Model) write(id string) Event {
	e := m.edit
	item, ok := m.list[e.at].(map[string]any)
	if !ok {
		return Event{}
	}
	if id == rowTag {
		return m.store(m.retag(item, e.form.Text(id)))
	}
	i, err := strconv.Atoi(strings.TrimPrefix(id, "p"))
	if err != nil || i >= len(m.spec.Parts) {
		return Event{}
	}
	p := &m.spec.Parts[i]
	old, has, _ := get(item, p.Path)
	text := e.form.Text(id)
	delete(e.bad, id)
	e.sure = false
	if p.json(old) && strings.TrimSpace(text) != "" {
		if _, err := client.ParseJSON(text); err != nil {
			e.bad[id] = "not JSON, not taken yet: " + client.CleanLine(err.Error())
			m.dress()
			return Event{}
		}
	}
	v := p.value(text, old, e.texts[i])
	if same(v, old) && (has || v == nil) {
		m.dress()
		return Event{}
	}
	return m.store(set(item, p.Path, v))
}

// store puts the edited item in its place; a whole visit is one undo step.
func (m *Model) store(item map[string]any) Event {
	e := m.edit
	if !e.kept {
		m.remember()
		e.kept = true
	}
	m.setList(slices.Clone(m.list))
	m.list[e.at] = item
	m.dress()
	return Event{Changed: true}
}

// retag changes the kind of an item. A reference is carried over between kinds of media; parts
// that the new kind lacks are kept until the form is left.
func (m *Model) retag(item map[string]any, tag string) map[string]any {
	was, _ := item[m.spec.Tag].(string)
	out := set(item, []string{m.spec.Tag}, tag)
	var ref any
	for i := range m.spec.Parts {
		p := &m.spec.Parts[i]
		if p.Only == "" || p.Only != was || was == tag {
			continue
		}
		if v, has, _ := get(out, p.Path); has && p.Kind == Media {
			ref = v
		}
		if v, has := out[p.Path[0]]; has {
			m.edit.stash[p.Path[0]] = v
			out = set(out, p.Path[:1], nil)
		}
	}
	for i := range m.spec.Parts {
		p := &m.spec.Parts[i]
		if p.Only != tag {
			continue
		}
		if v, ok := m.edit.stash[p.Path[0]]; ok && out[p.Path[0]] == nil {
			out = set(out, p.Path[:1], v)
		}
		if ref != nil && p.Kind == Media {
			out = set(out, p.Path, ref)
		}
		m.edit.form.SetText("p"+strconv.Itoa(i), p.text(out))
	}
	return out
}

// Writing is the text of many lines being typed, for an external editor; false when there is none.
// [Model.Write] takes it back.
func (m *Model) Writing() (string, bool) {
	if m.edit == nil || !m.edit.form.Capturing() {
		return "", false
	}
	id := m.edit.form.Focused()
	i, err := strconv.Atoi(strings.TrimPrefix(id, "p"))
	item, ok := m.list[m.edit.at].(map[string]any)
	if err != nil || !ok || i >= len(m.spec.Parts) {
		return "", false
	}
	v, _, _ := get(item, m.spec.Parts[i].Path)
	return m.edit.form.Text(id), m.spec.Parts[i].Kind == Lines && !m.spec.Parts[i].json(v)
}

// Write replaces the text being typed; without one it does nothing.
func (m *Model) Write(text string) Event {
	if _, ok := m.Writing(); !ok {
		return Event{}
	}
	id := m.edit.form.Focused()
	m.edit.form.SetText(id, text)
	return m.write(id)
}

// editKey handles a key while an item is edited.
func (m *Model) editKey(k tea.KeyMsg) Event {
	if k.String() == "esc" && !k.Paste {
		return m.close()
	}
	return m.formEvent(m.edit.form.Update(k))
}

func (m *Model) formEvent(ev form.Event) Event {
	var out Event
	switch {
	case ev.Kind == form.Changed:
		out = m.write(ev.ID)
	case ev.Kind == form.Pressed && ev.ID == rowButton:
		return m.Do(ev.Value)
	}
	out.Left = ev.Left != ""
	return out
}

// close goes back: from the kinds to the list, from an item to the list, and from there, or from
// the one object, out. Text that is not JSON is not dropped the first time.
func (m *Model) close() Event {
	if m.choosing != nil {
		m.choosing = nil
		return Event{}
	}
	if m.edit == nil {
		return Event{Closed: true}
	}
	if len(m.edit.bad) > 0 && !m.edit.sure {
		m.edit.sure = true
		m.note = "a text is not JSON: mend it, or press again to drop it"
		return Event{}
	}
	ev := m.done()
	ev.Closed = !m.spec.List
	return ev
}

// done leaves the form of an item; a new one left empty is removed.
func (m *Model) done() Event {
	e := m.edit
	if e == nil {
		return Event{}
	}
	if !m.spec.List {
		return Event{Left: true}
	}
	m.edit = nil
	item, _ := m.list[e.at].(map[string]any)
	_, tagged := item[m.spec.Tag]
	if e.added && (len(item) == 0 || len(item) == 1 && tagged) {
		m.setList(m.undo[len(m.undo)-1].list)
		m.undo = m.undo[:len(m.undo)-1]
		m.Select(e.at - 1)
	}
	return Event{Left: true, Changed: e.added}
}
