package chat

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// keyMsg handles a key: the dialog first, then actions, then the field with the focus.
func (m *Model) keyMsg(msg tea.KeyMsg) tea.Cmd {
	if m.dialog.kind != noDialog {
		return m.answered(m.dialog.key(msg, m.modelItems))
	}
	if msg.Paste && m.focus == talkPane {
		m.setFocus(inputPane)
	}
	if m.focus == talkPane {
		var cmds []tea.Cmd
		for _, k := range keys.Split(msg) {
			cmds = append(cmds, m.talkKey(k.String()))
		}
		return tea.Batch(cmds...)
	}
	if !msg.Paste {
		if id, ok := m.commands.Lookup(msg.String()); ok {
			return m.typedAction(id, msg)
		}
	}
	return m.fieldKey(msg)
}

// typedAction does what a key means while text is typed. In the fields of the model and of the
// system prompt, the key that sends means "done here".
func (m *Model) typedAction(id string, msg tea.KeyMsg) tea.Cmd {
	switch {
	case id == actSend && msg.Type == tea.KeyEnter && m.focus != inputPane:
		m.setFocus(inputPane)
		return nil
	case id == actStop && !m.talk.coming():
		m.setFocus(talkPane) // letters and digits are commands there
		return nil
	}
	return m.commands.Do(m, id)
}

func (m *Model) talkKey(name string) tea.Cmd {
	switch id, ok := m.commands.Lookup(name); {
	case ok && id == actSend, ok && id == actNewline:
		m.setFocus(inputPane)
	case ok && id == actStop && !m.talk.coming(): // nothing to leave
	case ok:
		return m.commands.Do(m, id)
	case !m.read.scrollKey(name) && name == "i":
		m.setFocus(inputPane)
	}
	return nil
}

// fieldKey gives a key to the field with the focus. Keys that move within a page scroll
// the conversation.
func (m *Model) fieldKey(msg tea.KeyMsg) tea.Cmd {
	name := msg.String()
	switch name {
	case "pgup", "pgdown":
		m.read.scrollKey(name)
		return nil
	case "alt+up", "ctrl+up":
		m.read.move(-3)
		return nil
	case "alt+down", "ctrl+down":
		m.read.move(3)
		return nil
	case "up", "down":
		if m.focus == inputPane && m.recall(name) {
			return m.keep.changed()
		}
	}
	e := m.field()
	used, changed := e.Update(msg, m.fieldWidth())
	switch {
	case changed:
		return m.keep.changed()
	case !used && name == "up" && m.focus == inputPane:
		m.read.move(-1)
	case !used && name == "down" && m.focus == inputPane:
		m.read.move(1)
	}
	return nil
}

// edit opens the focused text, else the message, in the person's editor.
func (m *Model) edit() tea.Cmd {
	msg := screen.EditMsg{Text: m.input.Value(), Suffix: ".md", Tag: "input"}
	if m.focus == systemPane {
		msg.Text, msg.Tag = m.system.Value(), "system"
	}
	return func() tea.Msg { return msg }
}

func (m *Model) edited(msg screen.EditedMsg) tea.Cmd {
	if msg.Err != nil {
		return screen.Toast(screen.Bad, "the text is as it was: "+client.CleanLine(msg.Err.Error()))
	}
	text := strings.TrimSuffix(msg.Text, "\n")
	if msg.Tag == "system" {
		m.system.SetValue(text)
	} else {
		m.input.SetValue(text)
		m.setFocus(inputPane)
	}
	return m.keep.changed()
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	if m.dialog.kind != noDialog {
		return m.answered(m.dialog.click(msg))
	}
	name, rest, _ := strings.Cut(msg.Zone, ":")
	switch name {
	case "input", "system":
		m.setFocus(map[string]pane{"input": inputPane, "system": systemPane}[name])
		if row, err := strconv.Atoi(rest); err == nil {
			m.field().Point(row, msg.X, m.fieldWidth())
		}
	case "model":
		m.setFocus(modelPane)
	case "talk":
		m.setFocus(talkPane)
	case "code":
		if code := m.read.codeAt(rest); code != "" {
			return copyText(client.Clean(code), "the code")
		}
	case "reason", "aside":
		m.read.unfold(name, rest)
	case "btn":
		return m.commands.Do(m, rest)
	}
	return nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	if m.dialog.kind != noDialog {
		m.dialog.wheel(msg.Delta)
		return
	}
	m.read.move(3 * msg.Delta)
}

// keyOr is the key of an action, or its title where it has none.
func (m *Model) keyOr(id string) string {
	if k := m.commands.Key(id); k != "" {
		return k
	}
	return "“" + m.deps.Keys.Title(id) + "”"
}
