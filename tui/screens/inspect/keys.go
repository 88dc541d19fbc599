package inspect

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs/inspect"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// key handles a key: the input first, then actions, then moving.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	switch {
	case msg.Paste:
		return m.paste(string(msg.Runes))
	case m.focus == inputPane:
		return m.inputKey(msg)
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		cmds = append(cmds, m.command(k))
	}
	return tea.Batch(cmds...)
}

func (m *Model) command(k tea.KeyMsg) tea.Cmd {
	name := k.String()
	if m.listing {
		if name == "enter" {
			return m.openCurrent()
		}
		if m.many.table.Update(k) {
			return nil
		}
	}
	switch {
	case name == "enter" && m.focus == routesPane:
		m.setFocus(answerPane)
		return nil
	case name == "enter" && m.focus == answerPane:
		return m.commands.Do(m, actBodies)
	}
	if id, ok := m.commands.Lookup(name); ok {
		return m.commands.Do(m, id)
	}
	switch m.focus {
	case routesPane:
		if m.table.Update(k) {
			m.moved = true
			m.answer.SetTop(0)
		}
	case answerPane:
		m.answer.Update(k)
	default:
		m.facts.Update(k)
	}
	return nil
}

// largePaste is from which size on a text is read beside the loop, in bytes.
const largePaste = 64 << 10

// paste reads what a text is about.
func (m *Model) paste(text string) tea.Cmd {
	if len(text) > largePaste {
		return func() tea.Msg { return pastedMsg(inspect.Read(text)) }
	}
	return m.take(inspect.Read(text))
}

// take puts one subject into the input; several are looked up at once.
func (m *Model) take(all []inspect.Subject) tea.Cmd {
	switch len(all) {
	case 0:
		return nil
	case 1:
		m.pasted = all[0]
		m.input.SetValue(all[0].Value)
		m.setFocus(inputPane)
		return nil
	case inspect.MaxSubjects:
		return tea.Batch(m.lookUpAll(all), screen.Toast(screen.Warn, fmt.Sprintf("only the first %d ids are looked up", inspect.MaxSubjects)))
	default:
		return m.lookUpAll(all)
	}
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
		}
		return nil
	}
	if !msg.Alt && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) {
		text := inspect.Visible(string(msg.Runes))
		if text == "" {
			return nil
		}
		msg = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)}
	} else if id, ok := m.commands.Lookup(name); ok {
		return m.commands.Do(m, id)
	}
	m.input.Update(msg, m.input.room(m.room, m.q.formatLabel()))
	return nil
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	if m.listing && m.many.table.Click(msg) {
		m.setFocus(factsPane)
		if msg.Double {
			return m.openCurrent()
		}
		return nil
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
			return m.commands.Do(m, id)
		}
		if m.table.Click(msg) {
			m.setFocus(routesPane)
			m.moved = true
			m.answer.SetTop(0)
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
	case m.listing:
		m.many.table.Wheel(msg.Delta)
	case row:
		m.table.Wheel(msg.Delta)
		m.moved = true
	case msg.Zone == "answer" || msg.Zone != "facts" && m.page == answerPane:
		m.answer.Wheel(msg.Delta)
	default:
		m.facts.Wheel(msg.Delta)
	}
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action {
	return append(m.stack.Actions(), m.commands.Actions(m)...)
}

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	if m.stack.Top() != nil {
		return m.stack.ShortHelp()
	}
	c := m.commands
	typing := m.focus == inputPane
	var out []key.Binding
	if m.listing && !typing {
		out = append(c.Line(actEditID), keys.Fixed("enter", "open"))
		if m.many.open > 0 {
			out = append(out, c.Line(actStop)...)
		}
		return append(out, c.LineNow(m, actCopy, actFormat)...)
	}
	if typing {
		out = append(c.Line(actLookup), keys.Fixed("↑↓", "earlier ids"), keys.Fixed(typedKey(m.deps.Keys, actFormat), "format"))
	} else {
		out = c.Line(actEditID)
	}
	if m.q.open() {
		out = append(out, c.Line(actStop)...)
	}
	if !typing {
		out = append(out, c.LineNow(m, actToQueue)...)
		if c.Off(m, actPlayer) == "" {
			out = append(out, m.deps.Keys.Short(actPlayer, m.outside.Word(m.q.found.Job)))
		}
		out = append(out, c.LineNow(m, actBodies, actWatch, actKeep, actResubmit, actAgain, actCopy, actRaw, actFormat)...)
	}
	return append(out, c.Line(actNextPane)...)
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{m.commands.Help(), {
		keys.Fixed("↑↓ j k", "move"), keys.Fixed("pgup pgdn", "a page"), keys.Fixed("g G", "first, last"),
		keys.Fixed("← →", "sideways in the answer"), keys.Fixed("↑↓", "in the input: earlier ids"),
	}, body.Help(m.deps.Keys)}
}

// typedKey is the key of an action that works while text is typed.
func typedKey(all keys.Map, id string) string {
	a, _ := all.Action(id)
	for _, k := range a.Keys {
		if strings.Contains(k, "+") {
			return keys.Show(k)
		}
	}
	return all.Keys(id)
}
