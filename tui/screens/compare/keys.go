package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// key handles a key: the question first, then the prompt, then moving and actions.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.asking != nil:
		return m.answer(m.asking.Update(msg))
	case m.focus == promptPane:
		return m.promptKey(msg)
	case msg.Paste:
		m.setFocus(promptPane)
		return m.promptKey(msg)
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		cmds = append(cmds, m.command(k))
	}
	return tea.Batch(cmds...)
}

func (m *Model) command(k tea.KeyMsg) tea.Cmd {
	name := k.String()
	switch m.focus {
	case kindPane:
		if m.kindKey(name) {
			return nil
		}
	case modelsPane:
		if name == "enter" {
			return m.commands.Do(m, actToggle)
		}
		if m.table.Update(k) {
			return nil
		}
	case gridPane:
		if m.grid.key(name) {
			return nil
		}
	}
	id, ok := m.commands.Lookup(name)
	if !ok || m.focus == gridPane && id == actToggle { // the list's cursor is elsewhere
		return nil
	}
	return m.commands.Do(m, id)
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
		if k == m.plan.Base.Modality {
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
		if id, ok := m.commands.Lookup(name); ok && !text {
			return m.commands.Do(m, id)
		}
	}
	if msg.Paste {
		s := strings.NewReplacer("\r\n", lineEnd, "\r", lineEnd, "\n", lineEnd).Replace(strings.TrimRight(string(msg.Runes), "\r\n"))
		msg.Runes = []rune(s)
	}
	m.prompt.Update(msg, m.w)
	m.promptTyped()
	return nil
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	if m.asking != nil {
		return m.answer(m.asking.Click(msg))
	}
	name, value, _ := strings.Cut(msg.Zone, ":")
	switch name {
	case "prompt":
		m.setFocus(promptPane)
	case "kind":
		m.setFocus(kindPane)
		m.setKind(client.Modality(value))
	case "tab":
		if value == "results" && len(m.run.Trials) > 0 {
			m.setFocus(gridPane)
		} else {
			m.setFocus(modelsPane)
		}
	case "row":
		m.setFocus(modelsPane)
		if m.table.Click(msg) && (msg.X < boxWidth || msg.Double) {
			return m.commands.Do(m, actToggle)
		}
	case "cell":
		if i, err := strconv.Atoi(value); err == nil && i < len(m.run.Trials) {
			m.setFocus(gridPane)
			m.grid.at = i
			if msg.Double {
				return m.commands.Do(m, actOpen)
			}
		}
	case "btn":
		return m.commands.Do(m, value)
	}
	return nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	switch {
	case m.asking != nil:
	case strings.HasPrefix(msg.Zone, "row:"), !m.gridShows():
		m.table.Wheel(msg.Delta)
	default:
		m.grid.scroll(msg.Delta)
	}
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action { return m.commands.Actions(m) }

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	c := m.commands
	switch m.focus {
	case kindPane:
		return append([]key.Binding{keys.Fixed("← →", "kind")}, c.Line(actNextPane, actRun)...)
	case promptPane:
		return append([]key.Binding{keys.Fixed("enter", "to the models")}, c.Line(actRun, actNextPane)...)
	case gridPane:
		return slices.Concat(c.Line(actOpen), c.LineNow(m, actInspect), c.Line(actEdit, actResubmit, actLeave, actRun, actNextPane))
	default:
		return c.Line(actToggle, actAll, actRepeat, actPrompt, actRun, actNextPane)
	}
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{m.commands.Help(), {
		keys.Fixed("↑↓←→ hjkl", "move"), keys.Fixed("pgup pgdn", "a page"), keys.Fixed("g G", "first, last"),
	}}
}
