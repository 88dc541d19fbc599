package improve

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/client/transport"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
)

// came takes the part of the answer received so far.
func (d *Dialog) came(msg talk.PartMsg) tea.Cmd {
	if msg.From != d.stream || d.stream == nil {
		return nil // of an answer that was given up
	}
	d.text = msg.Part.Text
	if !msg.Part.Over {
		return talk.Next(msg.From, d.pause)
	}
	return d.over(msg.Part)
}

// over ends the question, with an answer or without.
func (d *Dialog) over(p talk.Part) tea.Cmd {
	d.end(p)
	if d.stopping {
		d.Close()
		text := "stopped; the prompt is as it was"
		if !d.o.Free {
			text += ", and the question may still be billed"
		}
		if d.kept.Answer.Text != "" && d.o.Talks != nil {
			text += "; Chat keeps what came"
		}
		return tea.Batch(d.keep(), screen.Toast(screen.Info, text))
	}
	if d.kept.State == kept.Failed {
		d.phase, d.trouble, d.advice = failed, d.kept.Error, d.kept.Advice
		return d.keep()
	}
	return tea.Batch(d.keep(), d.compare(d.prompt))
}

// end makes the record of a question that is over.
func (d *Dialog) end(p talk.Part) {
	k := &d.kept
	k.ID = cmp.Or(d.stream.Tag(), k.ID)
	d.stream = nil
	k.Took = max(0, d.now().Sub(k.At))
	k.Answer, k.State = p.Answer, ""
	k.Answer.Text = cmp.Or(p.Answer.Text, p.Text)
	switch {
	case d.stopping:
		k.State, k.Advice = kept.Stopped, "stopped; what came is kept"
	case p.Err != nil:
		k.State = kept.Failed
		k.Error, k.Advice = talk.Explain(p.Err, p.Text != "", d.now())
		k.Advice = lostAdvice(p.Err, k.Advice, d.o.Free)
		if api := talk.APIError(p.Err); api != nil {
			k.Answer.Meta.RequestID = api.RequestID
		}
	case k.Answer.Refusal != "" && strings.TrimSpace(k.Answer.Text) == "":
		k.State, k.Error = kept.Failed, "the model refused: "+client.CleanLine(k.Answer.Refusal)
		k.Advice = "change the prompt, or ask another model"
	case strings.TrimSpace(k.Answer.Text) == "":
		k.State, k.Error = kept.Failed, "the answer came without a text"
		k.Advice = "ask again, or ask another model"
	case k.Answer.Finish == "length":
		k.Advice = "the answer ends at the limit of tokens: it may not be whole"
	}
}

// lostAdvice adds what may have come of a question whose answer was lost, and its possible cost.
func lostAdvice(err error, advice string, free bool) string {
	if talk.Unsent(err) || talk.APIError(err) != nil || transport.NotSent(err) {
		return advice
	}
	paid := " and billed"
	if free {
		paid = ""
	}
	return advice + "; the question may have been answered" + paid + ", and is not sent again by itself"
}

// keep records the outcome of the question.
func (d *Dialog) keep() tea.Cmd {
	talks, t := d.o.Talks, d.kept
	if talks == nil || t.ID == "" {
		return nil
	}
	return func() tea.Msg {
		if _, err := talks.Keep(t); err != nil {
			return screen.ToastMsg{Level: screen.Warn, Text: "the answer is not kept in Chat: " + client.CleanLine(err.Error())}
		}
		return nil
	}
}
