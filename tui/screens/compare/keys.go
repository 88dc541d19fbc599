package compare

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

const scope = string(screen.Compare)

// key handles a key: the question first, then the prompt, then moving and actions.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.asking != nil:
		return m.answer(m.asking.HandleKey(msg.String()))
	case m.focus == promptPane:
		return m.promptKey(msg)
	case msg.Paste:
		m.setFocus(promptPane)
		return m.promptKey(msg)
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		cmds = append(cmds, m.command(k.String()))
	}
	return tea.Batch(cmds...)
}

func (m *Model) command(name string) tea.Cmd {
	switch m.focus {
	case kindPane:
		if m.kindKey(name) {
			return nil
		}
	case modelsPane:
		if name == "enter" {
			return m.do("compare.toggle")
		}
		if m.table.HandleKey(name) {
			return nil
		}
	case gridPane:
		if m.gridKey(name) {
			return nil
		}
	}
	id, ok := m.deps.Keys.Lookup(scope, name)
	if !ok || m.focus == gridPane && id == "compare.toggle" { // the list's cursor is elsewhere
		return nil
	}
	return m.do(id)
}

func (m *Model) kindKey(name string) bool {
	at := m.kindIndex()
	switch name {
	case "left", "h":
		at--
	case "right", "l", " ":
		at++
	case "down", "enter":
		m.setFocus(promptPane)
		return true
	default:
		return false
	}
	if n := len(m.kinds); n > 0 {
		m.setKind(m.kinds[(at+n)%n])
	}
	return true
}

func (m *Model) kindIndex() int {
	for i, k := range m.kinds {
		if k == m.base.Modality {
			return i
		}
	}
	return 0
}

// promptKey handles a key while the prompt is typed. Letters are letters there; keys
// with ctrl or alt do what they do elsewhere.
func (m *Model) promptKey(msg tea.KeyMsg) tea.Cmd {
	switch name := msg.String(); name {
	case "enter", "down":
		m.setFocus(modelsPane)
		return nil
	case "up":
		m.setFocus(kindPane)
		return nil
	default:
		text := msg.Paste || !msg.Alt && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace)
		if id, ok := m.deps.Keys.Lookup(scope, name); ok && !text {
			return m.do(id)
		}
	}
	if msg.Paste {
		s := strings.NewReplacer("\r\n", lineEnd, "\r", lineEnd, "\n", lineEnd).Replace(strings.TrimRight(string(msg.Runes), "\r\n"))
		msg.Runes = []rune(s)
	}
	var cmd tea.Cmd
	m.prompt, cmd = m.prompt.Update(msg)
	m.promptTyped()
	return cmd
}

// gridKey moves over the cells, and reports whether the key was one to move by.
func (m *Model) gridKey(name string) bool {
	cols, rows := m.gridShape()
	switch name {
	case "left", "h":
		m.at--
	case "right", "l":
		m.at++
	case "up", "k":
		if m.at >= cols {
			m.at -= cols
		}
	case "down", "j":
		if m.at+cols < len(m.cells) || m.at/cols < (len(m.cells)-1)/cols {
			m.at += cols
		}
	case "pgup":
		m.at -= cols * max(1, rows)
	case "pgdown":
		m.at += cols * max(1, rows)
	case "home", "g":
		m.at = 0
	case "end", "G":
		m.at = len(m.cells) - 1
	default:
		return false
	}
	m.at = max(0, min(m.at, len(m.cells)-1))
	m.reveal()
	return true
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	if m.asking != nil {
		return m.answer(m.asking.Click(msg.Zone))
	}
	name, value, _ := strings.Cut(msg.Zone, ":")
	switch name {
	case "prompt":
		m.setFocus(promptPane)
	case "kind":
		m.setFocus(kindPane)
		m.setKind(client.Modality(value))
	case "tab":
		if value == "results" && len(m.cells) > 0 {
			m.setFocus(gridPane)
		} else {
			m.setFocus(modelsPane)
		}
	case "row":
		m.setFocus(modelsPane)
		if m.table.Click(msg.Zone) && (msg.X < boxWidth || msg.Double) {
			return m.do("compare.toggle")
		}
	case "cell":
		if i, err := strconv.Atoi(value); err == nil && i < len(m.cells) {
			m.setFocus(gridPane)
			m.at = i
			if msg.Double {
				return m.do("compare.open")
			}
		}
	case "btn":
		return m.do(value)
	}
	return nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	switch {
	case m.asking != nil:
	case strings.HasPrefix(msg.Zone, "row:"), !m.gridShows():
		m.table.Wheel(msg.Delta)
	default:
		m.top += msg.Delta
		m.clampTop()
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
	run := k.Short("compare.run", "run")
	next := k.Short("compare.next-pane", "next pane")
	switch m.focus {
	case kindPane:
		return []key.Binding{fixed("← →", "kind"), next, run}
	case promptPane:
		return []key.Binding{fixed("enter", "to the models"), run, next}
	case gridPane:
		out := []key.Binding{k.Short("compare.open", "in queue")}
		if m.off("compare.inspect") == "" {
			out = append(out, k.Short("compare.inspect", "inspect"))
		}
		return append(out, k.Short("compare.edit", "to compose"), k.Short("compare.resubmit", "its job"), k.Short("compare.leave", "models"), run, next)
	default:
		return []key.Binding{k.Short("compare.toggle", "in or out"), k.Short("compare.all", "all"), k.Short("compare.repeat", "repeats"), k.Short("compare.prompt", "prompt"), run, next}
	}
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	var actions []key.Binding
	for _, a := range m.deps.Keys.Actions(scope) {
		actions = append(actions, m.deps.Keys.Binding(a.ID))
	}
	move := []key.Binding{fixed("↑↓←→ hjkl", "move"), fixed("pgup pgdn", "a page"), fixed("g G", "first, last")}
	return [][]key.Binding{actions, move}
}

func fixed(k, what string) key.Binding {
	return key.NewBinding(key.WithKeys(k), key.WithHelp(k, what))
}
