package wire

import (
	"encoding/json"
	"errors"
	"strings"

	"darkroom/client"
)

// Chat is an answer of a chat model, or one piece of a streamed one.
type Chat struct {
	Answer client.ChatAnswer
	// Choices says that there was a list of choices, even an empty one.
	Choices bool
	// Said says that some choice had a message, a delta or a text.
	Said bool
}

// ReadChat reads a chat completion or a chunk of one. An answer that is an error, or no chat
// completion at all, is an error; an error that the gateway reports is an [*Error].
func ReadChat(body []byte) (Chat, error) {
	c, err := ReadChunk(body)
	if err == nil && !c.Said {
		err = errors.New("an answer without a choice")
	}
	return c, err
}

// ReadChunk is ReadChat for the chunks of a stream, which may be empty.
func ReadChunk(body []byte) (Chat, error) {
	top, err := parse(body)
	if err != nil {
		return Chat{}, err
	}
	o := top
	if !o.Has("choices") {
		for _, n := range containers {
			if in := top.Obj(n); in.Has("choices") {
				o = in
				break
			}
		}
	}
	c := chatOf(o)
	if e, ok := client.ErrorIn(top.get("error")); ok {
		return c, &Error{e}
	}
	if !c.Choices && c.Answer.Usage == nil && !c.Said {
		if e, ok := client.ErrorIn(body); ok {
			return c, &Error{e}
		}
	}
	return c, nil
}

// chatOf reads the first choice that says something.
func chatOf(o *Obj) Chat {
	c := Chat{Answer: client.ChatAnswer{ID: o.Str("id"), Model: o.Str("model"), Usage: o.Raw("usage")}}
	list := array(o.get("choices"))
	c.Choices = list != nil
	for _, raw := range list {
		in := object(raw)
		if in == nil || in.digits("index") != "" && in.digits("index") != "0" {
			continue // further choices are alternatives
		}
		c.choice(in)
	}
	if !c.Choices {
		if s := o.Str("output_text", "response", "text", "content"); s != "" {
			c.Answer.Text, c.Said = s, true
		}
	}
	if c.Said || c.Choices {
		o.Take("choices", "object", "system_fingerprint")
	}
	return c
}

func (c *Chat) choice(o *Obj) {
	if s := o.Str("finish_reason", "finishReason"); s != "" {
		c.Answer.Finish = s
	}
	m := o.Obj("message", "delta")
	if m == nil {
		if s := o.Str("text"); s != "" {
			c.Answer.Text, c.Said = c.Answer.Text+s, true
		}
		return
	}
	c.Said = true
	c.Answer.Text += words(m.get("content"))
	c.Answer.Reasoning += m.Str("reasoning_content", "reasoning")
	c.Answer.Refusal += m.Str("refusal")
}

// words are the text of a message: a string, or the text parts of a list.
func words(raw json.RawMessage) string {
	if len(raw) == 0 || raw[0] == '"' {
		return text(raw)
	}
	var b strings.Builder
	var l []json.RawMessage
	if json.Unmarshal(raw, &l) != nil {
		return ""
	}
	for _, x := range l {
		if in := object(x); in != nil {
			b.WriteString(in.Str("text", "content"))
		} else {
			b.WriteString(text(x))
		}
	}
	return b.String()
}

// Chat adds the words of a chat model. Such an answer is a result: its id cannot be queried.
func (t *Task) Chat(body []byte) *Task {
	c, err := ReadChunk(body)
	if err != nil || !c.Said || t.termed {
		return t
	}
	t.Text = c.Answer.Text
	if t.Text == "" {
		t.Text = c.Answer.Refusal
	}
	t.Status = client.StatusCompleted
	t.RawStatus = c.Answer.Finish
	if t.ID != "" {
		t.AltIDs = append([]string{t.ID}, t.AltIDs...)
		t.ID = ""
	}
	if t.Usage == nil {
		t.Usage = c.Answer.Usage
	}
	t.main.Take("choices")
	return t
}

// Words adds the texts among the items of a response object.
func (t *Task) Words() *Task {
	if !t.ended() {
		return t
	}
	for _, raw := range t.main.List("output") {
		in := object(raw)
		if in != nil && in.Str("type") == "message" {
			t.Text += words(in.get("content"))
		}
	}
	return t
}
