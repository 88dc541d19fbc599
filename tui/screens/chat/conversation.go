package chat

import (
	"strings"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/talk"
)

// hollow reports whether an answer is empty.
func hollow(m *kept.Message) bool { return m.Text == "" && m.Refusal == "" && m.Reasoning == "" }

// Store keeps conversations, each by itself. Its methods touch the disk, and are safe for
// concurrent use.
type Store interface {
	// List is what is kept, newest first, without messages. What could not be read is left out and
	// reported by the error, which may accompany a list.
	List() ([]kept.Conversation, error)
	Load(id string) (kept.Conversation, error)
	// Save keeps a conversation and returns the id it is kept under: a new one when somebody else has
	// changed the kept one since it was loaded or saved here.
	Save(kept.Conversation) (id string, err error)
	// Delete deletes a conversation; one that is not kept counts as deleted.
	Delete(id string) error
}

// titleOf is a title for the conversation: the beginning of its first question.
func titleOf(c *kept.Conversation) string {
	first := ""
	for i := range c.Messages {
		m := &c.Messages[i]
		if m.Role != client.RoleUser || strings.TrimSpace(m.Text) == "" {
			continue
		}
		if !m.Aside {
			return talk.Title(m.Text)
		}
		if first == "" {
			first = m.Text
		}
	}
	if first != "" {
		return talk.Title(first)
	}
	if strings.TrimSpace(c.Draft) != "" {
		return talk.Title(c.Draft)
	}
	return ""
}

// requestOf is the request that continues the conversation: the system prompt and the messages that
// were not set aside, except empty ones.
func requestOf(c *kept.Conversation) client.ChatRequest {
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

// lastOf is the index of the newest message of a role that is not set aside, or -1.
func lastOf(c *kept.Conversation, role string) int {
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if m := &c.Messages[i]; m.Role == role && !m.Aside {
			return i
		}
	}
	return -1
}
