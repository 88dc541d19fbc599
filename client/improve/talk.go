package improve

import (
	"time"

	"darkroom/client"
)

// State says how far a question came; "" for one that is answered.
type State string

// States of questions. Arriving is what is written down before anything is sent.
const (
	Arriving State = "arriving"
	Stopped  State = "stopped" // by the person
	Failed   State = "failed"  // see Error
)

// Talk is one question to a chat model, with its answer as far as it came: what is kept of
// it. Texts are as they were typed or sent by the gateway.
type Talk struct {
	ID     string // as it is kept under, "" for one that never was
	Model  string
	System string
	Asked  string
	Title  string // a clean line
	At     time.Time
	State  State
	Answer client.ChatAnswer
	Took   time.Duration
	// Error is what went wrong, and Advice what to do next; clean lines.
	Error, Advice string
}
