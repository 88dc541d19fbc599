package app

import (
	"fmt"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
)

// key routes a key: to an overlay, to the shell, or to the screen.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	if m.insists(msg) {
		return tea.Quit
	}
	if m.overlay != noOverlay {
		return m.overlayKey(msg)
	}
	if global(msg) || !m.current().screen.Capturing() && !m.begins(msg) {
		if id, ok := m.commands.Lookup(msg.String()); ok {
			return m.do(id)
		}
	}
	return m.toScreen(m.active, msg)
}

// insists reports the second ctrl+c in a row: it ends the console, whatever question or wait is
// pending. The first one asks where something would be lost.
func (m *Model) insists(msg tea.KeyMsg) bool {
	again := m.interrupted
	m.interrupted = msg.Type == tea.KeyCtrlC && !msg.Paste
	return again && m.interrupted
}

// global reports whether a key is the shell's even while text is typed: keys with ctrl
// or alt, and function keys. A paste never is.
func global(msg tea.KeyMsg) bool {
	if msg.Paste {
		return false
	}
	if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
		return msg.Alt
	}
	s := msg.String()
	return msg.Alt || strings.HasPrefix(s, "ctrl+") || (len(s) > 1 && s[0] == 'f' && s[1] >= '1' && s[1] <= '9')
}

// begins reports whether a key is a letter that begins editing the focused text: such a key must
// not quit the console.
func (m *Model) begins(msg tea.KeyMsg) bool {
	s, ok := m.current().screen.(screen.TakesLetters)
	return ok && msg.Type == tea.KeyRunes && len(msg.Runes) > 0 && unicode.IsLetter(msg.Runes[0]) && s.TakesLetters()
}

// redraw draws everything anew, after something else wrote to the terminal.
func (m *Model) redraw() tea.Cmd {
	for i := range m.slots {
		m.slots[i].valid = false
	}
	if m.o.Repaint == nil {
		return nil
	}
	return m.o.Repaint()
}

// quitCheck comes when the visible screen has saved what it could.
type quitCheck struct{}

// leave lets the screen save its state, as when another one is shown, and then quits or asks.
func (m *Model) leave() tea.Cmd {
	return tea.Sequence(m.toScreen(m.active, screen.HiddenMsg{}), func() tea.Msg { return quitCheck{} })
}

// askQuit quits at once, unless something would be lost.
func (m *Model) askQuit() tea.Cmd {
	lost := m.lost()
	if m.o.Lost != nil {
		lost = append(lost, m.o.Lost()...)
	}
	if len(lost) == 0 {
		return tea.Quit
	}
	m.overlay = quitOverlay
	// The screen goes on as the visible one if the answer is to stay.
	cmd := m.toScreen(m.active, screen.ShownMsg{})
	m.quit = confirm.New("Quit?", strings.Join(lost, "\n"), "stay",
		confirm.Button{ID: "stay", Label: "Stay", Key: "s"}, confirm.Button{ID: "quit", Label: "Quit anyway", Key: "q"})
	return cmd
}

// lost is what quitting now would lose or leave behind.
func (m *Model) lost() (lost []string) {
	if m.o.Busy != nil {
		if n := m.o.Busy(); n > 0 {
			lost = append(lost, fmt.Sprintf("%d create(s) still wait for the gateway's answer. Without it nobody knows the task's id.", n))
		}
	}
	if m.o.Unsaved != nil {
		lost = append(lost, m.o.Unsaved()...)
	}
	for i := range m.slots {
		if u, ok := m.slots[i].screen.(screen.Unsaved); ok && m.slots[i].inited {
			if text := u.Unsaved(); text != "" {
				lost = append(lost, text)
			}
		}
	}
	return lost
}
