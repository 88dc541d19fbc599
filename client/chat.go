package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"darkroom/client/places"
	"darkroom/client/secret"
	"darkroom/client/transport"
)

// Roles of chat messages (GATEWAY: Endpoints, chat completions).
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// ChatMessage is one message of a conversation.
type ChatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// ChatRequest is a conversation to continue.
type ChatRequest struct {
	Model    string        `json:"model"`
	Messages []ChatMessage `json:"messages"`
	// Extra is merged unchanged into the body, each value at its place: see [places.Check].
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// ChatAnswer is what a model said, whole or as far as it got. Texts are as the gateway sent them:
// clean them before showing.
type ChatAnswer struct {
	ID    string `json:"id,omitempty"`
	Model string `json:"model,omitempty"`
	Text  string `json:"text"`
	// Reasoning is the reasoning that some models return beside the answer.
	Reasoning string `json:"reasoning,omitempty"`
	// Refusal is what a model says in place of an answer.
	Refusal string `json:"refusal,omitempty"`
	// Finish is the finish_reason: stop, length, tool_calls, content_filter; "" when the answer did
	// not end properly.
	Finish string          `json:"finish_reason,omitempty"`
	Usage  json.RawMessage `json:"usage,omitempty"`
	Meta   Meta            `json:"meta,omitzero"`
	// Raw is the body of an answer that was not streamed.
	Raw []byte `json:"-"`
}

// ChatCodec is implemented by formats that carry conversations.
type ChatCodec interface {
	// EncodeChat makes the request, for a whole answer or a streamed one.
	EncodeChat(r ChatRequest, stream bool) (Request, error)
	// DecodeChat reads a 2xx answer that was not streamed.
	DecodeChat(r Response) (ChatAnswer, error)
	// NewStream makes a decoder of one streamed answer.
	NewStream() ChatStream
}

// ChatStream decodes a streamed answer. It is fed line by line and is not safe for
// concurrent use.
type ChatStream interface {
	// Line takes a line without its line end. delta is what it adds to the text; done is true once
	// the stream has said that it is over. An error in the stream ends it.
	Line(line []byte) (delta string, done bool, err error)
	// End marks the end of the input: an error when the answer was cut off.
	End() (delta string, err error)
	// Answer is the answer so far.
	Answer() ChatAnswer
}

// maxLine bounds one line of a stream.
const maxLine = 4 << 20

// Chat sends a conversation (GATEWAY: POST /v1/chat/completions). With onDelta the answer is
// streamed, and onDelta gets each piece of text in order, on the caller's goroutine; without it the
// answer comes whole. The request is sent once. An error may come with a partial answer: a refusal
// is an *APIError, and a failure in the middle of a stream comes with what had arrived.
func (c *Client) Chat(ctx context.Context, r ChatRequest, onDelta func(string)) (ChatAnswer, error) {
	f, codec, err := c.chatCodec()
	if err != nil {
		return ChatAnswer{}, err
	}
	stream := onDelta != nil
	req, err := c.chatRequest(f, codec, r, stream)
	if err != nil {
		return ChatAnswer{}, err
	}
	limits := transport.Limits{Total: c.opts.SyncTimeout}
	if stream {
		limits = transport.Limits{Stall: c.opts.SyncTimeout}
	}
	ctx, a := transport.Begin(ctx, limits)
	resp, err := c.postRaw(ctx, req, stream)
	if err != nil {
		return ChatAnswer{}, fmt.Errorf("%s: %w", pathOf(req), err)
	}
	defer func() { _ = resp.Body.Close() }()
	if !stream || !eventStream(resp) {
		return c.chatWhole(codec, req, resp, a, r.Model, onDelta)
	}
	out, err := c.chatStream(codec.NewStream(), resp, a, onDelta)
	now := c.opts.Now()
	out.Meta = Meta{
		HTTPStatus: resp.StatusCode, RequestID: transport.RequestID(resp.Header), Path: pathOf(req), At: now, Latency: a.Since(now),
	}
	out.Model = c.chatModel(out.Model, r.Model)
	if err != nil {
		err = fmt.Errorf("%s: %w", pathOf(req), err)
	}
	return out, err
}

func (c *Client) chatCodec() (Format, ChatCodec, error) {
	for _, f := range c.formats {
		if codec, ok := f.(ChatCodec); ok {
			return f, codec, nil
		}
	}
	return nil, nil, errors.New("client: no format carries conversations")
}

// chatRequest is [Client.request] for a conversation.
func (c *Client) chatRequest(f Format, codec ChatCodec, r ChatRequest, stream bool) (Request, error) {
	req, err := encodeChat(codec, r, stream)
	if err != nil {
		return Request{}, err
	}
	d := Draft{Model: r.Model, Extra: r.Extra}
	if req.Body, err = c.opts.Dialect.body(f, d, req.Body); err != nil {
		return Request{}, err
	}
	req, _, err = c.paths.create(f, d.Model, req)
	return req, err
}

// encodeChat makes the request of a conversation and puts its raw additions in their places.
func encodeChat(codec ChatCodec, r ChatRequest, stream bool) (Request, error) {
	members, deep, err := places.Split(r.Extra)
	if err != nil {
		return Request{}, err
	}
	r.Extra = members
	req, err := codec.EncodeChat(r, stream)
	if err != nil {
		return Request{}, err
	}
	req.Body, err = places.PutAll(req.Body, deep)
	return req, err
}

// chatModel is the catalog's name for the model that answered; sent where the answer names none.
func (c *Client) chatModel(told, sent string) string {
	if told == "" {
		return sent
	}
	return c.opts.Dialect.catalogModel(told, sent)
}

func (c *Client) postRaw(ctx context.Context, req Request, stream bool) (*http.Response, error) {
	u, err := c.link.Resolve(req.Path)
	if err != nil {
		return nil, err
	}
	r, err := c.link.Request(ctx, req.Method, u, req.Body)
	if err != nil {
		return nil, err
	}
	if stream {
		r.Header.Set("Accept", "text/event-stream, application/json")
		r.Header.Set("Accept-Encoding", "identity") // the pieces must arrive as they are made
	}
	resp, err := c.link.Creates.Do(r)
	if err != nil {
		return nil, transport.UnwrapURL(err)
	}
	return resp, nil
}

func eventStream(resp *http.Response) bool {
	mt, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return err == nil && mt == "text/event-stream" && resp.StatusCode >= 200 && resp.StatusCode < 300
}

func (c *Client) chatWhole(codec ChatCodec, req Request, resp *http.Response, a *transport.Attempt, model string, onDelta func(string)) (ChatAnswer, error) {
	ans, err := c.read(resp, a, pathOf(req), c.opts.MaxBody)
	if api := c.refused(ans, req); api != nil {
		return ChatAnswer{Meta: ans.meta, Raw: ans.Body}, api
	}
	if err != nil {
		return ChatAnswer{Meta: ans.meta}, fmt.Errorf("%s: %w", pathOf(req), err)
	}
	out, err := codec.DecodeChat(ans.Response)
	out.Meta, out.Raw = ans.meta, ans.Body
	if err != nil {
		return out, fmt.Errorf("%s: HTTP %d, but the answer was not understood: %w", pathOf(req), ans.StatusCode, err)
	}
	out.Model = c.chatModel(out.Model, model)
	if onDelta != nil && out.Text != "" {
		onDelta(out.Text)
	}
	return out, nil
}

func (c *Client) chatStream(s ChatStream, resp *http.Response, a *transport.Attempt, onDelta func(string)) (ChatAnswer, error) {
	key := a.Key()
	hide := secret.Hider{Key: key}
	say := func(text string) {
		if text != "" {
			onDelta(text)
		}
	}
	tell := func(delta string) { say(hide.Write(delta)) }
	finish := func(err error) (ChatAnswer, error) {
		say(hide.End())
		out := s.Answer()
		for _, text := range []*string{&out.Text, &out.Reasoning, &out.Refusal} {
			*text = string(secret.Hide([]byte(*text), key))
		}
		return out, err
	}
	in := bufio.NewReaderSize(io.LimitReader(resp.Body, c.opts.MaxBody), 32<<10)
	for {
		line, err := readLine(in)
		if len(line) > 0 || err == nil {
			delta, done, lerr := s.Line(secret.Hide(line, key))
			tell(delta)
			if lerr != nil || done {
				return finish(lerr)
			}
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, io.EOF) {
			return finish(fmt.Errorf("the answer broke off: %w", err))
		}
		delta, err := s.End()
		tell(delta)
		return finish(err)
	}
}

// readLine reads a line without its end, LF or CR LF.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("a line of the stream is longer than %d MiB", maxLine>>20)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
