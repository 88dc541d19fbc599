package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/edits"
)

// editRequest opens the request as JSON in the person's editor. The form that it comes back into
// goes on being what it was: of the same jobs, with its prompt taken for the same, and compared with
// the same origin.
func (m *Model) editRequest() tea.Cmd {
	s := m.sheet
	whole, from, reading := s.Whole(), s.Origin, s.Reading
	f := edits.Form{Draft: s.Draft.Clone(), Format: s.Effective().Format, Struck: client.Values{}, At: m.now()}
	for _, name := range s.Struck() {
		f.Struck[name] = s.Values[name]
	}
	f.Fill = func(got intake.Result) tea.Cmd {
		origin, reading := from, reading
		if now := s.Origin; origin == nil && now != nil && now.Job == reading { // which came meanwhile
			origin, reading = now, ""
		}
		rest := screen.ComposeDraft{Draft: client.Draft{Parents: whole.Draft.Parents}, Expand: whole.Expand, Vars: whole.Vars}
		cmd := m.doc.FillFrom(got, rest, "taken from the editor")
		s.Origin, s.Reading = origin, reading
		m.doc.Refresh()
		return cmd
	}
	return m.edits.Open(f, s.Data)
}

// handleEditedRequest fills the form with a request that comes from the editor.
func (m *Model) handleEditedRequest(msg edits.ReadMsg) tea.Cmd {
	got, form, cmd, ok := m.edits.Read(msg, m.sheet.Data)
	if !ok {
		return cmd
	}
	take := func() tea.Cmd { return m.pasting.Fill(got, form.Draft.LocalFiles(), form.Fill) }
	if m.pasting.Asks() {
		return m.late.Offer("the request from the editor", take)
	}
	return m.takeOrOffer(form.At, "the request from the editor", take)
}
