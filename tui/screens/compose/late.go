package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/late"
)

// now is the form as something is asked for that comes later.
func (m *Model) now() late.Form {
	return late.Form{Edits: m.doc.Changes(), Fills: m.sheet.Fills, Dialog: m.dialogOpen(), Pasting: m.pasting.Looking()}
}

// takeOrOffer goes on with something that was asked for when the form was so, unless somebody went
// on with the form meanwhile: then it is offered.
func (m *Model) takeOrOffer(at late.Form, what string, take func() tea.Cmd) tea.Cmd {
	if !at.Untouched(m.now()) {
		return m.late.Offer(what, take)
	}
	return take()
}

// offLate says why nothing is taken now, "" when it is.
func (m *Model) offLate() string {
	if off := m.late.Off(); off != "" || !m.dialogOpen() {
		return off
	}
	return overForm
}

// editedText puts a text from the editor into the field that it is of.
func (m *Model) editedText(msg screen.EditedMsg) tea.Cmd {
	put := func() tea.Cmd {
		return m.doc.Set(msg.Tag, m.sheet.Data.Fold(strings.TrimSuffix(msg.Text, "\n")))
	}
	if m.editor.Replaced(m.now()) {
		return m.late.Offer("the text from the editor for "+client.CleanLine(m.doc.Label(msg.Tag)), put)
	}
	return put()
}
