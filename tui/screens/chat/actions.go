package chat

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// Actions that keys, clicks and texts trigger besides their own keys.
const (
	actSend          = "chat.send"
	actNewline       = "chat.newline"
	actStop          = "chat.stop"
	actAgain         = "chat.again"
	actEditLast      = "chat.edit-last"
	actNew           = "chat.new"
	actConversations = "chat.conversations"
	actCopy          = "chat.copy"
	actToCompose     = "chat.to-compose"
	actModel         = "chat.model"
	actSystem        = "chat.system"
	actNextPane      = "chat.next-pane"
)

// Commands is the table of what can be done on the screen.
func Commands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actSend, Title: "Send", Keys: []string{"enter", "ctrl+s"}, Word: "send", Off: offSend, Do: (*Model).send},
		{ID: actNewline, Title: "New line", Keys: []string{"alt+enter"}, Word: "new line", Do: (*Model).newline},
		{ID: actStop, Title: "Stop the answer", Keys: []string{"esc"}, Word: "stop", Off: offStop, Do: (*Model).stop},
		{ID: actAgain, Title: "Ask again", Keys: []string{"ctrl+r", "f5"}, Word: "again", Off: offAsked, Do: (*Model).again},
		{ID: actEditLast, Title: "Change the last message", Keys: []string{"alt+e", "f3"}, Word: "edit", Off: offAsked, Do: (*Model).editLast},
		{ID: actNew, Title: "New conversation", Keys: []string{"ctrl+n"}, Word: "new", Off: offNew, Do: (*Model).begin},
		{ID: actConversations, Title: "Conversations", Keys: []string{"alt+o", "f2"}, Word: "conversations", Off: offConversations, Do: (*Model).pickConversation},
		{ID: "chat.delete", Title: "Delete this conversation", Keys: []string{"alt+x"}, Off: offDelete, Do: screen.Act((*Model).askDelete)},
		{ID: actCopy, Title: "Copy the answer", Keys: []string{"alt+y", "f6"}, Word: "copy", Off: offAnswer,
			Do: func(m *Model) tea.Cmd { return copyText(m.read.text(), "the answer") }},
		{ID: "chat.copy-code", Title: "Copy code of the answer", Keys: []string{"alt+c", "f7"}, Off: offCode, Do: (*Model).copyCode},
		{ID: actToCompose, Title: "Use the answer as a prompt in Compose", Keys: []string{"alt+u", "f8"}, Word: "use as prompt", Off: offAnswer, Do: (*Model).toCompose},
		{ID: actModel, Title: "Choose a model", Keys: []string{"ctrl+g"}, Word: "model", Do: (*Model).pickModel},
		{ID: actSystem, Title: "Change the system prompt", Keys: []string{"alt+s", "f4"}, Do: screen.Act(func(m *Model) { m.setFocus(systemPane) })},
		{ID: "chat.reasoning", Title: "Show or hide reasoning", Keys: []string{"alt+r", "f9"}, Off: offReasoning, Do: screen.Act(func(m *Model) { m.read.foldReasoning() })},
		{ID: "chat.editor", Title: "Write in the editor", Keys: []string{"ctrl+o"}, Do: (*Model).edit},
		{ID: actNextPane, Title: "Next pane", Keys: []string{"tab"}, Word: "next", Do: screen.Act(func(m *Model) { m.turn(1) })},
		{ID: "chat.prev-pane", Title: "Previous pane", Keys: []string{"shift+tab"}, Do: screen.Act(func(m *Model) { m.turn(-1) })},
	}
}

// comingAlready says why nothing else can be asked or shown now.
const comingAlready = "an answer is coming"

func offSend(m *Model) string {
	if m.deps.ReadOnly != "" {
		return m.deps.ReadOnly
	}
	if m.talk.coming() {
		return "the answer is still coming; " + m.keyOr(actStop) + " stops it"
	}
	return ""
}

func offStop(m *Model) string {
	if !m.talk.coming() {
		return "no answer is coming"
	}
	return ""
}

