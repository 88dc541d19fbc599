package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/tui/screen"
)

// beginEdit is the form as its request is handed to the editor.
func (m *Model) beginEdit() editing {
	e := editing{format: m.sheet.Effective().Format, files: map[string]string{}, d: m.sheet.Draft.Clone(), struck: client.Values{},
		rest: m.sheet.Whole(), origin: m.sheet.Origin, reading: m.sheet.Reading, at: m.asks()}
	for _, name := range m.sheet.Struck() {
		e.struck[name] = m.sheet.Values[name]
	}
	return e
}

// fillEdited fills the form with an edited request. It goes on being what it was: of the same
// jobs, with its prompt taken for the same, and compared with the same origin.
func (m *Model) fillEdited(got intake.Result, e editing) tea.Cmd {
	rest := screen.ComposeDraft{Draft: client.Draft{Parents: e.rest.Draft.Parents}, Expand: e.rest.Expand, Vars: e.rest.Vars}
	from, reading := e.origin, e.reading
	if now := m.sheet.Origin; from == nil && now != nil && now.Job == reading { // which came meanwhile
		from, reading = now, ""
	}
	cmd := m.fillOver(got, rest, "taken from the editor")
	m.sheet.Origin, m.sheet.Reading = from, reading
	m.refresh()
	return cmd
}
