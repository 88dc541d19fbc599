package build

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// Key does what a key means: in the prompt it is text, elsewhere it moves or acts.
func (m *Model) Key(msg tea.KeyMsg) tea.Cmd {
	defer m.layout()
	switch {
	case m.Capturing():
		return m.promptKey(msg)
	case msg.Paste && m.file == nil:
		m.focus = promptPane
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
	switch {
	case m.file != nil:
		if m.side.Update(k) {
			return nil
		}
	case m.focus == kindPane:
		if m.kindKey(name) {
			return nil
		}
	case m.focus == modelsPane:
		if name == "enter" {
			return m.commands.Do(m, actToggle)
		}
		if m.table.Update(k) {
			return nil
		}
	}
	id, ok := m.commands.Lookup(name)
	if !ok {
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
		m.focus = promptPane
		m.prompts.goTo(0)
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

// promptKey handles a key while a prompt is typed. Letters are letters there; keys with ctrl or alt do
// what they do elsewhere.
func (m *Model) promptKey(msg tea.KeyMsg) tea.Cmd {
	p := &m.prompts
	switch name := msg.String(); {
	case name == "enter", name == "down":
		if p.at+1 < len(p.all) {
			p.goTo(p.at + 1)
		} else {
			m.focus = modelsPane
		}
		return nil
	case name == "up":
		if p.at > 0 {
			p.goTo(p.at - 1)
		} else {
			m.focus = kindPane
		}
		return nil
	case name == "backspace" && p.current() == "" && len(p.all) > 1:
		p.drop()
		m.promptsChanged()
		return nil
	default:
		text := msg.Paste || !msg.Alt && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace)
		if id, ok := m.commands.Lookup(name); ok && !text {
			return m.commands.Do(m, id)
		}
	}
	if p.update(msg, m.w) {
		m.promptsChanged()
	}
	return nil
}

// Click does what a press of the mouse means.
func (m *Model) Click(msg screen.ClickMsg) tea.Cmd {
	defer m.layout()
	name, value, _ := strings.Cut(msg.Zone, ":")
	switch name {
	case "prompt":
		if i, err := strconv.Atoi(value); err == nil && m.file == nil {
			m.focus = promptPane
			m.prompts.goTo(i)
		}
	case "kind":
		m.focus = kindPane
		m.setKind(client.Modality(value))
	case "row":
		m.focus = modelsPane
		if m.table.Click(msg) && (msg.X < boxWidth || msg.Double) {
			return m.commands.Do(m, actToggle)
		}
	case "btn":
		return m.commands.Do(m, value)
	}
	return nil
}

// Wheel scrolls what the mouse is over.
func (m *Model) Wheel(msg screen.WheelMsg) {
	if msg.Zone == "side" {
		m.side.Wheel(msg.Delta)
		return
	}
	m.table.Wheel(msg.Delta)
}

// ShortHelp is its help for the bottom line.
func (m *Model) ShortHelp() []key.Binding {
	c := m.commands
	switch {
	case m.file != nil:
		return c.Line(actRun, actMore, actAxis, actYAML, actSave, actOpen, actRuns, actResults, actDraft)
	case m.focus == kindPane:
		return append([]key.Binding{keys.Fixed("← →", "kind")}, c.Line(actNextPane, actRun)...)
	case m.focus == promptPane:
		return append([]key.Binding{keys.Fixed("enter", "to the models")}, c.LineTyping(actAdd, actRun, actOpen, actRuns, actResults, actNextPane)...)
	default:
		return append(c.LineNow(m, actToggle, actOwn), c.Line(actAll, actMore, actAxis, actFormats, actRun, actResults, actNextPane)...)
	}
}

// Help is every action.
func (m *Model) Help() [][]key.Binding {
	return [][]key.Binding{m.commands.Help(), {
		keys.Fixed("↑↓←→ hjkl", "move"), keys.Fixed("pgup pgdn", "a page"), keys.Fixed("g G", "first, last"),
	}}
}

// key is that of an action here: while a prompt is typed, letters are text.
func (m *Model) key(id string) string {
	if m.Capturing() {
		return m.commands.KeyTyping(id)
	}
	return m.commands.Key(id)
}
