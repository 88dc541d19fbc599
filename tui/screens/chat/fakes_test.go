package chat

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // goldens show local times
	os.Exit(m.Run())
}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// gateway answers with what a test says.
type gateway struct {
	mu     sync.Mutex
	asked  []client.ChatRequest
	deltas []string
	answer client.ChatAnswer
	err    error
	hold   chan struct{} // when set, the end waits for it or for the end of the context
	list   client.ModelList
	listed int
	lerr   error
}

func (g *gateway) Chat(ctx context.Context, r client.ChatRequest, onDelta func(string)) (client.ChatAnswer, error) {
	g.mu.Lock()
	g.asked = append(g.asked, r)
	deltas, answer, err, hold := g.deltas, g.answer, g.err, g.hold
	g.mu.Unlock()
	for _, d := range deltas {
		onDelta(d)
	}
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return client.ChatAnswer{}, ctx.Err()
		}
	}
	return answer, err
}

func (g *gateway) Models(context.Context) (client.ModelList, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.listed++
	return g.list, g.lerr
}

func (g *gateway) requests() []client.ChatRequest {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.asked)
}

// shelf is a store in memory.
type shelf struct {
	mu    sync.Mutex
	kept  map[string]kept.Conversation
	saves int
	err   error  // of saving
	lerr  error  // of listing
	fork  string // the id that the next save takes instead
}

func newShelf(list ...kept.Conversation) *shelf {
	s := &shelf{kept: map[string]kept.Conversation{}}
	for _, c := range list {
		c.Count = len(c.Messages)
		s.kept[c.ID] = c
	}
	return s
}

func (s *shelf) List() ([]kept.Conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []kept.Conversation
	for _, c := range s.kept {
		c.Messages = nil
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b kept.Conversation) int { return b.Updated.Compare(a.Updated) })
	return out, s.lerr
}

func (s *shelf) Load(id string) (kept.Conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.kept[id]
	if !ok {
		return c, errors.New("no such conversation")
	}
	return c, nil
}

func (s *shelf) Save(c kept.Conversation) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return c.ID, s.err
	}
	s.saves++
	if s.fork != "" {
		c.ID, s.fork = s.fork, ""
	}
	s.kept[c.ID] = c
	return c.ID, nil
}

func (s *shelf) Delete(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.kept, id)
	return nil
}

// only is the one conversation that is kept.
func (s *shelf) only(t *testing.T) kept.Conversation {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) != 1 {
		t.Fatalf("%d conversations are kept, wanted one: %v", len(s.kept), s.kept)
	}
	for _, c := range s.kept {
		return c
	}
	return kept.Conversation{}
}

func (s *shelf) get(id string) kept.Conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[id]
}

type bench struct {
	*tuitest.Driver
	m  *Model
	gw *gateway
	st *shelf
}

func newModel(t testing.TB, kept ...kept.Conversation) (*Model, *gateway, *shelf) {
	t.Helper()
	g, s := &gateway{}, newShelf(kept...)
	m := New(Deps{Gateway: g, Store: s, Keys: keys.New(screen.Rows(Commands())), Styles: tuitest.Styles(t), Now: func() time.Time { return now }})
	m.keep.later = func() tea.Cmd { return nil } // tests save by hand
	m.pause = 0
	return m, g, s
}

func start(t *testing.T, w, h int, kept ...kept.Conversation) *bench {
	t.Helper()
	m, g, s := newModel(t, kept...)
	return &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, gw: g, st: s}
}

// named is a bench whose conversation has a model.
func named(t *testing.T, w, h int) *bench {
	t.Helper()
	b := start(t, w, h)
	b.m.model.SetValue("gpt-x")
	return b
}

// say sends a message.
func (b *bench) say(text string) {
	b.Paste(text)
	b.Key("enter")
}

func (b *bench) toast(t *testing.T) screen.ToastMsg {
	t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	if !ok {
		t.Fatal("no toast")
	}
	return msg
}

func question(text string) kept.Message {
	return kept.Message{Role: client.RoleUser, Text: text, At: now}
}

func reply(text string) kept.Message {
	return kept.Message{Role: client.RoleAssistant, Text: text, At: now, Model: "gpt-x", Finish: "stop",
		Usage: []byte(`{"prompt_tokens":12,"completion_tokens":30,"total_tokens":42}`), RequestID: "req_7", Took: 2400 * time.Millisecond}
}

const markdown = `# A kite

Some **bold** words, a ` + "`name`" + ` and a list:

- first, which is so long that it has to be wrapped somewhere, at least on a screen of eighty cells
  - nested
2. second

> a quote

` + "```go\nfunc main() {\n\tprintln(\"kite\")\n}\n```" + `

日本語のテキストと 👩‍🚀 そして עברית.`

func aTalk(messages ...kept.Message) kept.Conversation {
	return kept.Conversation{ID: "0197f000-0000-7000-8000-000000000001", Created: now, Updated: now, Model: "gpt-x", System: "Be brief.", Messages: messages}
}
