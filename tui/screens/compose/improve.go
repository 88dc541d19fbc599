package compose

import tea "github.com/charmbracelet/bubbletea"

// pickImprover marks the choice of the chat model that improves prompts.
const pickImprover = "#improver"

func (m *Model) improver() string                 { return m.marks.Improver }
func (m *Model) improveWith(model string) tea.Cmd { _ = model; return nil }
