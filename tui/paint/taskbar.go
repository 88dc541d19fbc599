//go:build unix

package paint

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Values of [Terminal.Taskbar] beside the percentages.
const (
	TaskbarNone = -1 // nothing is under way
	TaskbarBusy = -2 // something is, and nobody knows how far it is
)

// Taskbar shows in the terminal's tab or the taskbar how far the work is: a percentage
// from 0 to 100, TaskbarBusy or TaskbarNone (OSC 9;4). It does nothing where the terminal
// is not known to have that: others take it for a notification. It is taken away when the
// terminal is given back.
func (t *Terminal) Taskbar(percent int) tea.Cmd {
	if !t.taskbar() {
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

func (t *Terminal) taskbar() bool { return hasTaskbar(t.opts.Env) }

// hasTaskbar says whether the terminal is one that shows progress, and is not behind a
// multiplexer.
func hasTaskbar(env func(string) string) bool {
	if multiplexer(env) != "" {
		return false
	}
	program, version := env("TERM_PROGRAM"), env("TERM_PROGRAM_VERSION")
	ptyxis, _, _ := strings.Cut(env("PTYXIS_VERSION"), ".")
	major, _ := strconv.Atoi(ptyxis) //nolint:errcheck // 0 for none
	return env("WT_SESSION") != "" || env("ConEmuANSI") == "ON" || program == "ghostty" ||
		program == "WezTerm" && version >= "2025" || // the version is a date
		major >= 48
}
