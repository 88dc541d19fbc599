package chat

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
)

// send sends what is typed.
func (m *Model) send() tea.Cmd {
	text := strings.TrimRight(m.input.Value(), " \n\t")
	switch {
	case strings.TrimSpace(text) == "":
		m.setFocus(inputPane)
		return screen.Toast(screen.Info, "type a message first")
	case strings.TrimSpace(m.model.Value()) == "":
		return m.noModel()
	}
	m.read.say(kept.Message{Role: client.RoleUser, Text: text, At: m.deps.Now()})
	m.past.add(text)
	m.input.SetValue("")
	m.setFocus(inputPane)
	return m.ask()
}

func (m *Model) noModel() tea.Cmd {
	m.setFocus(modelPane)
	return screen.Toast(screen.Warn, "name a model first, or choose one with "+m.keyOr(actModel))
}

// again sends the same messages once more. The former answer is kept, set aside.
func (m *Model) again() tea.Cmd {
	if strings.TrimSpace(m.model.Value()) == "" {
		return m.noModel()
	}
	m.read.setAside(lastOf(&m.talk.conv, client.RoleUser) + 1)
	return m.ask()
}

// editLast takes the last message back into the input. The message and its answer are kept, set
// aside.
func (m *Model) editLast() tea.Cmd {
	at := lastOf(&m.talk.conv, client.RoleUser)
	text := m.talk.conv.Messages[at].Text
	m.read.setAside(at)
	m.input.SetValue(text)
	m.setFocus(inputPane)
	m.read.toEnd()
	return m.keep.changed()
}

// ask sends the conversation, once.
func (m *Model) ask() tea.Cmd {
	m.talk.conv.Model, m.talk.conv.System = m.model.Value(), m.system.Value()
	req := requestOf(&m.talk.conv)
	s, ctx := talk.New()
	m.talk.await(s, req.Model)
	m.read.toEnd()
	m.keep.touch()
	return tea.Batch(m.keep.save(m.snapshot), talk.Run(ctx, m.deps.Gateway, req, s, nil), talk.Next(s, 0))
}

// part takes what has arrived. The look at the next part waits a little, so that a fast stream
// costs no more than twenty frames a second.
func (m *Model) part(msg talk.PartMsg) tea.Cmd {
	if msg.From != m.talk.stream { // of an answer that was stopped
		return nil
	}
	m.talk.take(msg.Part)
	m.keep.touch()
	if !m.talk.coming() {
		return m.keep.saveOrArm(m.snapshot)
	}
	m.talk.beat++
	return tea.Batch(m.keep.arm(), talk.Next(msg.From, m.pause))
}

// stop stops the answer that is arriving; what has come of it is kept.
func (m *Model) stop() tea.Cmd {
	if !m.talk.stop() {
		return nil
	}
	m.keep.touch()
	return m.keep.saveOrArm(m.snapshot)
}
