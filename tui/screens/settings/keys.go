package settings

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// key handles a key: the filter first, then actions, then moving.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.filtering:
		return m.filterKey(msg)
	case msg.Paste:
		return nil // text that nobody asked for is no list of commands
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		cmds = append(cmds, m.command(k))
		if m.Capturing() {
			break // the rest was not meant for what has opened
		}
	}
	return tea.Batch(cmds...)
}

func (m *Model) command(k tea.KeyMsg) tea.Cmd {
	name := k.String()
	if id, ok := m.commands.Lookup(name); ok {
		return m.commands.Do(m, id)
	}
	m.moveBy(name)
	return nil
}

// moveBy moves the cursor as a key says, and reports whether it is such a key.
func (m *Model) moveBy(name string) bool {
	switch name {
	case "down", "j":
		m.move(1)
	case "up", "k":
		m.move(-1)
	case "pgdown", "ctrl+d":
		m.move(max(1, m.rows.Rows()-1))
	case "pgup", "ctrl+u":
		m.move(-max(1, m.rows.Rows()-1))
	case "home", "g":
		m.move(-len(m.entries))
	case "end", "G":
		m.move(len(m.entries))
	default:
		return false
	}
	return true
}

// filterKey handles a key while the filter is typed.
func (m *Model) filterKey(msg tea.KeyMsg) tea.Cmd {
	switch name := msg.String(); name {
	case "enter", "tab":
		m.filtering = false
		return nil
	case "esc":
		m.filtering = false
		m.back()
		return nil
	case "up", "down", "pgup", "pgdown":
		m.moveBy(name)
		return nil
	}
	if msg.Type == tea.KeyRunes {
		msg.Runes = []rune(clean(string(msg.Runes)))
	}
	before := m.filter.Value()
	m.filter.Update(msg, 0)
	if m.filter.Value() != before {
		m.at[m.page] = ""
		m.fill()
	}
	return nil
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	m.capture = nil
	if m.filtering && msg.Zone != "filter" {
		m.filtering = false
	}
	if i, ok := m.rows.Hit(msg.Zone, "set:"); ok && m.entries[i].heading == "" {
		again, _ := m.rows.Click(msg, "set:")
		m.keepPlace()
		if again && m.current().profile == nil || msg.Double && m.current().row != nil {
			return m.commands.Do(m, actChange)
		}
		return nil
	}
	what, value, _ := strings.Cut(msg.Zone, ":")
	switch what {
	case "page":
		for p, o := range pageOptions() {
			if o.Value == value {
				m.turn(p - int(m.page))
			}
		}
	case "filter":
		m.filtering = true
	case "btn":
		return m.commands.Do(m, value)
	}
	return nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	if msg.Zone == "detail" {
		m.detail.Wheel(msg.Delta)
		return
	}
	m.move(msg.Delta)
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action {
	return append(m.stack.Actions(), m.commands.Actions(m)...)
}

// ShortHelp implements screen.Screen.
func (m *Model) ShortHelp() []key.Binding {
	switch {
	case m.capture != nil:
		return []key.Binding{keys.Fixed("any key", "becomes its key"), keys.Fixed("esc", "leave it")}
	case m.stack.Top() != nil:
		return m.stack.ShortHelp()
	case m.filtering:
		return []key.Binding{keys.Fixed("enter", "keep the filter"), keys.Fixed("esc", "clear it")}
	}
	return m.commands.LineNow(m, actChange, actReset, actMore, actAdd, actTest, actSwitch, actKey, actNext, actFilter, actEdit)
}

// FullHelp implements screen.Screen.
func (m *Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{m.commands.Help(), {keys.Fixed("↑↓ jk", "move"), keys.Fixed("g G", "to an end")}}
}
