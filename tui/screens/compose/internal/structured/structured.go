// Package structured edits lists and objects of the form of Compose piece by piece: it opens the
// dialog over a field, and applies the result to the document.
package structured

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/items"
)

// Editor edits fields piece by piece. Make it with [New].
type Editor struct {
	doc    *document.Document
	over   *screen.Stack
	keys   keys.Map
	others []string
}

// New edits the fields of a document. Others are actions of the screen that the dialog passes on.
func New(d *document.Document, over *screen.Stack, k keys.Map, others ...string) Editor {
	return Editor{d, over, k, others}
}

// field is a field of the form, as the dialog edits it.
type field struct {
	sheet *sheet.Sheet
	name  string
}

// Text implements pieces.Field.
func (f field) Text() (string, bool) {
	_, bad := f.sheet.Draft.Values[f.name].(string)
	_, ok := f.sheet.Pieces.Spec(f.name)
	return f.sheet.Form.Text(f.name), ok && !bad
}

// Value implements pieces.Field.
func (f field) Value() any { return f.sheet.Data.Shrink(f.sheet.Draft.Values[f.name]) }

// Facts implements pieces.Field.
func (f field) Facts() map[string]items.Fact { return f.sheet.Known.Facts() }

// Pasted implements pieces.Field: a data URI in one piece, and abbreviated.
func (f field) Pasted(runes []rune) []rune { return f.sheet.Data.Pasted(runes, true) }

// Open opens the dialog for a field; at is "+" to add an item at once, or the index of the item to
// edit. A text pasted onto the field is added.
func (d *Editor) Open(name, at string, pasted []rune) tea.Cmd {
	s := d.doc.Sheet
	spec, ok := s.Pieces.Spec(name)
	if !ok {
		return screen.Toast(screen.Info, s.Label(name)+" has no keys that the gateway names: it is edited as JSON")
	}
	if _, bad := s.Draft.Values[name].(string); bad {
		d.doc.GoTo(name)
		why := s.Label(name) + " is not JSON that fits"
		if p := s.About(name); p != nil && p.Severity == catalog.Block {
			why = client.CleanLine(p.Message)
		}
		return screen.Toast(screen.Warn, why)
	}
	s.Shape(name)
	s.Form.Focus(name)
	left := d.doc.Left(name)
	d.doc.Side.ShowForm()
	return tea.Batch(left, d.over.Open(pieces.New(pieces.Options{
		Keys: d.keys, Name: name, Field: field{s, name}, Spec: *spec, At: at, Paste: pasted, Others: d.others,
	})))
}

// OpenAny opens the dialog for the focused field, else for the first that has a dialog, preferring
// a field with a value.
func (d *Editor) OpenAny() tea.Cmd {
	s, best := d.doc.Sheet, ""
	for i := range s.Fields {
		name := s.Fields[i].Name
		_, ok := s.Pieces.Spec(name)
		switch {
		case s.Fields[i].Kind.IsJSON() && name == s.Form.Focused():
			return d.Open(name, "", nil)
		case ok && (best == "" || s.Form.Text(best) == "" && s.Form.Text(name) != ""):
			best = name
		}
	}
	if best == "" {
		return screen.Toast(screen.Info, "this model has no field that is edited piece by piece")
	}
	return d.Open(best, "", nil)
}

// Off says why there is nothing to edit piece by piece, "" when there is.
func (d *Editor) Off() string {
	if d.doc.Sheet.Pieces.Any() {
		return ""
	}
	return "no field of this model has named keys"
}

// Paste adds what was pasted onto the focused field, such as files that were dragged; false where
// the field does not show as pieces.
func (d *Editor) Paste(pasted []rune) (tea.Cmd, bool) {
	s := d.doc.Sheet
	name := s.Form.Focused()
	if !s.Pieces.Shows(name, s.Draft.Values[name]) {
		return nil, false
	}
	return d.Open(name, "", pasted), true
}

// Said follows up what happened in the dialog: the field's text becomes the value as JSON.
func (d *Editor) Said(a pieces.Said) tea.Cmd {
	s := d.doc.Sheet
	var cmds []tea.Cmd
	if a.Changed {
		cmds = append(cmds, d.doc.Set(a.Name, a.Text))
	}
	if a.Left || a.Closed {
		cmds = append(cmds, d.doc.Left(a.Name))
	}
	switch {
	case a.Raw:
		s.Pieces.Show(a.Name, false)
		s.Form.SetFields(s.Rows())
		d.doc.GoTo(a.Name)
	case a.Closed:
		s.Form.SetFields(s.Rows())
		s.Form.Focus(a.Name)
	}
	return tea.Batch(cmds...)
}
