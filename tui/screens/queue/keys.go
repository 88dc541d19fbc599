package queue

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

const scope = string(screen.Queue)

// key handles a key: a dialog first, then the filter, then actions, then moving.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	name := msg.String()
	switch {
	case m.question == askAdopt:
		return m.adoptKey(msg)
	case m.question != noQuestion:
		return m.answer(m.confirm.HandleKey(name))
	case m.filtering:
		return m.filterKey(msg)
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		cmds = append(cmds, m.command(k.String()))
	}
	return tea.Batch(cmds...)
}

func (m *Model) command(name string) tea.Cmd {
	if m.focus == detailPane || (m.opened && !m.wide()) {
		if (name == "left" || name == "right") && m.detailShows() {
			m.turn(name == "right")
			return nil
		}
		if m.scroll.HandleKey(name) {
			return nil
		}
	} else if m.table.HandleKey(name) {
		return nil
	}
	if id, ok := m.deps.Keys.Lookup(scope, name); ok {
		return m.do(id)
	}
	if name == "R" || name == "f5" {
		return m.reload()
	}
	return nil
}

func (m *Model) adoptKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc", "ctrl+c":
		m.question = noQuestion
		m.adopt.Blur()
		return nil
	case "enter":
		return m.adopted()
	}
	var cmd tea.Cmd
	m.adopt, cmd = m.adopt.Update(msg)
	return cmd
}

func (m *Model) filterKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "enter", "down", "tab":
		m.filtering = false
		m.filter.Blur()
		return nil
	case "esc":
		m.filtering = false
		m.filter.Blur()
		m.filter.SetValue("")
		return m.setFilter()
	}
	before := m.filter.Value()
	var cmd tea.Cmd
	m.filter, cmd = m.filter.Update(msg)
	if m.filter.Value() != before {
		return tea.Batch(cmd, m.setFilter())
	}
	return cmd
}

// setFilter reads the filter and asks for it after a moment without typing.
func (m *Model) setFilter() tea.Cmd {
	q, err := parseFilter(m.filter.Value())
	if err != nil {
		m.filterErr = err.Error()
		return nil
	}
	m.filterErr, m.query = "", q
	m.gen++
	return waitFilter(m.gen)
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	switch {
	case m.question == askAdopt:
		return nil
	case m.question != noQuestion:
		return m.answer(m.confirm.Click(msg.Zone))
	case m.table.Click(msg.Zone):
		m.focus = tablePane
		if msg.Double {
			return m.do("queue.open")
		}
	case msg.Zone == "detail":
		m.focus = detailPane
	case msg.Zone == "filter":
		return m.do("queue.filter")
	case len(msg.Zone) > 4 && msg.Zone[:4] == "btn:":
		return m.do(msg.Zone[4:])
	default:
		for i, n := range sectionNames {
			if msg.Zone == "tab:"+n {
				m.focus = detailPane
				m.setSection(section(i))
			}
		}
	}
	return nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	switch {
	case m.question != noQuestion:
	case msg.Zone == "detail" || (m.opened && !m.wide()):
		m.scroll.Wheel(msg.Delta)
	default:
		m.table.Wheel(msg.Delta)
	}
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action {
	var out []screen.Action
	for _, a := range m.deps.Keys.Actions(scope) {
		out = append(out, screen.Action{ID: a.ID, Title: a.Title, Off: m.off(a.ID)})
	}
	return out
}

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	k := m.deps.Keys
	if m.filtering {
		return []key.Binding{fixed("enter", "keep"), fixed("esc", "clear")}
	}
	short := []key.Binding{k.Short("queue.open", "open")}
	for _, a := range []struct{ id, text string }{
		{"queue.adopt", "adopt an id"}, {"queue.resend", "send again"}, {"queue.download", "download"}, {"queue.open-file", "open file"},
		{"queue.resubmit", "to compose"}, {"queue.repoll", "ask again"}, {"queue.inspect", "inspect"}, {"queue.drop", "drop"},
	} {
		if m.off(a.id) == "" {
			short = append(short, k.Short(a.id, a.text))
		}
	}
	return append(short, k.Short("queue.filter", "filter"), k.Short("queue.mark", "mark"))
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	var actions []key.Binding
	for _, a := range m.deps.Keys.Actions(scope) {
		actions = append(actions, m.deps.Keys.Binding(a.ID))
	}
	move := []key.Binding{fixed("↑↓ j k", "move"), fixed("pgup pgdn", "a page"), fixed("g G", "first, last"), fixed("← →", "sections of the detail"), fixed("f5", "read the history again")}
	return [][]key.Binding{actions, move}
}

func fixed(k, what string) key.Binding { return key.NewBinding(key.WithKeys(k), key.WithHelp(k, what)) }
