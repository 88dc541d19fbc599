package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/items"
)

// tagItem marks a text of an item that is in the editor.
const tagItem = "#item"

// pieceField is a field of the form as the dialog edits it.
type pieceField struct {
	sheet *sheet.Sheet
	name  string
}

// Text implements pieces.Field.
func (f pieceField) Text() (string, bool) {
	_, bad := f.sheet.Draft.Values[f.name].(string)
	_, ok := f.sheet.Pieces.Spec(f.name)
	return f.sheet.Form.Text(f.name), ok && !bad
}

// Value implements pieces.Field.
func (f pieceField) Value() any { return f.sheet.Data.Shrink(f.sheet.Draft.Values[f.name]) }

// Facts implements pieces.Field.
func (f pieceField) Facts() map[string]items.Fact { return f.sheet.Known.Facts() }

// Pasted implements pieces.Field: a data URI in one piece, and abbreviated.
func (f pieceField) Pasted(runes []rune) []rune { return f.sheet.Data.Pasted(runes, true) }

// openItems opens the dialog for a field; at is "+" to add an item at once, or the index of the
// item to edit. What was pasted onto the field is added.
func (m *Model) openItems(field, at string, pasted []rune) tea.Cmd {
	spec, ok := m.sheet.Pieces.Spec(field)
	if !ok {
		return screen.Toast(screen.Info, field+" has no keys that the gateway names: it is edited as JSON")
	}
	if _, bad := m.sheet.Draft.Values[field].(string); bad {
		m.doc.GoTo(field)
		why := field + " is no JSON that fits"
		if p := m.sheet.About(field); p != nil && p.Severity == catalog.Block {
			why = client.CleanLine(p.Message)
		}
		return screen.Toast(screen.Warn, why)
	}
	m.sheet.Shape(field)
	m.sheet.Form.Focus(field)
	left := m.doc.Left(field)
	return tea.Batch(left, m.open(pieces.New(pieces.Options{
		Keys: m.deps.Keys, Name: field, Field: pieceField{m.sheet, field}, Spec: *spec, At: at, Paste: pasted,
		Others: []string{sheet.ActEditor, actFiles, actResults},
	})))
}

// openAny opens the dialog for the focused field, else for the first that has one,
// preferring a field with a value.
func (m *Model) openAny() tea.Cmd {
	best := ""
	for i := range m.sheet.Fields {
		name := m.sheet.Fields[i].Name
		_, ok := m.sheet.Pieces.Spec(name)
		switch {
		case m.sheet.Fields[i].Kind.IsJSON() && name == m.sheet.Form.Focused():
			return m.openItems(name, "", nil)
		case ok && (best == "" || m.sheet.Form.Text(best) == "" && m.sheet.Form.Text(name) != ""):
			best = name
		}
	}
	if best == "" {
		return screen.Toast(screen.Info, "this model has no field that is edited piece by piece")
	}
	return m.openItems(best, "", nil)
}

// saidPieces follows what happened in the dialog: the field's text is the value as JSON.
func (m *Model) saidPieces(a pieces.Said) tea.Cmd {
	var cmds []tea.Cmd
	if a.Changed {
		cmds = append(cmds, m.doc.Set(a.Name, a.Text))
	}
	if a.Left || a.Closed {
		cmds = append(cmds, m.doc.Left(a.Name))
	}
	switch {
	case a.Raw:
		m.sheet.Pieces.Show(a.Name, false)
		m.sheet.Form.SetFields(m.sheet.Rows())
		m.doc.GoTo(a.Name)
	case a.Closed:
		m.sheet.Form.SetFields(m.sheet.Rows())
		m.sheet.Form.Focus(a.Name)
	}
	return tea.Batch(cmds...)
}

// editPieces opens the text of an item, else the whole value as JSON, in the person's editor.
func (m *Model) editPieces(a pieces.Edit) tea.Cmd {
	msg := screen.EditMsg{Text: a.Text, Suffix: ".txt", Tag: tagItem}
	if !a.Written {
		msg = screen.EditMsg{Text: m.sheet.Data.Unfold(m.sheet.Form.Text(a.Name)), Suffix: ".json", Tag: a.Name}
	}
	return func() tea.Msg { return msg }
}

func (m *Model) editedItem(text string) tea.Cmd {
	if !m.over.Has(pieces.Scope) || m.editor.Replaced(m.now()) {
		return m.late.Offer("the text of an item from the editor, for the clipboard", func() tea.Cmd {
			return func() tea.Msg { return screen.CopyMsg{Text: text, What: "the text from the editor"} }
		})
	}
	cmd, _ := m.over.Update(pieces.EditedMsg{Text: strings.TrimSuffix(text, "\n")})
	return cmd
}

// pasteItems adds what was pasted onto a field of pieces, as files that were dragged.
func (m *Model) pasteItems(pasted []rune) (tea.Cmd, bool) {
	field := m.sheet.Form.Focused()
	if !m.sheet.Pieces.Shows(field, m.sheet.Draft.Values[field]) {
		return nil, false
	}
	return m.openItems(field, "", pasted), true
}

// offItems says why there is nothing to edit piece by piece, "" when there is.
func (m *Model) offItems() string {
	if m.sheet.Pieces.Any() {
		return ""
	}
	return "no field of this model has named keys"
}
