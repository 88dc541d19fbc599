// Package chat is the screen for talking with a model: a conversation that is streamed, kept on
// this machine, and can be continued, changed and handed on.
package chat

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
)

// Gateway is the part of the client that the screen uses.
type Gateway interface {
	// Chat sends a conversation once; onDelta gets the pieces of the answer.
	Chat(ctx context.Context, r client.ChatRequest, onDelta func(string)) (client.ChatAnswer, error)
	// Models asks for the gateway's lists of models.
	Models(ctx context.Context) (client.ModelList, error)
}

// Deps are what the screen works with.
type Deps struct {
	Gateway Gateway
	Model   string // what a conversation without a model begins with, "" for nothing
	Store   Store  // nil keeps nothing
	Keys    keys.Map
	Styles  *themes.Styles
	// ReadOnly is why nothing can be sent, "" where it can.
	ReadOnly string
	Now      func() time.Time
}

// pane is the pane with the focus.
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
	deps     Deps
	commands screen.Commands[*Model]
	st       *themes.Styles
	ink      *inks
	paper    form.Paper
	w, h     int

	talk exchange
	read reader
	keep keeper

	fields

	list    []kept.Conversation // what is kept, as last read
	loading bool                // the newest conversation is being read

	dialog dialog
	remote remoteModels

	pause time.Duration // between two looks at what came

	frame string
	fresh bool
}

// remoteModels is the answer of the gateway's lists of models.
type remoteModels struct {
	busy, have bool
	list       client.ModelList
	err        error
}

// New is the screen, with an empty conversation.
func New(d Deps) *Model {
	m := &Model{
		deps: d, commands: screen.Bind(d.Keys, Commands()),
		fields: fields{input: form.NewEditor(true), system: form.NewEditor(true), model: form.NewEditor(false)},
		talk:   exchange{now: d.Now}, keep: keeper{left: make(map[int]snapshot), later: saveLater}, pause: partEvery,
	}
	if d.Store != nil {
		m.keep.writer = newWriter(d.Store)
	}
	m.model.SetValue(d.Model)
	m.keep.began.Model = m.model.Value()
	m.read = reader{of: &m.talk, stop: m.keyOr(actStop), follow: true}
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
	m.read.ink = m.ink
	m.fresh = false
}

// Capturing reports that text is being typed.
func (m *Model) Capturing() bool { return m.dialog.kind != noDialog || m.focus != talkPane }

// NextTick implements screen.WantTick: while an answer arrives, the seconds that it has taken show.
// Otherwise nothing wakes up.
func (m *Model) NextTick() time.Duration {
	if !m.talk.coming() {
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
