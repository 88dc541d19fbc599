package chat

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
)

const scope = string(screen.Chat)

// keyMsg handles a key: the dialog first, then actions, then the field with the focus.
func (m *Model) keyMsg(msg tea.KeyMsg) tea.Cmd {
	if m.dialog.kind != noDialog {
		return m.dialogKey(msg)
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
		if id, ok := m.deps.Keys.Lookup(scope, msg.String()); ok {
			return m.typedAction(id, msg)
		}
	}
	return m.fieldKey(msg)
}

// typedAction does what a key means while text is typed. In the fields of the model and
// of the system prompt, the key that sends means: done here.
func (m *Model) typedAction(id string, msg tea.KeyMsg) tea.Cmd {
	switch {
	case id == "chat.send" && msg.Type == tea.KeyEnter && m.focus != inputPane:
		m.setFocus(inputPane)
		return nil
	case id == "chat.stop" && m.stream == nil:
		m.setFocus(talkPane) // letters and digits are commands there
		return nil
	}
	return m.do(id)
}

func (m *Model) talkKey(name string) tea.Cmd {
	switch id, ok := m.deps.Keys.Lookup(scope, name); {
	case ok && id == "chat.send", ok && id == "chat.newline":
		m.setFocus(inputPane)
	case ok:
		return m.do(id)
	case !m.scrollKey(name) && name == "i":
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
		m.scrollKey(name)
		return nil
	case "alt+up", "ctrl+up":
		m.move(-3)
		return nil
	case "alt+down", "ctrl+down":
		m.move(3)
		return nil
	case "up", "down":
		if m.focus == inputPane && m.recall(name) {
			return m.changed()
		}
	}
	e := m.field()
	used, changed := e.Key(msg, m.fieldWidth())
	switch {
	case changed:
		return m.changed()
	case !used && name == "up" && m.focus == inputPane:
		m.move(-1)
	case !used && name == "down" && m.focus == inputPane:
		m.move(1)
	}
	return nil
}

// recall puts an own message of before into the input.
func (m *Model) recall(name string) bool {
	by := 1
	if name == "up" {
		by = -1
	}
	text, ok := m.past.step(by, m.input.Value())
	if ok {
		m.input.SetValue(text)
	}
	return ok
}

// field is the field with the focus, the input for the conversation.
func (m *Model) field() *form.Editor {
	switch m.focus {
	case modelPane:
		return m.model
	case systemPane:
		return m.system
	default:
		return m.input
	}
}

func (m *Model) setFocus(p pane) {
	if p != m.focus && p == modelPane {
		m.model.SetCursor(m.model.Len())
	}
	m.focus = p
}

// do does an action by its name.
func (m *Model) do(id string) tea.Cmd {
	switch strings.TrimPrefix(id, scope+".") {
	case "send":
		return m.send()
	case "newline":
		if m.focus == inputPane || m.focus == systemPane {
			m.field().Insert("\n")
			return m.changed()
		}
		m.setFocus(inputPane)
	case "stop":
		return m.stop()
	case "again":
		return m.again()
	case "edit-last":
		return m.editLast()
	case "new", "conversations", "delete":
		return m.doKept(id)
	case "copy":
		return m.copyAnswer()
	case "copy-code":
		return m.copyCode()
	case "to-compose":
		return m.toCompose()
	case "model":
		return m.pickModel()
	case "system":
		m.setFocus(systemPane)
	case "reasoning":
		m.foldReasoning()
	case "editor":
		return m.edit()
	case "next-pane":
		m.setFocus((m.focus + 1) % panes)
	case "prev-pane":
		m.setFocus((m.focus + panes - 1) % panes)
	}
	return nil
}

func (m *Model) foldReasoning() {
	m.talk.reasoning = !m.talk.reasoning
	for _, s := range m.laid {
		if s != nil {
			s.showReason, s.head = m.talk.reasoning, nil
		}
	}
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
	return m.changed()
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	if m.dialog.kind != noDialog {
		return m.dialogClick(msg.Zone)
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
		return m.copyCodeAt(rest)
	case "reason", "aside":
		m.unfold(name, rest)
	case "btn":
		return m.do(rest)
	}
	return nil
}

func (m *Model) unfold(what, at string) {
	i, err := strconv.Atoi(at)
	if err != nil || i < 0 || i >= len(m.conv.Messages) {
		return
	}
	s := m.sheet(i)
	if what == "aside" {
		s.wide = !s.wide
	} else {
		s.showReason = !s.showReason
	}
	s.head = nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	switch m.dialog.kind {
	case noDialog:
		m.move(3 * msg.Delta)
	case deleteDialog:
	default:
		m.dialog.picker.Wheel(msg.Delta)
	}
}

// keyOr is the key of an action, or its title where it has none.
func (m *Model) keyOr(id, title string) string {
	if k := m.deps.Keys.Keys(id); k != "" {
		return k
	}
	return "“" + title + "”"
}

func fixed(k, what string) key.Binding {
	return key.NewBinding(key.WithKeys(k), key.WithHelp(k, what))
}
