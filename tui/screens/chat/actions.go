package chat

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// off says why an action can not be done now, "" when it can.
func (m *Model) off(id string) string {
	busy := ""
	if m.stream != nil {
		busy = "an answer is coming"
	}
	switch strings.TrimPrefix(id, scope+".") {
	case "send":
		return busy
	case "stop":
		if busy == "" {
			return "no answer is coming"
		}
	case "again", "edit-last":
		if busy == "" && m.conv.last(client.RoleUser) < 0 {
			return "nothing was asked yet"
		}
		return busy
	case "new":
		if busy == "" && m.blank() {
			return "this one is new"
		}
		return busy
	case "conversations":
		if m.deps.Store == nil {
			return "nothing is kept"
		}
		if busy == "" && len(m.list) == 0 && m.conv.ID == "" {
			return "no conversation is kept yet"
		}
		return busy
	case "delete":
		if busy == "" && m.blank() {
			return "there is nothing to delete"
		}
		return busy
	case "copy", "to-compose":
		if m.answer() < 0 {
			return "there is no answer yet"
		}
	case "copy-code":
		if len(m.codes()) == 0 {
			return "there is no code in the answer"
		}
	case "reasoning":
		for i := range m.conv.Messages {
			if m.conv.Messages[i].Reasoning != "" {
				return ""
			}
		}
		return "no answer told its reasoning"
	}
	return ""
}

// blank reports a conversation in which nothing was said or typed.
func (m *Model) blank() bool {
	return len(m.conv.Messages) == 0 && m.input.Value() == "" && m.conv.ID == ""
}

// answerText is the answer that shows, clean: it leaves the console.
func (m *Model) answerText() string {
	i := m.answer()
	if i < 0 {
		return ""
	}
	x := &m.conv.Messages[i]
	for _, t := range []string{x.Text, x.Refusal, x.Reasoning} {
		if t != "" {
			return client.Clean(t)
		}
	}
	return ""
}

func (m *Model) codes() []string {
	if i := m.answer(); i >= 0 {
		return codes(m.conv.Messages[i].Text)
	}
	return nil
}

func (m *Model) copyAnswer() tea.Cmd {
	if why := m.off("chat.copy"); why != "" {
		return screen.Toast(screen.Warn, why)
	}
	return copyText(m.answerText(), "the answer")
}

func copyText(text, what string) tea.Cmd {
	return func() tea.Msg { return screen.CopyMsg{Text: text, What: what} }
}

// copyCode copies the block of code of the answer, or asks which one.
func (m *Model) copyCode() tea.Cmd {
	list := m.codes()
	switch len(list) {
	case 0:
		return screen.Toast(screen.Warn, "there is no code in the answer")
	case 1:
		return copyText(client.Clean(list[0]), "the code")
	}
	m.openCodes(list)
	return nil
}

// copyCodeAt copies the block that was clicked: "<message>:<piece>".
func (m *Model) copyCodeAt(at string) tea.Cmd {
	a, b, _ := strings.Cut(at, ":")
	i, err := strconv.Atoi(a)
	j, err2 := strconv.Atoi(b)
	if err != nil || err2 != nil || i < 0 || i >= len(m.conv.Messages) {
		return nil
	}
	src := &m.sheet(i).text
	if j < 0 || j >= len(src.pieces) {
		return nil
	}
	return copyText(client.Clean(src.codeAt(j)), "the code")
}

// toCompose hands the answer to Compose as the prompt of a video. An answer that is one
// block of code is handed over without its fence.
func (m *Model) toCompose() tea.Cmd {
	if why := m.off("chat.to-compose"); why != "" {
		return screen.Toast(screen.Warn, why)
	}
	text := strings.TrimSpace(m.answerText())
	first, _, _ := strings.Cut(text, "\n")
	if list := codes(text); len(list) == 1 && opens(first) != "" && strings.HasSuffix(text, opens(first)) {
		text = strings.TrimSpace(list[0])
	}
	return screen.Open(screen.Compose, screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Prompt: text}})
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
	switch {
	case m.stream != nil:
		out = append(out, k.Short("chat.stop", "stop"), fixed("pgup pgdn", "scroll"))
	case m.focus == talkPane:
		out = append(out, fixed("↑↓ g G", "scroll"), k.Short("chat.next-pane", "next"), fixed("i", "write"))
	case m.focus == modelPane, m.focus == systemPane:
		out = append(out, fixed("enter", "done"), k.Short("chat.model", "choose a model"), k.Short("chat.next-pane", "next"))
	default:
		out = append(out, k.Short("chat.send", "send"), k.Short("chat.newline", "new line"), k.Short("chat.model", "model"))
	}
	for _, a := range []struct{ id, text string }{
		{"chat.again", "again"}, {"chat.edit-last", "edit"}, {"chat.copy", "copy"}, {"chat.to-compose", "use as prompt"},
		{"chat.new", "new"}, {"chat.conversations", "conversations"},
	} {
		if m.off(a.id) == "" {
			out = append(out, k.Short(a.id, a.text))
		}
	}
	return out
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	var actions []key.Binding
	for _, a := range m.deps.Keys.Actions(scope) {
		actions = append(actions, m.deps.Keys.Binding(a.ID))
	}
	return [][]key.Binding{actions, {
		fixed("↑", "in the empty input: own messages of before"), fixed("pgup pgdn", "scroll, also while typing"),
		fixed("alt+↑↓", "scroll by lines, also while typing"), fixed("esc", "leave the text, so that digits change the screen"),
		fixed("↑↓ j k g G", "scroll the conversation"), fixed("i", "back to the message"),
		fixed("ctrl+_", "undo"), fixed("ctrl+y", "redo"),
	}}
}
