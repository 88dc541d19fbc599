package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/screen"
)

// askAway reports once when the history stops answering, and once when it answers again, which
// removes the first report. The title line shows it all the while.
func (m *Model) askAway() tea.Cmd {
	f := m.counts.Flow
	switch away := !f.Away.IsZero(); {
	case away == (m.away != ""):
		return nil
	case !away:
		m.toasts.Remove(m.away)
		m.away = ""
		return m.toasts.show(screen.Info, "The history is back.")
	}
	m.away = client.CleanLine("The history has not answered since " + human.Times{Now: f.Away.Local()}.Clock(f.Away) +
		"; trying again. Nothing can be submitted until then, and what is shown may be old.  " + f.Why)
	return m.toasts.show(screen.Bad, m.away)
}
