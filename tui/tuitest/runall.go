package tuitest

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// RunAll runs a command and all that follow from it, and hands their messages to the
// screen; what is meant for the shell is dropped.
func RunAll(m screen.Screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			RunAll(m, c)
		}
	case nil, screen.ToastMsg, screen.OpenMsg, screen.CopyMsg:
	default:
		_, next := m.Update(msg)
		RunAll(m, next)
	}
}
