package compose

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
)

// improvePart takes what has come of the answer.
func (m *Model) improvePart(msg talk.PartMsg) tea.Cmd {
	i := &m.improve
	if msg.From != i.stream || i.stream == nil {
		return nil // of an answer that was given up
	}
	i.text = msg.Part.Text
	if !msg.Part.Over {
		return talk.Next(msg.From, i.pause)
	}
	return m.improveOver(msg.Part)
}

// improveOver ends the question, with an answer or without.
func (m *Model) improveOver(p talk.Part) tea.Cmd {
	i := &m.improve
	m.endTalk(p)
	if i.stopping {
		i.phase = closed
		said := "stopped; the prompt is as it was, and the question may be paid for all the same"
		if i.kept.Answer.Text != "" && m.deps.Talks != nil {
			said += "; Chat keeps what had come"
		}
		return tea.Batch(m.keepTalk(), screen.Toast(screen.Info, said))
	}
	if i.kept.State == improve.Failed {
		i.phase = failed
		i.trouble, i.advice = i.kept.Error, i.kept.Advice
		return m.keepTalk()
	}
	return tea.Batch(m.keepTalk(), m.compare(i.prompt))
}

// endTalk makes what is kept of a question that is over.
func (m *Model) endTalk(p talk.Part) {
	i := &m.improve
	k := &i.kept
	k.ID = cmp.Or(i.stream.Tag(), k.ID)
	i.stream = nil
	k.Took = max(0, m.now().Sub(k.At))
	k.Answer, k.State = p.Answer, ""
	k.Answer.Text = cmp.Or(p.Answer.Text, p.Text)
	switch {
	case i.stopping:
		k.State, k.Advice = improve.Stopped, "stopped; what had come is kept"
	case p.Err != nil:
		k.State = improve.Failed
		k.Error, k.Advice = talk.Explain(p.Err, p.Text != "", m.now())
		k.Advice = lostAdvice(p.Err, k.Advice)
		if api := talk.APIError(p.Err); api != nil {
			k.Answer.Meta.RequestID = api.RequestID
		}
	case k.Answer.Refusal != "" && strings.TrimSpace(k.Answer.Text) == "":
		k.State, k.Error = improve.Failed, "the model refused: "+client.CleanLine(k.Answer.Refusal)
		k.Advice = "change the prompt, or ask another model"
	case strings.TrimSpace(k.Answer.Text) == "":
		k.State, k.Error = improve.Failed, "the answer came without a text"
		k.Advice = "ask again, or ask another model"
	case k.Answer.Finish == "length":
		k.Advice = "the answer ends at the limit of tokens: it may not be whole"
	}
}

// lostAdvice adds what a lost answer may have cost.
func lostAdvice(err error, advice string) string {
	if talk.Unsent(err) || talk.APIError(err) != nil || client.NotSent(err) {
		return advice
	}
	return advice + "; the question may have been answered and paid for all the same, and is not sent again by itself"
}

// keepTalk writes down what became of the question.
func (m *Model) keepTalk() tea.Cmd {
	keep, t := m.deps.Talks, m.improve.kept
	if keep == nil || t.ID == "" {
		return nil
	}
	return func() tea.Msg {
		_, err := keep.Keep(t)
		return keptMsg{err: err}
	}
}

func keptResult(msg keptMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	return screen.Toast(screen.Warn, "the answer is not kept in Chat: "+client.CleanLine(msg.err.Error()))
}
