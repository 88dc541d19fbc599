package chat

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
)

// send asks what is typed.
func (m *Model) send() tea.Cmd {
	text := strings.TrimRight(m.input.Value(), " \n\t")
	switch {
	case m.stream != nil:
		return screen.Toast(screen.Info, "the answer is still coming; "+m.keyOr("chat.stop", "Stop")+" stops it")
	case strings.TrimSpace(text) == "":
		m.setFocus(inputPane)
		return screen.Toast(screen.Info, "type a message first")
	case strings.TrimSpace(m.model.Value()) == "":
		return m.noModel()
	}
	m.append(Message{Role: client.RoleUser, Text: text, At: m.deps.Now()})
	m.past.add(text)
	m.input.SetValue("")
	m.setFocus(inputPane)
	return m.ask()
}

func (m *Model) noModel() tea.Cmd {
	m.setFocus(modelPane)
	return screen.Toast(screen.Warn, "name a model first, or choose one with "+m.keyOr("chat.model", "Choose a model"))
}

// again asks with the same messages once more. The answer that was there is kept, aside.
func (m *Model) again() tea.Cmd {
	if why := m.off("chat.again"); why != "" {
		return screen.Toast(screen.Info, why)
	}
	if strings.TrimSpace(m.model.Value()) == "" {
		return m.noModel()
	}
	m.setAside(m.conv.last(client.RoleUser) + 1)
	return m.ask()
}

// editLast takes the last message back into the input. What it was, and the answer to
// it, are kept, aside.
func (m *Model) editLast() tea.Cmd {
	if why := m.off("chat.edit-last"); why != "" {
		return screen.Toast(screen.Info, why)
	}
	at := m.conv.last(client.RoleUser)
	text := m.conv.Messages[at].Text
	m.setAside(at)
	m.input.SetValue(text)
	m.setFocus(inputPane)
	m.talk.toEnd()
	return m.changed()
}

// setAside takes the messages from one on out of what is sent. Answers in which nothing
// came go altogether.
func (m *Model) setAside(from int) {
	list := make([]Message, 0, len(m.conv.Messages))
	for i, x := range m.conv.Messages {
		if i >= from && x.Role == client.RoleAssistant && x.hollow() {
			continue
		}
		x.Aside = x.Aside || i >= from
		list = append(list, x)
	}
	m.conv.Messages = list
	m.laid = m.laid[:min(len(m.laid), from)]
}

func (m *Model) append(x Message) {
	m.conv.Messages = append(m.conv.Messages, x)
	m.talk.toEnd()
}

// ask sends the conversation, once.
func (m *Model) ask() tea.Cmd {
	m.conv.Model, m.conv.System = m.model.Value(), m.system.Value()
	req := m.conv.request()
	now := m.deps.Now()
	if m.conv.Created.IsZero() {
		m.conv.Created = now
	}
	m.append(Message{Role: client.RoleAssistant, State: Arriving, At: now, Model: req.Model})
	s, ctx := talk.New()
	m.stream, m.started, m.beat = s, now, 0
	m.save.revision++
	return tea.Batch(m.saveNow(), talk.Run(ctx, m.deps.Gateway, req, s, nil), talk.Next(s, 0))
}

// partCame takes what has come. The look at the next part waits a little, so that a fast
// stream costs no more than twenty frames a second.
func (m *Model) partCame(msg talk.PartMsg) tea.Cmd {
	if msg.From != m.stream { // of an answer that was stopped
		return nil
	}
	m.takePart(msg.Part)
	m.save.revision++
	if m.stream == nil {
		return m.saveOr()
	}
	m.beat++
	return tea.Batch(m.armSave(), talk.Next(msg.From, m.pause))
}

// saveOr saves at once, or as soon as what is being written has been.
func (m *Model) saveOr() tea.Cmd {
	if cmd := m.saveNow(); cmd != nil {
		return cmd
	}
	return m.armSave()
}

func (m *Model) takePart(p talk.Part) {
	a := &m.conv.Messages[len(m.conv.Messages)-1]
	if p.Text != "" {
		a.Text = p.Text
	}
	if !p.Over {
		return
	}
	if p.Answer.Text != "" {
		a.Text = p.Answer.Text
	}
	a.Reasoning, a.Refusal, a.Finish, a.Usage = p.Answer.Reasoning, p.Answer.Refusal, p.Answer.Finish, p.Answer.Usage
	a.RequestID = p.Answer.Meta.RequestID
	if p.Answer.Model != "" {
		a.Model = p.Answer.Model
	}
	if p.Err == nil {
		m.endAnswer("", "", "")
		if a.hollow() {
			a.State, a.Error, a.Advice = Failed, "the answer came without a text", "ask again, or look at the model's own limits"
		}
		return
	}
	if m.stopping {
		m.endAnswer(Stopped, "", stopped)
		return
	}
	text, advice := talk.Explain(p.Err, a.Text != "", m.deps.Now())
	if api := talk.APIError(p.Err); api != nil {
		a.RequestID = api.RequestID
	}
	m.endAnswer(Failed, text, advice)
}

// endAnswer ends the answer that comes, in a state.
func (m *Model) endAnswer(s State, text, advice string) {
	a := &m.conv.Messages[len(m.conv.Messages)-1]
	a.State, a.Error, a.Advice = s, text, advice
	a.Took = max(0, m.deps.Now().Sub(m.started)).Round(time.Millisecond)
	m.stream, m.stopping = nil, false
}

// stop ends the answer that comes; what has come of it is kept. Where the gateway's side
// does not end by itself, the same again ends it here.
func (m *Model) stop() tea.Cmd {
	if m.stream == nil {
		return nil
	}
	m.stream.Cancel()
	if !m.stopping {
		m.stopping = true
		return nil // the end comes as the last part does
	}
	m.takePart(m.stream.Look())
	if m.stream != nil {
		m.endAnswer(Stopped, "", stopped)
	}
	m.save.revision++
	return m.saveOr()
}

const stopped = "stopped; what had come is kept"
