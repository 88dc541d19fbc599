// Package models is the screen of the models that can be used: the catalog joined with the
// gateway's own lists of models, where each model comes from, and everything known about one.
package models

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/kept"
	"darkroom/client/probe"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/scroll"
	"darkroom/tui/widgets/table"
)

// Gateway is the part of the client that the screen uses.
type Gateway interface {
	// Models asks the gateway's lists of models (GATEWAY: Model list). The sources say how each list
	// answered, also when it failed.
	Models(ctx context.Context) (client.ModelList, error)
}

// Drafts holds the person's drafts, by modality: a model is put into a draft, so that nothing typed
// is lost.
type Drafts interface {
	Load(m client.Modality) (kept.Draft, bool, error)
}

// Probe finds out what the gateway has, without creating anything; on receives each answer as it
// comes, on another goroutine.
type Probe func(ctx context.Context, on func(probe.Row)) (probe.Report, error)

// Deps are what the screen works with.
type Deps struct {
	Catalog *catalog.Catalog
	Gateway Gateway
	Probe   Probe  // nil where the gateway cannot be probed
	Drafts  Drafts // nil when nothing is kept
	Marks   Marks  // nil keeps no stars
	Keys    keys.Map
	Styles  *themes.Styles
	Now     func() time.Time
}

// pane is the pane with the focus.
type pane int

const (
	tablePane pane = iota
	detailPane
)

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps     Deps
	commands screen.Commands[*Model]
	st       *themes.Styles
	ink      inks
	w, h     int

	base  []row // those of the catalog; nil before the screen is first shown
	rows  []row // those and what the gateway's lists add, in the order of the table
	tally tally
	live  live
	stars stars
	probe probing

	kind      int // which of kinds
	show      show
	filter    *form.Editor
	paper     form.Paper
	filtering bool
	visible   []int32 // indices of rows that pass kind, show and filter
	current   string  // id of the row under the cursor, "" for none

	focus  pane
	table  table.Model
	detail scroll.Model
	drawn  drawn // what the lines of the detail were made of
	pages  pages

	frame string
	fresh bool
}

// live is the state of asking the gateway's lists.
type live struct {
	gen     int // answers of another generation are dropped
	changes int // how often rows, or what is known of the lists, has changed
	cancel  context.CancelFunc
	loading bool
	have    bool // at least one list has answered once, and rows shows its answer
	sources []client.ModelSource
	err     error     // of the last question, nil when a list answered
	asked   time.Time // when what is in sources was asked for
	of      time.Time // when what rows shows was asked for
}

// drawn says what the lines of the detail were made from.
type drawn struct {
	id    string
	look  look
	ready bool
}

// look is what lines depend on besides their model.
type look struct {
	w     int
	st    *themes.Styles
	live  int // how often what is known of the lists has changed
	probe int // and what is known of a probe
	star  int // and what is known of stars
}

// pages are the cached lines of models that were looked at.
type pages struct {
	look  look
	lines map[string][]string // by id
}

// maxPages is how many models' lines are kept.
const maxPages = 64

// New is the screen, without any rows until it is first shown.
func New(d Deps) *Model {
	m := &Model{deps: d, commands: screen.Bind(d.Keys, Commands()), stars: stars{marks: d.Marks}, table: table.New(columns(0)), filter: form.NewEditor(false), live: live{cancel: func() {}}, probe: probing{cancel: func() {}}}
	m.detail.Zone = "detail"
	m.filter.Limit = 200
	m.SetStyles(d.Styles)
	return m
}

// Init fills the table from the catalog, and asks the gateway's lists: the shell calls it
// when the screen is first shown.
func (m *Model) Init() tea.Cmd {
	m.base = catalogRows(m.deps.Catalog)
	m.rows, m.tally = m.base, count(m.base)
	m.apply(false)
	return tea.Batch(m.refresh(), m.stars.load())
}

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = w, h
	m.layout()
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st, m.ink = st, newInks(st)
	m.paper = form.NewPaper(st)
	m.layout()
}

// Capturing reports that text is being typed.
func (m *Model) Capturing() bool { return m.filtering }

// selected is the row under the cursor, nil when there is none.
func (m *Model) selected() *row {
	if i := m.table.Cursor(); i >= 0 && i < len(m.visible) {
		return &m.rows[m.visible[i]]
	}
	return nil
}

var _ screen.Screen = (*Model)(nil)
