package chat

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
)

const (
	// saveAfter is how long a change may stay unsaved, from the first one on.
	saveAfter = 300 * time.Millisecond
	// partEvery is the time between two looks at what came: 20 a second.
	partEvery = 50 * time.Millisecond
	// flushWait bounds the wait for what the client has of an answer that is given up.
	flushWait = 300 * time.Millisecond
	// modelsLimit bounds what asking the lists of models may take.
	modelsLimit = 30 * time.Second
)

// part is what has come of an answer so far.
type part struct {
	text   string
	over   bool
	answer client.ChatAnswer
	err    error
}

// stream is one answer on its way, as far as it came. The gateway's goroutine adds to it
// and never waits for the screen, which looks at it. Looking takes nothing away, so that
// a look whose message gets lost loses nothing.
type stream struct {
	cancel context.CancelFunc
	wake   chan struct{} // has a value while there is something new
	over   chan struct{} // closed at the end

	mu   sync.Mutex
	text strings.Builder
	end  *part
}

func newStream() (*stream, context.Context) {
	ctx, cancel := context.WithCancel(context.Background())
	return &stream{cancel: cancel, wake: make(chan struct{}, 1), over: make(chan struct{})}, ctx
}

func (s *stream) put(delta string) {
	s.mu.Lock()
	s.text.WriteString(delta)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *stream) finish(a client.ChatAnswer, err error) {
	s.mu.Lock()
	s.end = &part{over: true, answer: a, err: err}
	s.mu.Unlock()
	close(s.over)
}

// wait waits for the end, for some time at most.
func (s *stream) wait(most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-s.over:
	case <-t.C:
	}
}

// look is what has come. The text costs nothing: it is shared with what is added to.
func (s *stream) look() part {
	s.mu.Lock()
	defer s.mu.Unlock()
	var p part
	if s.end != nil {
		p = *s.end
	}
	p.text = s.text.String()
	return p
}

// run asks the gateway. It ends when the answer has, or when the stream is cancelled.
func run(ctx context.Context, g Gateway, r client.ChatRequest, s *stream) tea.Cmd {
	return func() tea.Msg {
		defer s.cancel()
		answer, err := client.ChatAnswer{}, errors.New("the console failed while the answer came")
		defer func() { s.finish(answer, err) }() // whatever happens, nobody waits for ever
		answer, err = g.Chat(ctx, r, s.put)
		return nil
	}
}

// await waits for what comes next, and after pause for what comes with it.
func await(s *stream, pause time.Duration) tea.Cmd {
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
		return partMsg{from: s, part: s.look()}
	}
}

// list reads what is kept. At the start the newest conversation is read as well.
func list(st Store, first bool) tea.Cmd {
	return func() tea.Msg {
		msg := listedMsg{first: first}
		msg.list, msg.err = st.List()
		if first && len(msg.list) > 0 {
			msg.newest, msg.loadErr = st.Load(msg.list[0].ID)
			msg.have = msg.loadErr == nil
		}
		return msg
	}
}

func load(st Store, id string) tea.Cmd {
	return func() tea.Msg {
		c, err := st.Load(id)
		return openedMsg{conv: c, err: err}
	}
}

func remove(w *writer, id string, key int, title string) tea.Cmd {
	return func() tea.Msg { return deletedMsg{title: title, err: w.remove(id, key)} }
}

func store(w *writer, s snapshot) tea.Cmd {
	return func() tea.Msg {
		id, err := w.write(s)
		return savedMsg{key: s.key, revision: s.revision, kept: id, err: err}
	}
}

// saveLater wakes up once, to write what has changed until then.
func saveLater() tea.Cmd { return tea.Tick(saveAfter, func(time.Time) tea.Msg { return saveTick{} }) }

func models(g Gateway) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), modelsLimit)
		defer stop()
		l, err := g.Models(ctx)
		return modelsMsg{list: l, err: err}
	}
}
