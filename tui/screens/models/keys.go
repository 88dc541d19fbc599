package models

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
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

// command does what a single key means. The space bar turns pages in the detail.
func (m *Model) command(k tea.KeyMsg) tea.Cmd {
	if id, ok := m.commands.Lookup(k.String()); ok {
		return m.commands.Do(m, id)
	}
	if m.focus == detailPane {
		m.fillDetail() // what is moved has to be what shows
		m.detail.Update(k)
		return nil
	}
	m.table.Update(k)
	m.settle()
	return nil
}

// filterKey handles a key while the filter is typed: the cursor can still be moved, and keys with
// ctrl or alt do what they do elsewhere.
func (m *Model) filterKey(msg tea.KeyMsg) tea.Cmd {
	name := msg.String()
	switch name {
	case "enter", "tab":
		m.endFilter()
		return nil
	case "esc":
		m.endFilter()
		m.leave()
		return nil
	case "up", "down", "pgup", "pgdown":
		m.table.Update(msg)
		m.settle()
		return nil
	}
	if id, ok := m.commands.Lookup(name); ok && !msg.Paste && typedToo(name) {
		return m.commands.Do(m, id)
	}
	if msg.Type == tea.KeyRunes {
		msg.Runes = []rune(client.CleanLine(string(msg.Runes)))
	}
	before := m.filter.Value()
	m.filter.Update(msg, m.tableWidth())
	if m.filter.Value() != before {
		m.apply(true)
	}
	return nil
}

// typedToo reports whether a key works as an action while text is typed.
func typedToo(name string) bool {
	return strings.HasPrefix(name, "ctrl+") || strings.HasPrefix(name, "alt+") || len(name) > 1 && name[0] == 'f' && name[1] >= '1' && name[1] <= '9'
}

func (m *Model) endFilter() {
	m.filtering = false
	m.layout()
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	if m.filtering && msg.Zone != "filter" {
		m.endFilter()
	}
	if m.table.Click(msg) {
		m.focus = tablePane
		m.settle()
		if msg.Double {
			return m.commands.Do(m, actOpen)
		}
		return nil
	}
	what, value, _ := strings.Cut(msg.Zone, ":")
	switch what {
	case "detail":
		m.focus = detailPane
	case "filter":
		return m.commands.Do(m, actFilter)
	case "kind":
		if i := slices.Index(kindNames(), value); i >= 0 {
			m.setKind(i)
		}
	case "show":
		for s := range shows {
			if s.String() == value {
				m.setShow(s)
			}
		}
	case "btn":
		return m.commands.Do(m, value)
	}
	return nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	if msg.Zone == "detail" || !m.tableShows() {
		m.fillDetail()
		m.detail.Wheel(msg.Delta)
		return
	}
	m.table.Wheel(msg.Delta)
	m.settle()
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action { return m.commands.Actions(m) }

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	if m.filtering {
		return []key.Binding{keys.Fixed("enter", "keep"), keys.Fixed("esc", "clear"), keys.Fixed("↑↓", "move")}
	}
	ids := []string{actOpen}
	if m.focus == detailPane {
		ids = []string{actBack}
	}
	for _, b := range m.commands.Buttons(m) {
		ids = append(ids, b.ID)
	}
	return m.commands.Line(append(ids, actFilter, actNextKind, actDifferences, actRefresh)...)
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{m.commands.Help(), {
		keys.Fixed("↑↓ j k", "move"), keys.Fixed("pgup pgdn", "a page"), keys.Fixed("g G", "first, last"), keys.Fixed("space b", "a page of the detail"),
	}}
}
