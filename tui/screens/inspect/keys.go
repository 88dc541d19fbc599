package inspect

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

const scope = string(screen.Inspect)

// key handles a key: the dialog first, then the input, then actions, then moving.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.picker != nil:
		return m.picked(m.picker.Update(msg))
	case m.focus == inputPane:
		return m.inputKey(msg)
	case msg.Paste:
		m.input.SetValue("")
		m.setFocus(inputPane)
		return m.inputKey(msg)
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		cmds = append(cmds, m.command(k.String()))
	}
	return tea.Batch(cmds...)
}

func (m *Model) command(name string) tea.Cmd {
	if name == "enter" && m.focus == routesPane {
		m.setFocus(answerPane)
		return nil
	}
	if id, ok := m.deps.Keys.Lookup(scope, name); ok {
		return m.do(id)
	}
	switch m.focus {
	case routesPane:
		if m.table.HandleKey(name) {
			m.moved = true
			m.raw.SetTop(0)
		}
	case answerPane:
		m.raw.HandleKey(name)
	default:
		m.facts.HandleKey(name)
	}
	return nil
}

// inputKey handles a key while the id is typed. Letters are letters there; keys with
// ctrl or alt do what they do elsewhere.
func (m *Model) inputKey(msg tea.KeyMsg) tea.Cmd {
	name := msg.String()
	switch name {
	case "up", "down":
		n := 1
		if name == "up" {
			n = -1
		}
		if id, ok := m.recent.step(n, m.input.Value()); ok {
			m.input.SetValue(id)
			m.input.CursorEnd()
		}
		return nil
	}
	if typed := msg.Paste || (!msg.Alt && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace)); typed {
		text := visible(string(msg.Runes))
		if msg.Paste {
			text = cleanID(string(msg.Runes))
		}
		if text == "" {
			return nil
		}
		msg = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: msg.Paste}
	} else if id, ok := m.deps.Keys.Lookup(scope, name); ok {
		return m.do(id)
	}
	var cmd tea.Cmd
	m.input, cmd = m.input.Update(msg)
	return cmd
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	if m.picker != nil {
		return m.picked(m.picker.Click(msg.Zone))
	}
	switch msg.Zone {
	case "input":
		m.setFocus(inputPane)
	case "facts", "tab:facts":
		m.setFocus(factsPane)
	case "answer", "tab:answer":
		m.setFocus(answerPane)
	case "tab:routes":
		m.setFocus(routesPane)
	default:
		if id, ok := strings.CutPrefix(msg.Zone, "btn:"); ok {
			return m.do(id)
		}
		if m.table.Click(msg.Zone) {
			m.setFocus(routesPane)
			m.moved = true
			m.raw.SetTop(0)
			if msg.Double {
				m.setFocus(answerPane)
			}
		}
	}
	return nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	_, row := m.table.RowOf(msg.Zone)
	switch {
	case m.picker != nil:
		m.picker.Wheel(msg.Delta)
	case row:
		m.table.Wheel(msg.Delta)
		m.moved = true
	case msg.Zone == "answer" || msg.Zone != "facts" && m.page == answerPane:
		m.raw.Wheel(msg.Delta)
	default:
		m.facts.Wheel(msg.Delta)
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
	var out []key.Binding
	if m.focus == inputPane {
		out = append(out, k.Short("inspect.lookup", "look up"), fixed("↑↓", "ids of before"), fixed(m.typedKey("inspect.format"), "format"))
	} else {
		out = append(out, k.Short("inspect.edit-id", "another id"))
	}
	if m.busy() > 0 || m.histDue {
		out = append(out, k.Short("inspect.stop", "stop"))
	}
	if m.focus != inputPane {
		for _, a := range []struct{ id, text string }{
			{"inspect.to-queue", "its job"}, {"inspect.player", m.outside.Word(m.job)}, {"inspect.resubmit", "to compose"}, {"inspect.again", "ask again"}, {"inspect.copy", "copy"}, {"inspect.raw", "raw"}, {"inspect.format", "format"},
		} {
			if m.off(a.id) == "" {
				out = append(out, k.Short(a.id, a.text))
			}
		}
	}
	return append(out, k.Short("inspect.next-pane", "next pane"))
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	var actions []key.Binding
	for _, a := range m.deps.Keys.Actions(scope) {
		actions = append(actions, m.deps.Keys.Binding(a.ID))
	}
	move := []key.Binding{fixed("↑↓ j k", "move"), fixed("pgup pgdn", "a page"), fixed("g G", "first, last"), fixed("← →", "sideways in the answer"), fixed("↑↓", "in the input: ids of before")}
	return [][]key.Binding{actions, move}
}

// typedKey is a key of an action that works while text is typed.
func (m *Model) typedKey(id string) string {
	a, _ := m.deps.Keys.Action(id)
	for _, k := range a.Keys {
		if strings.Contains(k, "+") {
			return keys.Show(k)
		}
	}
	return m.deps.Keys.Keys(id)
}

func fixed(k, what string) key.Binding {
	return key.NewBinding(key.WithKeys(k), key.WithHelp(k, what))
}
