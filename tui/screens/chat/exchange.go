package chat

import (
	"time"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/talk"
)

// exchange is a conversation, and the answer that is arriving in it.
type exchange struct {
	conv kept.Conversation // Model, System and Draft are those of the fields

	stream  *talk.Stream // of the answer, nil for none
	started time.Time
	// stopping says that the person has stopped it.
	stopping bool
	beat     int // of the sign that something comes
	now      func() time.Time
}

// coming reports whether an answer is arriving.
func (e *exchange) coming() bool { return e.stream != nil }

func (e *exchange) append(x kept.Message) { e.conv.Messages = append(e.conv.Messages, x) }

// setAside excludes the messages from one on from what is sent. Empty answers are removed
// altogether.
func (e *exchange) setAside(from int) {
	list := make([]kept.Message, 0, len(e.conv.Messages))
	for i, x := range e.conv.Messages {
		if i >= from && x.Role == client.RoleAssistant && hollow(&x) {
			continue
		}
		x.Aside = x.Aside || i >= from
		list = append(list, x)
	}
	e.conv.Messages = list
}

// await adds to the question the answer that is about to arrive in a stream.
func (e *exchange) await(s *talk.Stream, model string) {
	now := e.now()
	if e.conv.Created.IsZero() {
		e.conv.Created = now
	}
	e.append(kept.Message{Role: client.RoleAssistant, State: kept.Arriving, At: now, Model: model})
	e.stream, e.started, e.beat = s, now, 0
}

// take takes what has arrived of the answer, and its end.
func (e *exchange) take(p talk.Part) {
	a := &e.conv.Messages[len(e.conv.Messages)-1]
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
	switch {
	case p.Err == nil && hollow(a):
		e.end(kept.Failed, "the answer came without a text", "ask again, or check the model's limits")
	case p.Err == nil:
		e.end("", "", "")
	case e.stopping:
		e.end(kept.Stopped, "", stopped)
	default:
		text, advice := talk.Explain(p.Err, a.Text != "", e.now())
		if api := talk.APIError(p.Err); api != nil {
			a.RequestID = api.RequestID
		}
		e.end(kept.Failed, text, advice)
	}
}

// end ends the answer that is arriving, in a state.
func (e *exchange) end(s kept.State, text, advice string) {
	a := &e.conv.Messages[len(e.conv.Messages)-1]
	a.State, a.Error, a.Advice = s, text, advice
	a.Took = max(0, e.now().Sub(e.started)).Round(time.Millisecond)
	e.stream, e.stopping = nil, false
}

// stop stops the answer that is arriving, and reports whether it is over: that is so when its last
// part has come, or when it is stopped again, since the gateway's side may not end by itself.
func (e *exchange) stop() bool {
	e.stream.Cancel()
	if !e.stopping {
		e.stopping = true
		return false // the end comes as the last part does
	}
	e.giveUp()
	return true
}

// giveUp ends the answer with what has arrived of it.
func (e *exchange) giveUp() {
	e.take(e.stream.Look())
	if e.stream != nil {
		e.end(kept.Stopped, "", stopped)
	}
}

const stopped = "stopped; what came is kept"

// blank reports whether the conversation was never kept, and has no message.
func (e *exchange) blank() bool { return len(e.conv.Messages) == 0 && e.conv.ID == "" }

// reasons reports whether an answer included its reasoning.
func (e *exchange) reasons() bool {
	for i := range e.conv.Messages {
		if e.conv.Messages[i].Reasoning != "" {
			return true
		}
	}
	return false
}
