package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screens/compose/internal/checks"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/picker"
)

// copy copies the request, or asks which one where several show.
func (m *Model) copy() tea.Cmd {
	if list := m.doc.Side.Request.Choices(); len(list) > 0 {
		return m.over.Open(choose.New(picker.New("Copy which request?", "format …", list), forCopy{}))
	}
	return m.doc.Side.Copy("")
}

// inChecks reports whether a zone is in Checks.
func inChecks(id string) bool {
	return id == checks.Zone || strings.HasPrefix(id, sheet.ZoneCheck) || strings.HasPrefix(id, sheet.ZoneDiffer)
}
