package improve

import (
	"time"

	"darkroom/client"
	"darkroom/client/kept"
)

// Talk is one question to a chat model with its answer as far as it has come, as kept. Texts are as
// typed or as the gateway sent them.
type Talk struct {
	ID     string // the id it is kept under, "" if it was never kept
	Model  string
	System string
	Asked  string
	Title  string // a clean line
	At     time.Time
	State  kept.State
	Answer client.ChatAnswer
	Took   time.Duration
	// Error says what went wrong, Advice what to do next; clean lines.
	Error, Advice string
}
