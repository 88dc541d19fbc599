package app

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// askAway tells once when the history stops answering, and once when it answers again; the
// title line says it all the while.
func (m *Model) askAway() tea.Cmd {
	f := m.counts.Flow
	away := !f.Away.IsZero()
	if away == m.away {
		return nil
	}
	m.away = away
	if !away {
		return m.toast(screen.Info, "The history answers again.")
	}
	return m.toast(screen.Bad, "The history has not answered since "+f.Away.Local().Format(time.TimeOnly)+
		"; it is tried on. Nothing can be submitted meanwhile, and what is shown may be old. "+f.Why)
}
