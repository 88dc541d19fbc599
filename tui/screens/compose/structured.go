package compose

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/items"
)

// scopeItems is that of the keys and actions of the dialog for structured values.
const scopeItems = "items"

// piecesOpen is the dialog for them.
type piecesOpen struct {
	dialog *items.Model // nil when none is open
	field  string       // the one that the dialog is for
	text   string       // the text of that field that the dialog shows
}

// openItems opens the dialog for a field; at is "+" to add an item at once, or the index
// of the item to edit.
func (m *Model) openItems(field, at string) tea.Cmd {
	spec, ok := m.sheet.Spec(field)
	if !ok {
		return screen.Toast(screen.Info, field+" has no keys that the gateway names: it is edited as JSON")
	}
	if _, bad := m.sheet.Draft.Values[field].(string); bad {
		m.goTo(field)
		return screen.Toast(screen.Warn, m.sheet.JSONProblem(field))
	}
	m.onlyPane = false
	m.sheet.Shape(field)
	m.sheet.Form.Focus(field)
	s := &m.items
	s.dialog, s.field, s.text = items.New(spec, m.sheet.PieceValue(field), m.st), field, m.sheet.Form.Text(field)
	s.dialog.SetFacts(m.sheet.Facts)
	if n, err := strconv.Atoi(at); err == nil && n < s.dialog.Len() {
		s.dialog.Select(n)
		s.dialog.Do(items.Edit)
	}
	cmd := m.commit(field)
	if at == "+" {
		s.dialog.Select(s.dialog.Len()) // behind the last
		cmd = tea.Batch(cmd, m.itemsEvent(s.dialog.Do(items.Add)))
	}
	return cmd
}

// openAny opens the dialog for the focused field, else for the first that has one,
// preferring a field with a value.
func (m *Model) openAny() tea.Cmd {
	best := ""
	for i := range m.sheet.Fields {
		name := m.sheet.Fields[i].Name
		_, ok := m.sheet.Spec(name)
		switch {
		case sheet.Structured(m.sheet.Fields[i].Kind) && name == m.sheet.Form.Focused():
			return m.openItems(name, "")
		case ok && (best == "" || m.sheet.Form.Text(best) == "" && m.sheet.Form.Text(name) != ""):
			best = name
		}
	}
	if best == "" {
		return screen.Toast(screen.Info, "this model has no field that is edited piece by piece")
	}
	return m.openItems(best, "")
}

// itemsEvent follows what happened in the dialog: the field's text is the value as JSON.
func (m *Model) itemsEvent(ev items.Event) tea.Cmd {
	s := &m.items
	var cmds []tea.Cmd
	field := s.field
	if ev.Changed {
		s.text = ""
		if v := s.dialog.Value(); v != nil {
			s.text = items.Format(v)
		}
		m.sheet.Form.SetText(field, s.text)
		cmds = append(cmds, m.changed(field))
	}
	if ev.Left || ev.Closed {
		cmds = append(cmds, m.commit(field))
	}
	switch {
	case ev.Raw:
		m.sheet.Raw[field] = true
		s.dialog = nil
		m.sheet.Form.SetFields(m.sheet.Rows())
		m.goTo(field)
	case ev.Closed:
		s.dialog = nil
		m.sheet.Form.SetFields(m.sheet.Rows())
		m.sheet.Form.Focus(field)
	}
	return tea.Batch(cmds...)
}

// syncItems follows what changed around the dialog: another model, or another value of
// its field, as from the editor.
func (m *Model) syncItems() {
	s := &m.items
	if s.dialog == nil {
		return
	}
	_, bad := m.sheet.Draft.Values[s.field].(string)
	if _, ok := m.sheet.Spec(s.field); !ok || bad {
		s.dialog = nil
		return
	}
	if text := m.sheet.Form.Text(s.field); text != s.text {
		s.text = text
		s.dialog.SetValue(m.sheet.PieceValue(s.field))
	}
}

// pasteItems adds what was pasted onto a field of pieces, as files that were dragged.
func (m *Model) pasteItems(k tea.KeyMsg) (tea.Cmd, bool) {
	field := m.sheet.Form.Focused()
	if _, ok := m.sheet.Spec(field); !ok || !m.sheet.Pieces(field) {
		return nil, false
	}
	cmd := m.openItems(field, "")
	if m.items.dialog == nil {
		return cmd, true
	}
	m.items.dialog.Select(m.items.dialog.Len())
	return tea.Batch(cmd, m.itemsEvent(m.items.dialog.Key(k))), true
}