func offAsked(m *Model) string {
	switch {
	case m.deps.ReadOnly != "":
		return m.deps.ReadOnly
	case m.talk.coming():
		return comingAlready
	case lastOf(&m.talk.conv, client.RoleUser) < 0:
		return "nothing was asked yet"
	}
	return ""
}

func offNew(m *Model) string {
	switch {
	case m.talk.coming():
		return comingAlready
	case m.blank():
		return "this one is new"
	}
	return ""
}

func offConversations(m *Model) string {
	switch {
	case m.deps.Store == nil:
		return "nothing is kept"
	case m.talk.coming():
		return comingAlready
	case len(m.list) == 0 && m.talk.conv.ID == "":
		return "no conversation is saved yet"
	}
	return ""
}

func offDelete(m *Model) string {
	switch {
	case m.talk.coming():
		return comingAlready
	case m.blank():
		return "there is nothing to delete"
	}
	return ""
}

func offAnswer(m *Model) string {
	if m.read.answer() < 0 {
		return "there is no answer yet"
	}
	return ""
}

func offCode(m *Model) string {
	if len(m.read.codes()) == 0 {
		return "there is no code in the answer"
	}
	return ""
}

func offReasoning(m *Model) string {
	if !m.talk.reasons() {
		return "no answer here has reasoning"
	}
	return ""
}

// blank reports a conversation in which nothing was sent or typed.
func (m *Model) blank() bool { return m.talk.blank() && m.input.Value() == "" }

// newline breaks the line in the text being typed.
func (m *Model) newline() tea.Cmd {
	if m.focus == inputPane || m.focus == systemPane {
		m.field().Insert("\n")
		return m.keep.changed()
	}
	m.setFocus(inputPane)
	return nil
}

func copyText(text, what string) tea.Cmd {
	return func() tea.Msg { return screen.CopyMsg{Text: text, What: what} }
}

// copyCode copies the block of code of the answer; if there are several, it asks which one.
func (m *Model) copyCode() tea.Cmd {
	list := m.read.codes()
	if len(list) == 1 {
		return copyText(client.Clean(list[0]), "the code")
	}
	m.dialog = codesDialog(list)
	return nil
}

// toCompose hands the answer to Compose as the prompt of a video. An answer that is one
// block of code is handed over without its fence.
func (m *Model) toCompose() tea.Cmd {
	text := strings.TrimSpace(m.read.text())
	first, _, _ := strings.Cut(text, "\n")
	if list := codes(text); len(list) == 1 && opens(first) != "" && strings.HasSuffix(text, opens(first)) {
		text = strings.TrimSpace(list[0])
	}
	return screen.Open(screen.Compose, screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Prompt: text}})
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action { return m.commands.Actions(m) }

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	c := m.commands
	var out []key.Binding
	switch {
	case m.talk.coming():
		out = append(c.Line(actStop), keys.Fixed("pgup pgdn", "scroll"))
	case m.focus == talkPane:
		out = slices.Concat([]key.Binding{keys.Fixed("↑↓ g G", "scroll")}, c.Line(actNextPane), []key.Binding{keys.Fixed("i", "write")})
	case m.focus == modelPane, m.focus == systemPane:
		out = slices.Concat([]key.Binding{keys.Fixed("enter", "done"), m.deps.Keys.Short(actModel, "choose a model")}, c.Line(actNextPane))
	default:
		out = c.Line(actSend, actNewline, actModel)
	}
	return append(out, c.LineNow(m, actAgain, actEditLast, actCopy, actToCompose, actNew, actConversations)...)
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{m.commands.Help(), {
		keys.Fixed("↑", "in the empty input: earlier messages"), keys.Fixed("pgup pgdn", "scroll, also while typing"),
		keys.Fixed("alt+↑↓", "scroll by lines, also while typing"), keys.Fixed("esc", "leave the text: digits change screens"),
		keys.Fixed("↑↓ j k g G", "scroll the conversation"), keys.Fixed("i", "back to the message"),
		keys.Fixed("ctrl+_", "undo"), keys.Fixed("ctrl+y", "redo"),
	}}
}
