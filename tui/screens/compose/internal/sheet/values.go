package sheet

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/screens/compose/internal/references"
)

// Reference is a field with the references that it holds, wherever they stand in its value; false
// for a field that holds none.
func (m *Sheet) Reference(f *catalog.Field) (references.Field, bool) {
	spec, ok := m.Pieces.Spec(f.Name)
	if ok && !spec.HoldsMedia() || !ok && !f.Kind.Refers() {
		return references.Field{}, false
	}
	return references.Field{Name: f.Name, Kinds: f.MediaKinds, Text: m.Form.Text(f.Name), Value: m.Draft.Values[f.Name], Spec: spec}, true
}

// References are the fields that hold references.
func (m *Sheet) References() []references.Field {
	out := make([]references.Field, 0, 8) // more is rare
	for i := range m.Fields {
		if f, ok := m.Reference(&m.Fields[i]); ok {
			out = append(out, f)
		}
	}
	return out
}

// resolve looks at the fields with any reference that pick accepts; nil for none.
func resolve(fields []references.Field, pick func(string) bool, then references.After) tea.Cmd {
	return references.Resolve(slices.DeleteFunc(fields, func(f references.Field) bool { return !f.Any(pick) }), then)
}

// ResolveLocal looks at the references that need something of this machine; nil for none.
func (m *Sheet) ResolveLocal(then references.After) tea.Cmd {
	return resolve(m.References(), references.Local, then)
}

// ResolveTyped looks at the paths that stand as typed; nil for none.
func (m *Sheet) ResolveTyped(then references.After) tea.Cmd {
	return resolve(m.References(), media.Typed, then)
}

// LookAtFiles examines the files that came with a draft, each once.
func (m *Sheet) LookAtFiles() tea.Cmd { return m.Known.Look(m.refs) }

// Resolved applies what was found out about references, if the text is still the one that was
// looked at. It names the fields whose text has changed.
func (m *Sheet) Resolved(msg references.Msg) (changed []string) {
	for i := range msg.Found {
		f := &msg.Found[i]
		if m.Form.Text(f.Name) != f.Text {
			continue
		}
		m.Known.Take(f)
		if f.Done != f.Text {
			m.Form.SetText(f.Name, m.Data.Fold(f.Done))
			changed = append(changed, f.Name)
		}
	}
	return changed
}

// Set applies the text or choice of a row; false where nothing follows from it.
func (m *Sheet) Set(id string) bool {
	c := m.Chosen[m.Modality]
	value := m.Form.Text(id)
	switch id {
	case RowKind:
		m.Turn(client.Modality(value))
		return true
	case client.FieldModel:
		c.Model = value
	case client.FieldModelName:
		c.ModelName = value
	case client.FieldMode:
		c.Mode = value
	case RowFormat:
		c.Format = value
	case RowCopies:
		m.Form.SetFields(m.Rows())
		return false
	default:
		if f, ok := m.FieldNamed(id); ok && (f.Kind.Refers() || f.Kind.IsJSON()) {
			if folded := m.Data.Fold(value); folded != value {
				m.Form.SetText(id, folded)
			}
		}
		m.Known.Forget(id)
		if m.Refusal.Field == id {
			m.Refusal = findings.Refusal{}
		}
		return true
	}
	m.Chosen[m.Modality] = c
	return true
}

// Leave ends the editing of a field; the references in it are looked at.
func (m *Sheet) Leave(id string) tea.Cmd {
	f, ok := m.FieldNamed(id)
	if !ok {
		return nil
	}
	if _, pieces := m.Pieces.Spec(id); pieces {
		if _, bad := m.Draft.Values[id].(string); !bad {
			m.Shape(id)
		}
	}
	if _, ok := m.Reference(&f); !ok {
		return nil
	}
	if t := m.Form.Text(id); strings.HasSuffix(t, "\n") { // lines that were begun only
		m.Form.SetText(id, strings.TrimRight(t, " \n"))
	}
	ref, _ := m.Reference(&f)
	return resolve([]references.Field{ref}, references.Local, references.Nothing)
}

// Shape shows a field as pieces; the steps back of its text as JSON go.
func (m *Sheet) Shape(field string) {
	if !m.Pieces.Show(field, true) {
		return
	}
	text := m.Form.Text(field)
	m.Form.SetFields(m.Rows())
	m.Form.Forget(field)
	m.Form.SetText(field, text)
}
