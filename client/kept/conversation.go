// Package kept is what a person keeps, as values: drafts that are being composed, conversations,
// marks of models, and how the jobs are looked at. Where they are kept is not its concern.
package kept

import (
	"encoding/json"
	"time"
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

// Conversation is all that is kept of one.
type Conversation struct {
	ID      string    `json:"id"` // a UUIDv7, "" for one that was never kept
	Created time.Time `json:"created,omitzero"`
	Updated time.Time `json:"updated,omitzero"`
	Title   string    `json:"title,omitempty"` // a clean line: a clean line, "" for none
	Model   string    `json:"model,omitempty"`
	System  string    `json:"system,omitempty"`
	// Draft is what is typed and not sent.
	Draft    string    `json:"draft,omitempty"`
	Count    int       `json:"count"` // of messages, for lists
	Messages []Message `json:"messages"`
}
