package tuitest

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// RunAll runs a command and all that follow from it, and delivers their messages to the screen;
// those for the shell or for bubbletea are dropped.
func RunAll(m screen.Screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if msg == nil || internal(msg) {
		return
	}
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			RunAll(m, c)
		}
	case screen.ToastMsg, screen.OpenMsg, screen.CopyMsg:
	default:
		_, next := m.Update(msg)
		RunAll(m, next)
	}
}
