package chat

import (
	"encoding/json"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/tui/widgets"
)

// State says how a message came to its end; "" for one that is whole.
type State string

// States of messages. Arriving is on the disk only where a console ended, or was ended,
// before the answer did.
const (
	Arriving State = "arriving"
	Stopped  State = "stopped" // by the person
	Failed   State = "failed"  // see Error
)

// Message is one message of a conversation. Texts are as they were typed or sent by the
// gateway: clean them before showing.
type Message struct {
	Role  string    `json:"role"` // client.RoleUser or client.RoleAssistant
	Text  string    `json:"text"`
	At    time.Time `json:"at"`
	State State     `json:"state,omitempty"`
	// Aside says that it is kept and no more part of what is sent: another answer was
	// asked for, or the question was changed.
	Aside bool `json:"aside,omitempty"`

	// What follows is of answers only.

	Model     string          `json:"model,omitempty"`
	Reasoning string          `json:"reasoning,omitempty"`
	Refusal   string          `json:"refusal,omitempty"`
	Finish    string          `json:"finish_reason,omitempty"`
	Usage     json.RawMessage `json:"usage,omitempty"`
	RequestID string          `json:"request_id,omitempty"`
	// Took is the time from the question to the end of the answer, in nanoseconds.
	Took time.Duration `json:"took,omitempty"`
	// Error is what went wrong, and Advice what to do next; clean lines.
	Error  string `json:"error,omitempty"`
	Advice string `json:"advice,omitempty"`
}

// hollow reports an answer in which nothing came.
func (m *Message) hollow() bool { return m.Text == "" && m.Refusal == "" && m.Reasoning == "" }

// Conversation is all that is kept of one.
type Conversation struct {
	ID      string    `json:"id"` // a UUIDv7, "" for one that was never kept
	Created time.Time `json:"created,omitzero"`
	Updated time.Time `json:"updated,omitzero"`
	Title   string    `json:"title,omitempty"` // a clean line: see [Conversation.Named]
	Model   string    `json:"model,omitempty"`
	System  string    `json:"system,omitempty"`
	// Draft is what is typed and not sent.
	Draft    string    `json:"draft,omitempty"`
	Count    int       `json:"count"` // of messages, for lists
	Messages []Message `json:"messages"`
}

// Store keeps conversations, each for itself. Its methods touch the disk, and are safe
// for concurrent use.
type Store interface {
	// List is what is kept, the newest first, without messages. What could not be read
	// is left out and told by the error, which may come beside a list.
	List() ([]Conversation, error)
	Load(id string) (Conversation, error)
	// Save keeps a conversation and returns the id it is kept under: another one when
	// somebody else has changed the kept one since it was loaded or saved here.
	Save(Conversation) (id string, err error)
	// Delete forgets a conversation; one that is not kept is forgotten already.
	Delete(id string) error
}

// maxTitle bounds titles, in cells.
const maxTitle = 60

// Named is a title for the conversation: how its first question begins.
func (c *Conversation) Named() string {
	first := ""
	for i := range c.Messages {
		m := &c.Messages[i]
		if m.Role != client.RoleUser || strings.TrimSpace(m.Text) == "" {
			continue
		}
		if !m.Aside {
			return lead(m.Text)
		}
		if first == "" {
			first = m.Text
		}
	}
	if first != "" {
		return lead(first)
	}
	if strings.TrimSpace(c.Draft) != "" {
		return lead(c.Draft)
	}
	return ""
}

// lead is the beginning of a text as one clean line.
func lead(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 400 {
		s = strings.ToValidUTF8(s[:400], "")
	}
	return widgets.Truncate(strings.Join(strings.Fields(client.CleanLine(s)), " "), maxTitle)
}

// request is what is sent to have the conversation go on: the system prompt and the
// messages that were not set aside, as far as there is anything in them.
func (c *Conversation) request() client.ChatRequest {
	r := client.ChatRequest{Model: strings.TrimSpace(c.Model)}
	if strings.TrimSpace(c.System) != "" {
		r.Messages = append(r.Messages, client.ChatMessage{Role: client.RoleSystem, Content: c.System})
	}
	for i := range c.Messages {
		m := &c.Messages[i]
		text := m.Text
		if text == "" {
			text = m.Refusal
		}
		if !m.Aside && text != "" {
			r.Messages = append(r.Messages, client.ChatMessage{Role: m.Role, Content: text})
		}
	}
	return r
}

// last is the index of the newest message of a role that is not set aside, or -1.
func (c *Conversation) last(role string) int {
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if m := &c.Messages[i]; m.Role == role && !m.Aside {
			return i
		}
	}
	return -1
}
