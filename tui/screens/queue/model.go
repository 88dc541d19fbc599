// Package queue is the screen of what was submitted: a table of jobs, and all about the
// one under the cursor.
package queue

import (
	"time"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/scroll"
	"darkroom/tui/widgets/table"
)

// Jobs is what the screen reads and does.
type Jobs interface {
	jobs.Reader
	jobs.Doer
}

// Deps are what the screen works with.
type Deps struct {
	Catalog  *catalog.Catalog
	Jobs     Jobs
	Keys     keys.Map
	Styles   *themes.Styles
	Previews *preview.Loader // nil shows none
	Now      func() time.Time
}

// pane is what has the focus.
type pane int

const (
	tablePane pane = iota
	detailPane
)

// section is what the lower part of the detail shows.
type section int

const (
	facts section = iota
	timeline
	request
	answer
	sections
)

var sectionNames = [sections]string{"Facts", "Timeline", "Request", "Answer"}

// question is a dialog that is open.
type question int

const (
	noQuestion question = iota
	askDrop
	askResend
	askAdopt
)

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps Deps
	st   *themes.Styles
	w, h int

	jobs    list
	seq     uint64
	next    string // cursor of the next page, "" at the end
	loading bool
	loaded  bool // the first page of the filter has come
	err     error
	marked  map[string]bool
	table   table.Model

	filter    textinput.Model
	filtering bool   // the filter is being typed
	filterErr string // what is wrong with it
	query     jobs.Query
	gen       int // of the filter; answers for older ones are dropped

	current   string // id of the job whose detail shows
	detail    jobs.Detail
	have      bool // detail is of current
	detailErr error
	asked     bool // a detail is on its way
	again     bool // the job changed since it was asked for
	section   section
	scroll    scroll.Model
	focus     pane
	opened    bool // on a narrow screen: the detail instead of the table

	picture  bool // previews are shown
	wanted   preview.Key
	got      preview.ReadyMsg
	havePict bool

	question question
	confirm  confirm.Model
	adopt    textinput.Model
	targets  []string // what the open question is about

	frame string
	fresh bool
}

// New is the screen, still empty.
func New(d Deps) *Model {
	m := &Model{deps: d, st: d.Styles, jobs: newList(), marked: map[string]bool{}, table: table.New(columns()), picture: true}
	m.scroll.Zone = "detail"
	m.filter = m.newInput("/ ", filterHelp)
	m.adopt = m.newInput("task id: ", "as the gateway or its support gave it")
	m.table.SetSource(m.source())
	return m
}

// newInput is a line for text; its cursor does not blink, since that would wake the
// machine up for nothing.
func (m *Model) newInput(prompt, placeholder string) textinput.Model {
	in := textinput.New()
	in.Prompt, in.Placeholder, in.CharLimit = prompt, placeholder, 500
	_ = in.Cursor.SetMode(cursor.CursorStatic)
	in.Validate = nil
	in.PromptStyle, in.TextStyle, in.PlaceholderStyle, in.Cursor.Style = m.st.Accent, m.st.Value, m.st.Placeholder, m.st.Cursor
	return in
}

// Init reads the newest page.
func (m *Model) Init() tea.Cmd {
	m.loading = true
	_, m.seq = m.deps.Jobs.Changes(0)
	return load(m.deps.Jobs, m.query, m.gen)
}

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = w, h
	m.layout()
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st = st
	for _, in := range []*textinput.Model{&m.filter, &m.adopt} {
		in.PromptStyle, in.TextStyle, in.PlaceholderStyle, in.Cursor.Style = st.Accent, st.Value, st.Placeholder, st.Cursor
	}
	m.layout()
}

// Capturing reports that text is typed.
func (m *Model) Capturing() bool { return m.filtering || m.question != noQuestion }

// NextTick implements screen.WantTick: how long the ages in sight stay true.
func (m *Model) NextTick() time.Duration { return m.nextAge() }

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.WantTick = (*Model)(nil)
)
