package improve

import (
	"time"

	"darkroom/client"
	"darkroom/client/kept"
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
	State  kept.State
	Answer client.ChatAnswer
	Took   time.Duration
	// Error is what went wrong, and Advice what to do next; clean lines.
	Error, Advice string
}
