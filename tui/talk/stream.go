// Package talk is shared by the screens that ask a chat model: an answer as it comes, and the
// explanation when there is none.
package talk

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
)

// Gateway asks a chat model, once.
type Gateway interface {
	Chat(ctx context.Context, r client.ChatRequest, onDelta func(string)) (client.ChatAnswer, error)
}

// Part is the answer received so far; Answer and Err are set once it is over.
type Part struct {
	Text   string
	Over   bool
	Answer client.ChatAnswer
	Err    error
}

// PartMsg brings the answer received so far.
type PartMsg struct {
	From *Stream
	Part Part
}

// Stream is one answer as it arrives. The gateway's goroutine adds to it and never waits for the
// screen, which looks at it. Looking takes nothing away: when the message of a look gets lost, no
// text is lost. It is safe for concurrent use.
type Stream struct {
	cancel context.CancelFunc
	wake   chan struct{} // has a value while there is something new
	over   chan struct{} // closed at the end

	mu   sync.Mutex
	text strings.Builder
	end  *Part
	tag  string
}

// SetTag notes the id that the answer is kept under, from any goroutine; Tag returns it.
func (s *Stream) SetTag(tag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tag = tag
}

// Tag is the tag set by SetTag, "" for none.
func (s *Stream) Tag() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tag
}

// New is an empty stream, and the context that Cancel ends.
func New() (*Stream, context.Context) {
	ctx, cancel := context.WithCancel(context.Background())
	return &Stream{cancel: cancel, wake: make(chan struct{}, 1), over: make(chan struct{})}, ctx
}

// Cancel gives up the answer; the stream then ends as any other does.
func (s *Stream) Cancel() { s.cancel() }

// Put adds a piece of the answer.
func (s *Stream) Put(delta string) {
	s.mu.Lock()
	s.text.WriteString(delta)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Finish ends the stream; it is called once.
func (s *Stream) Finish(a client.ChatAnswer, err error) {
	s.mu.Lock()
	s.end = &Part{Over: true, Answer: a, Err: err}
	s.mu.Unlock()
	close(s.over)
}

// Wait waits for the end of the answer, for at most the given time.
func (s *Stream) Wait(most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-s.over:
	case <-t.C:
	}
}

// Look is the answer received so far. The text is not copied: it is shared with the one being
// added to.
func (s *Stream) Look() Part {
	s.mu.Lock()
	defer s.mu.Unlock()
	var p Part
	if s.end != nil {
		p = *s.end
	}
	p.Text = s.text.String()
	return p
}

// Run asks the gateway. It ends with the answer, or when the stream is cancelled. before, if any,
// runs first: when it fails, nothing is sent.
func Run(ctx context.Context, g Gateway, r client.ChatRequest, s *Stream, before func() error) tea.Cmd {
	return func() tea.Msg {
		defer s.cancel()
		answer, err := client.ChatAnswer{}, errors.New("the console failed while the answer came")
		defer func() { s.Finish(answer, err) }() // whatever happens, nobody waits for ever
		if before != nil {
			if e := before(); e != nil {
				err = &unsentError{e}
				return nil
			}
		}
		answer, err = g.Chat(ctx, r, s.Put)
		return nil
	}
}

// unsentError says why nothing was sent at all.
type unsentError struct{ Err error }

// Error implements error.
func (e *unsentError) Error() string { return "nothing was sent: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *unsentError) Unwrap() error { return e.Err }

// Unsent reports whether err says that nothing was sent.
func Unsent(err error) bool {
	_, ok := errors.AsType[*unsentError](err)
	return ok
}

// Next waits for more of the answer, and then for pause, to collect what follows closely; it
// brings a [PartMsg].
func Next(s *Stream, pause time.Duration) tea.Cmd {
	return func() tea.Msg {
		if pause > 0 {
			t := time.NewTimer(pause)
			defer t.Stop()
			select {
			case <-t.C:
			case <-s.over:
			}
		}
		select {
		case <-s.wake:
		case <-s.over:
		}
		return PartMsg{From: s, Part: s.Look()}
	}
}
