package queue

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/remote"
)

// doOutside does the actions of the player; false for others.
func (m *Model) doOutside(id string) (tea.Cmd, bool) {
	verb := strings.TrimPrefix(id, scope+".")
	if !remote.Is(verb) {
		return nil, false
	}
	return m.outside.Do(verb, m.job()), true
}

// outsideOff says why the player can not do an action, "" when it can.
func (m *Model) outsideOff(id string, j *jobs.Job) string {
	return m.outside.Off(strings.TrimPrefix(id, scope+"."), j)
}

// outsideFact tells what plays.
func (m *Model) outsideFact(s *sheet, j *jobs.Job) {
	s.paint("Player", m.outside.Text(j), m.ink.accent)
}
