package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/client/transport"
	"darkroom/cmd/cli/kit"
)

// chatter is the part of the client that a conversation needs.
type chatter interface {
	Chat(ctx context.Context, r client.ChatRequest, onDelta func(string)) (client.ChatAnswer, error)
}

// view is an answer in -o json. Texts are as they came, without the key.
type view struct {
	ID        string          `json:"id,omitempty"`
	Model     string          `json:"model"`
	Text      string          `json:"text"`
	Reasoning string          `json:"reasoning,omitempty"`
	Refusal   string          `json:"refusal,omitempty"`
	Finish    string          `json:"finish_reason"` // "" if the answer is incomplete
	Usage     json.RawMessage `json:"usage,omitempty"`
	RequestID string          `json:"request_id,omitempty"`
	HTTP      int             `json:"http_status,omitempty"`
	LatencyMS int64           `json:"latency_ms"`
	Error     string          `json:"error,omitempty"`
}

// teller prints an answer as it comes. All it prints, joined, is the whole text, cleaned.
type teller struct {
	s     *kit.IO
	clean text.Cleaner
	line  bool // something stands on the last line
}

func (t *teller) delta(text string) { t.put(t.clean.Write(text)) }

// end prints what was held back and ends the line.
func (t *teller) end() {
	t.put(t.clean.End())
	if t.line {
		t.put("\n")
	}
}

func (t *teller) put(text string) {
	if text == "" {
		return
	}
	t.s.Printf("%s", text)
	t.line = !strings.HasSuffix(text, "\n")
}

// ask sends messages once. For people it prints the answer, as it comes if it is streamed. An error
// may come with the part that had arrived, which is printed, too.
func (o *options) ask(ctx context.Context, c chatter, all []client.ChatMessage) (client.ChatAnswer, error) {
	r := client.ChatRequest{Model: o.model, Messages: all, Extra: o.raw}
	if !o.k.Out.Table() {
		if o.streaming() {
			return c.Chat(ctx, r, func(string) {})
		}
		return c.Chat(ctx, r, nil)
	}
	t := &teller{s: o.k.IO}
	defer t.end()
	if o.streaming() {
		return c.Chat(ctx, r, t.delta)
	}
	a, err := c.Chat(ctx, r, nil)
	t.delta(a.Text)
	return a, err
}

// once asks one question: the command without a conversation.
func (o *options) once(ctx context.Context, c chatter, talk *conversation, text string) error {
	a, err := o.ask(ctx, c, talk.with(client.RoleUser, text))
	err = judged(ctx, a, err)
	if perr := o.print(a, err); perr != nil {
		return errors.Join(err, perr)
	}
	if err != nil {
		return err
	}
	o.remark(a)
	return talk.keep(text, a.Text)
}

// print writes the answer as -o asks, unless it was already printed for people. For an answer that
// never began there is nothing to write.
func (o *options) print(a client.ChatAnswer, err error) error {
	if o.k.Out.Table() || err != nil && a.Text == "" && a.Refusal == "" {
		return nil
	}
	v := view{ID: a.ID, Model: a.Model, Text: a.Text, Reasoning: a.Reasoning, Refusal: a.Refusal, Finish: a.Finish, Usage: a.Usage,
		RequestID: a.Meta.RequestID, HTTP: a.Meta.HTTPStatus, LatencyMS: a.Meta.Latency.Milliseconds()}
	if err != nil {
		v.Error = client.CleanLine(err.Error())
	}
	return o.k.Out.One(v)
}

// judged is the error of an answer: that it broke off, or that the model refused.
func judged(ctx context.Context, a client.ChatAnswer, err error) error {
	switch {
	case err == nil && a.Refusal != "" && a.Text == "":
		return fmt.Errorf("the model refused: %s", client.CleanLine(a.Refusal))
	case err == nil:
		return nil
	case ctx.Err() != nil && a.Text != "":
		return kit.Stopped("interrupted: the answer is not whole")
	case ctx.Err() != nil:
		return ctx.Err()
	case a.Text != "":
		return fmt.Errorf("the answer was cut: %w", err)
	case lostOnTheWay(err):
		return fmt.Errorf("the answer was lost, and the message is not sent again by itself: %w", err)
	default:
		return err
	}
}

// lostOnTheWay reports whether the connection broke or time ran out after a request was sent, wholly
// or in part.
func lostOnTheWay(err error) bool {
	if transport.NotSent(err) {
		return false
	}
	_, broken := errors.AsType[*net.OpError](err)
	return broken || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded)
}

// remark says what is odd about a complete answer.
func (o *options) remark(a client.ChatAnswer) {
	text := ""
	switch {
	case a.Finish == "length":
		text = "the answer ends at the limit of tokens (finish_reason length)"
	case a.Finish == "content_filter":
		text = "a filter ended the answer (finish_reason content_filter)"
	case a.Finish == "tool_calls" || a.Finish == "function_call":
		text = "the model asks for a tool, and this command has none (finish_reason " + a.Finish + ")"
	case a.Text == "":
		text = "the answer is empty"
	}
	if text != "" {
		o.k.IO.Notef("darkroom: %s\n", text)
	}
}
