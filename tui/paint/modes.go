//go:build unix

package paint

import (
	"os"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"darkroom/tui/paint/internal/tty"
)

// modes are those that painting needs: the modes of the input, and what the terminal is told. Those
// of the input are restored to what they first were.
type modes struct {
	in    *os.File
	env   environ
	title string // "" leaves it alone
	mouse atomic.Bool

	saved *term.State
	stty  string // the same, for the guardian
}

const (
	mouseOn  = "\x1b[?1002h\x1b[?1006h"
	mouseOff = "\x1b[?1006l\x1b[?1002l"
)

// raw makes every key arrive as it is typed.
func (m *modes) raw() error {
	if m.saved == nil {
		m.stty = tty.Modes(m.in)
	}
	found, err := term.MakeRaw(tty.Fd(m.in))
	if m.saved == nil {
		m.saved = found
	}
	return err
}

// restore sets the input's modes as they were found.
func (m *modes) restore() {
	if saved := m.saved; saved != nil {
		_ = term.Restore(tty.Fd(m.in), saved)
	}
}

// enter returns the sequence that takes the terminal. It saves the title only when coming in: the
// terminal stacks titles.
func (m *modes) enter(comingIn bool) string {
	var b strings.Builder
	if m.title != "" && !m.env.dumb() {
		if comingIn {
			b.WriteString("\x1b[22;0t")
		}
		b.WriteString("\x1b]2;" + printable(m.title) + "\x1b\\")
	}
	b.WriteString("\x1b[?1049h\x1b[m\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1004h")
	if m.mouse.Load() {
		b.WriteString(mouseOn)
	}
	if m.env.xterm() {
		b.WriteString("\x1b[?1036;1039s\x1b[?1036;1039h")
	}
	return b.String()
}

// leave returns the sequence that gives the terminal back.
func (m *modes) leave() string {
	var b strings.Builder
	b.WriteString("\x1b[?2026l\x1b[m")
	if m.env.xterm() {
		b.WriteString("\x1b[?1036;1039r")
	}
	if m.env.taskbar() {
		b.WriteString(taskbarSequence(TaskbarNone))
	}
	b.WriteString(mouseOff) // whatever it was before: the guardian is told once
	b.WriteString("\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l")
	if m.title != "" && !m.env.dumb() {
		b.WriteString("\x1b[23;0t")
	}
	return b.String()
}
