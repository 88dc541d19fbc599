package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/catalog"
	"darkroom/jobs/chain"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/screens/compose/internal/sheet"
)

// addReference begins a reference in the field that is there for it. Where the mode has none,
// a file is chosen, and the mode follows it; where no mode has, it says so.
func (m *Model) addReference() tea.Cmd {
	if name := m.refPlace(); name != "" {
		m.doc.GoTo(name)
		return m.handle(m.sheet.Form.Click(sheet.ZonePrefix+name+"/+", 0, false))
	}
	c := m.sheet.Effective()
	if !m.takesRefs() {
		return screen.Toast(screen.Info, or(c.Model, "the form")+" takes no references; "+
			or(m.deps.Keys.Keys(actFiles), "choosing a file")+" finds a model that takes a file")
	}
	return tea.Batch(m.openFiles(), screen.Toast(screen.Info, "mode "+or(c.Mode, rows.Unset)+" takes no references: the mode follows the file"))
}

// refPlace is the field in which a reference begins, "" for none: the focused one, but for one
// that is full; else an empty one, else the first.
func (m *Model) refPlace() string {
	place, best := "", 0
	for i := range m.sheet.Fields {
		f := &m.sheet.Fields[i]
		if !f.Kind.Refers() && f.Kind != catalog.Content {
			continue
		}
		focused, empty := f.Name == m.sheet.Form.Focused(), m.sheet.Form.Text(f.Name) == ""
		rank := 0 // content may hold anything: only who is there means it
		switch {
		case focused && (empty || f.Kind != catalog.Media):
			rank = 3
		case empty && f.Kind.Refers():
			rank = 2
		case f.Kind.Refers():
			rank = 1
		}
		if rank > best {
			place, best = f.Name, rank
		}
	}
	return place
}

// takesRefs reports whether the model has a mode for any reference.
func (m *Model) takesRefs() bool {
	for _, kind := range []string{"image", "video", "audio"} {
		if _, ok := chain.Of(m.deps.Catalog, m.formDraft(), chain.Reference, kind); ok {
			return true
		}
	}
	return false
}
