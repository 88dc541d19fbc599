// Package kept holds the things a person keeps, as values: drafts being composed, conversations,
// marks of models, and the view of the jobs. Where they are kept is not its concern.
package kept

import (
	"encoding/json"
	"time"
)

// State says how a message ended; "" for a complete one.
type State string

// States of messages. Arriving is on the disk only if a console ended, or was ended, before the
// answer did.
const (
	Arriving State = "arriving"
	Stopped  State = "stopped" // by the person
	Failed   State = "failed"  // see Error
)

// Message is one message of a conversation. Texts are as typed or as the gateway sent them: clean
// them before showing.
type Message struct {
	Role  string    `json:"role"` // client.RoleUser or client.RoleAssistant
	Text  string    `json:"text"`
	At    time.Time `json:"at"`
	State State     `json:"state,omitempty"`
	// Aside says that the message is kept but no longer sent: another answer was asked for, or the
	// question was changed.
	Aside bool `json:"aside,omitempty"`

	// The rest is for answers only.

	Model     string          `json:"model,omitempty"`
	Reasoning string          `json:"reasoning,omitempty"`
	Refusal   string          `json:"refusal,omitempty"`
	Finish    string          `json:"finish_reason,omitempty"`
	Usage     json.RawMessage `json:"usage,omitempty"`
	RequestID string          `json:"request_id,omitempty"`
	// Took is the time from the question to the end of the answer, in nanoseconds.
	Took time.Duration `json:"took,omitempty"`
	// Error says what went wrong, Advice what to do next; clean lines.
	Error  string `json:"error,omitempty"`
	Advice string `json:"advice,omitempty"`
}

// Conversation is a whole conversation as kept.
type Conversation struct {
	ID      string    `json:"id"` // a UUIDv7, "" for one that was never kept
	Created time.Time `json:"created,omitzero"`
	Updated time.Time `json:"updated,omitzero"`
	Title   string    `json:"title,omitempty"` // a clean line: a clean line, "" for none
	Model   string    `json:"model,omitempty"`
	System  string    `json:"system,omitempty"`
	// Draft is text typed but not sent.
	Draft    string    `json:"draft,omitempty"`
	Count    int       `json:"count"` // of messages, for lists
	Messages []Message `json:"messages"`
}
