// Package chat is the chat completions format (GATEWAY: Endpoints, POST
// /v1/chat/completions; the response body is not documented and is read tolerantly).
package chat

import (
	"errors"
	"fmt"
	"net/http"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// name is the stable identifier of the format.
const name = "chat"

const path = "/v1/chat/completions"

// Format is the codec of POST /v1/chat/completions, plain and streamed.
type Format struct{}

// New returns the format.
func New() Format { return Format{} }

// Name implements client.Format.
func (Format) Name() string { return name }

// Label implements client.Format.
func (Format) Label() string { return "chat (" + path + ")" }

// Modalities implements client.Format.
func (Format) Modalities() []client.Modality { return []client.Modality{client.Chat} }

// Synchronous implements client.Format: the answer to the create is the result.
func (Format) Synchronous() bool { return true }

// Fields implements client.Format: messages are made of the system text, the messages so
// far and the prompt, in this order.
func (Format) Fields() []client.WireField {
	return []client.WireField{
		{Canonical: client.FieldModel, Wire: "model"},
		{Canonical: "system", Wire: "messages"},
		{Canonical: "messages", Wire: "messages"},
		{Canonical: client.FieldPrompt, Wire: "messages"},
	}
}

// EncodeCreate implements client.Format.
func (Format) EncodeCreate(d client.Draft) (client.Request, []client.Dropped, error) {
	messages, err := conversation(d)
	if err != nil {
		return client.Request{}, nil, err
	}
	in := d.Clone()
	in.Prompt = ""
	delete(in.Values, "system")
	delete(in.Values, "messages")
	t := wire.Table{Format: name, Lead: []string{client.FieldModel}, Why: map[string]string{
		client.FieldMode:      "a chat request has no mode",
		client.FieldModelName: "a chat request has no model_name",
	}}
	body, dropped, err := t.Encode(in)
	if err != nil {
		return client.Request{}, nil, err
	}
	if err := body.Set("messages", messages); err != nil {
		return client.Request{}, nil, err
	}
	req, err := t.Request(path, body, d)
	return req, dropped, err
}

func conversation(d client.Draft) ([]any, error) {
	var out []any
	switch s := d.Values["system"].(type) {
	case nil:
	case string:
		if s != "" {
			out = append(out, message(client.RoleSystem, s))
		}
	default:
		return nil, errors.New("system: it is a text")
	}
	switch l := d.Values["messages"].(type) {
	case nil:
	case []any:
		for i, x := range l {
			m, ok := x.(map[string]any)
			if _, has := m["role"].(string); !ok || !has {
				return nil, fmt.Errorf("messages: item %d is no object with role and content", i+1)
			}
			out = append(out, m)
		}
	default:
		return nil, errors.New("messages: it is a list of objects with role and content")
	}
	if d.Prompt != "" {
		out = append(out, message(client.RoleUser, d.Prompt))
	}
	if out == nil {
		out = []any{}
	}
	return out, nil
}

func message(role, text string) *wire.Body {
	b := wire.NewBody()
	// Names without dots cannot fail.
	_ = b.Set("role", role)
	_ = b.Set("content", text)
	return b
}

// EncodeChat implements client.ChatCodec. A stream is also asked for its usage.
func (Format) EncodeChat(r client.ChatRequest, stream bool) (client.Request, error) {
	if r.Model == "" {
		return client.Request{}, errors.New("model is required")
	}
	if len(r.Messages) == 0 {
		return client.Request{}, errors.New("messages: at least one is required")
	}
	list := make([]any, 0, len(r.Messages))
	for i, m := range r.Messages {
		if m.Role == "" {
			return client.Request{}, fmt.Errorf("messages: item %d has no role: one of system, user, assistant", i+1)
		}
		list = append(list, message(m.Role, m.Content))
	}
	b := wire.NewBody()
	members := []struct {
		name  string
		value any
	}{{"model", r.Model}, {"messages", list}}
	if stream {
		members = append(members, struct {
			name  string
			value any
		}{"stream", true})
	}
	for _, m := range members {
		if err := b.Set(m.name, m.value); err != nil {
			return client.Request{}, err
		}
	}
	if err := b.Merge(r.Extra); err != nil {
		return client.Request{}, err
	}
	raw, err := b.Bytes()
	return client.Request{Method: http.MethodPost, Path: path, Body: raw}, err
}

// DecodeChat implements client.ChatCodec.
func (Format) DecodeChat(r client.Response) (client.ChatAnswer, error) {
	c, err := wire.ReadChat(r.Body)
	if err != nil {
		return client.ChatAnswer{}, err
	}
	return c.Answer, nil
}

// DecodeCreate implements client.Format: the answer is a finished task with the model's words as
// Text.
func (Format) DecodeCreate(r client.Response) (client.Task, error) {
	t, err := wire.Read(r.Body, name)
	if err != nil {
		return client.Task{}, err
	}
	return t.Chat(r.Body).Created()
}

// Query implements client.Format: there is no query path.
func (Format) Query(string) client.Request { return client.Request{} }

// DecodeQuery implements client.Format.
func (Format) DecodeQuery(r client.Response) (client.Task, error) {
	t, err := wire.Read(r.Body, name)
	if err != nil {
		return client.Task{}, err
	}
	return t.Chat(r.Body).Queried()
}

// Content implements client.Format.
func (Format) Content(string) (client.Request, bool) { return client.Request{}, false }

// NewStream implements client.ChatCodec.
func (Format) NewStream() client.ChatStream { return &stream{} }

var (
	_ client.Format    = Format{}
	_ client.ChatCodec = Format{}
)
