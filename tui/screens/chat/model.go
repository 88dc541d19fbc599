// Package chat is the screen on which one talks with a model: a conversation that is
// streamed, kept on this machine, and can be gone on with, changed and handed on.
package chat

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/picker"
)

// Gateway is what the screen asks of the client.
type Gateway interface {
	// Chat sends a conversation once; onDelta gets the pieces of the answer.
	Chat(ctx context.Context, r client.ChatRequest, onDelta func(string)) (client.ChatAnswer, error)
	// Models asks the gateway's lists of models.
	Models(ctx context.Context) (client.ModelList, error)
}

// Deps are what the screen works with.
type Deps struct {
	Gateway Gateway
	Store   Store // nil keeps nothing
	Keys    keys.Map
	Styles  *themes.Styles
	Now     func() time.Time
}

// pane is what has the focus.
type pane int

const (
	inputPane pane = iota
	talkPane
	modelPane
	systemPane
	panes
)

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps  Deps
	st    *themes.Styles
	ink   *inks
	paper form.Paper
	w, h  int

	conv  Conversation // Model, System and Draft are those of the fields
	began Conversation // what the fields held when it was new
	key   int          // tells conversations apart in this console
	laid  []*sheet     // of the messages, as far as they were looked at
	talk  window

	input, system, model *form.Editor
	focus                pane
	past                 past

	stream  *talk.Stream // the answer on its way, nil for none
	started time.Time
	// stopping says that the person has ended it.
	stopping bool
	beat     int // of the sign that something comes

	list    []Conversation // what is kept, as last read
	loading bool           // the newest conversation is being read

	dialog dialog
	remote remoteModels

	save   saveState
	left   map[int]snapshot // conversations that were left and are not saved yet
	writer *writer          // nil when nothing is kept
	later  func() tea.Cmd   // wakes up to save; tests do it by hand
	pause  time.Duration    // between two looks at what came

	frame string
	fresh bool
}

// saveState is what is known about the conversation on the disk.
type saveState struct {
	revision uint64 // grows with every change
	saved    uint64 // the newest revision on the disk
	armed    bool   // a saveTick is on its way
	busy     bool   // a command is writing
	failed   bool
}

// dialog is what lies over the screen: a picker or a question.
type dialog struct {
	kind   dialogKind
	picker picker.Model
	ask    confirm.Model
	id     string   // what is asked about
	codes  []string // to be picked from
}

type dialogKind int

const (
	noDialog dialogKind = iota
	modelDialog
	listDialog
	codeDialog
	deleteDialog
)

// remoteModels is what the gateway's lists of models said.
type remoteModels struct {
	busy, have bool
	list       client.ModelList
	err        error
}

// New is the screen, with an empty conversation.
func New(d Deps) *Model {
	m := &Model{
		deps: d, input: form.NewEditor(true), system: form.NewEditor(true), model: form.NewEditor(false),
		left: make(map[int]snapshot), later: saveLater, pause: partEvery,
	}
	if d.Store != nil {
		m.writer = newWriter(d.Store)
	}
	m.talk.follow = true
	m.SetStyles(d.Styles)
	return m
}

// Init reads what is kept.
func (m *Model) Init() tea.Cmd {
	if m.deps.Store == nil {
		return nil
	}
	m.loading = true
	return list(m.deps.Store, true)
}

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = w, h
	m.fresh = false
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st, m.ink, m.paper = st, newInks(st), form.NewPaper(st)
	m.fresh = false
}

// Capturing reports that text is typed.
func (m *Model) Capturing() bool { return m.dialog.kind != noDialog || m.focus != talkPane }

// NextTick implements screen.WantTick: the seconds that an answer has taken are shown
// while it comes. Nothing wakes up otherwise.
func (m *Model) NextTick() time.Duration {
	if m.stream == nil {
		return 0
	}
	return time.Second
}

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.WantTick = (*Model)(nil)
	_ screen.Unsaved  = (*Model)(nil)
	_ screen.Flusher  = (*Model)(nil)
)
