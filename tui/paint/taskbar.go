//go:build unix

package paint

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
)

// Values of [Terminal.Taskbar] beside the percentages.
const (
	TaskbarNone = -1 // nothing is under way
	TaskbarBusy = -2 // something is, and nobody knows how far it is
)

// Taskbar shows in the terminal's tab or the taskbar how far the work is: a percentage from 0 to
// 100, TaskbarBusy or TaskbarNone (OSC 9;4). It does nothing on a terminal that is not known to
// support it: others take it for a notification. The progress is removed when the terminal is given
// back.
func (t *Terminal) Taskbar(percent int) tea.Cmd {
	if !t.env().taskbar() {
		return nil
	}
	return func() tea.Msg {
		t.tell(taskbarSequence(percent))
		return nil
	}
}

func taskbarSequence(percent int) string {
	state := "1;" + strconv.Itoa(min(percent, 100))
	switch {
	case percent == TaskbarBusy:
		state = "3;0"
	case percent < 0:
		state = "0;0"
	}
	return "\x1b]9;4;" + state + "\x1b\\"
}
