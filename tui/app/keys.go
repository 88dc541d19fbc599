package app

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// key routes a key: to an overlay, to the shell, or to the screen.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	if m.insists(msg) {
		return tea.Quit
	}
	if m.overlay != noOverlay {
		return m.overlayKey(msg)
	}
	if s, ok := m.current().screen.(screen.TakesKeys); ok && s.TakesKeys() {
		return m.toScreen(m.active, msg)
	}
	if end := toured(m, msg); end != nil {
		return tea.Batch(end, pressed(m, msg))
	}
	return pressed(m, msg)
}

// pressed is a key for the shell, or else for the screen.
func pressed(m *Model, msg tea.KeyMsg) tea.Cmd {
	if m.reaches(msg) {
		if id, ok := m.commands.Lookup(msg.String()); ok {
			return m.do(id)
		}
	}
	return m.toScreen(m.active, msg)
}

// reaches reports whether a key comes to the shell: where a text has the focus, most are typed.
func (m *Model) reaches(msg tea.KeyMsg) bool {
	return global(msg) || !m.current().screen.Capturing() && !m.begins(msg)
}

// typing reports whether the visible screen is one to type into now.
func (m *Model) typing() bool {
	s, ok := m.current().screen.(screen.TakesLetters)
	return m.current().screen.Capturing() || ok && s.TakesLetters()
}

// works is the first key of an action of the shell that does it now, as people write it: "?" is
// typed where a text has the focus, and F1 is not. It is "" for an action without a key.
func works(m *Model, id string) string {
	a, _ := m.o.Keys.Action(id)
	for _, name := range a.Keys {
		if msg, ok := keys.Parse(name); ok && m.reaches(msg) {
			return keys.Show(name)
		}
	}
	return m.commands.Key(id)
}

// allKeys are the keys of an action, those first that do it now.
func allKeys(m *Model, b key.Binding) string {
	var now, later []string
	for _, name := range b.Keys() {
		if msg, ok := keys.Parse(name); ok && m.reaches(msg) {
			now = append(now, keys.Show(name))
		} else {
			later = append(later, keys.Show(name))
		}
	}
	return strings.Join(append(now, later...), "  ")
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
