// Package build is the page of the Compare screen on which a run is planned: prompts and models, what
// varies, how often. The plan is a suite, as its file has it; what it comes to is worked out at every
// change and shown before anything is sent.
package build

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/pick"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/suite"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/scroll"
	"darkroom/tui/widgets/table"
)

// Planner works out what a suite comes to. path is that of its file, which the paths in it are relative
// to, "" for none. It may read files, and is called in commands.
type Planner func(ctx context.Context, s suite.Suite, path string) (compare.Run, plan.Forecast, error)

// Options are what the page works with.
type Options struct {
	Catalog *catalog.Catalog
	Gateway Gateway // nil: the catalog's models alone
	Plan    Planner // nil: nothing can be planned
	// Start sends a planned run and returns its id; nil where none can be sent. After an error nothing
	// was sent.
	Start  func(ctx context.Context, r compare.Run) (id string, err error)
	Keys   keys.Map
	Styles *themes.Styles
	// ReadOnly is why nothing can be run, "" where it can.
	ReadOnly string
	Free     bool // nothing is paid for
	// Open puts a dialog over the screen; its answers come to [Model.Answer].
	Open func(screen.Dialog) tea.Cmd
	// Begun shows a run that has begun, Runs lists those that are kept, Results goes to the other page.
	Begun   func(id string) tea.Cmd
	Runs    func() tea.Cmd
	Results func() tea.Cmd
}

// pane is the pane with the focus.
type pane int

const (
	kindPane pane = iota
	promptPane
	modelsPane
	panes
)

// Model is the page. It is used by bubbletea's loop only.
type Model struct {
	o        Options
	commands screen.Commands[*Model]
	st       *themes.Styles
	w, h     int
	focus    pane

	plan  pick.Plan
	kinds []client.Modality
	given bool // the draft came from elsewhere, not from here
	typed bool // something was changed here and not run yet
	table table.Model
	live  live

	prompts prompts
	set     suite.Suite // what holds for the run beside the draft: repeats, axes, formats, ...
	file    *suite.Suite
	path    string          // of the file
	onDisk  string          // what it held when it was read or written
	drafts  []suite.Drafted // what came from Compose, or was typed here, since a run was begun

	planning
	side scroll.Model
}

// New is the page, with an empty draft of the catalog's first kind.
func New(o Options) *Model {
	m := &Model{o: o, commands: screen.Bind(o.Keys, Commands()), table: table.New(columns()), focus: promptPane, prompts: newPrompts()}
	for _, k := range []client.Modality{client.Video, client.Image, client.Music, client.Speech} {
		if len(o.Catalog.Models(k)) > 0 {
			m.kinds = append(m.kinds, k)
		}
	}
	var first client.Modality
	if len(m.kinds) > 0 {
		first = m.kinds[0]
	}
	var ways func(client.Draft) []string
	if o.Gateway != nil {
		ways = o.Gateway.FormatsFor
	}
	m.side.Zone = "side"
	m.set = suite.New("", first)
	m.plan = pick.NewPlan(o.Catalog, ways, first)
	m.SetStyles(o.Styles)
	m.showCandidates()
	return m
}

// SetStyles says how it is drawn.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st = st
	m.layout()
}

// SetSize sets its room.
func (m *Model) SetSize(w, h int) {
	if w == m.w && h == m.h {
		return
	}
	m.w, m.h = w, h
	m.layout()
}

// Capturing reports that text is being typed.
func (m *Model) Capturing() bool { return m.focus == promptPane && m.file == nil }

// Unsaved describes what would be lost at quit, "" for nothing.
func (m *Model) Unsaved() string {
	if m.typed && m.plan.Base.Prompt != "" {
		return "The prompt in Compare was not run."
	}
	return ""
}

// Take makes a draft the one to compare; its own model is chosen from the start. What was to be compared
// before can be compared together with it.
func (m *Model) Take(d client.Draft, format string) {
	m.gather(d, format)
	m.file, m.given, m.typed = nil, true, false
	m.prompts.set(d.Prompt)
	m.live.have = m.live.err == nil && m.live.have
	m.plan.Take(d, format)
	m.set.Formats = []string{suite.FormatsAuto}
	if format != "" {
		m.set.Formats = []string{format}
	}
	m.set.Kind = d.Modality
	m.set.Seed = suite.SeedEach
	if text, ok := d.Values.Text("seed"); ok && text != "" {
		m.set.Seed = text
	}
	m.showCandidates()
	m.point(d.Model)
	m.focus = modelsPane
	m.changed()
}

// Handle takes a message that is no input, and reports whether it was for the page.
func (m *Model) Handle(msg tea.Msg) (tea.Cmd, bool) {
	defer m.layout()
	switch msg := msg.(type) {
	case listedMsg:
		m.handleLists(msg)
		m.changed()
		return nil, true
	case plannedMsg:
		m.planned(msg)
		return nil, true
	case startedMsg:
		return m.started(msg), true
	case openedMsg:
		return m.opened(msg), true
	case savedMsg:
		return m.saved(msg), true
	case screen.EditedMsg:
		if msg.Tag != editTag {
			return nil, false
		}
		return m.edited(msg), true
	}
	return nil, false
}

// Follow asks for what the page shows now, and is called after each message.
func (m *Model) Follow() tea.Cmd {
	m.layout()
	return tea.Batch(m.askLists(), m.ask())
}

// showCandidates lists the plan's candidates, which have changed.
func (m *Model) showCandidates() {
	m.table.SetSource(table.Func{N: len(m.plan.Candidates), At: func(i int) table.Row {
		c := m.plan.Candidates[i]
		return rowOf(m.st, c, m.plan.Chosen[c.Model.ID], m.plan.Own[c.Model.ID])
	}})
}

// point puts the cursor on a model, if it is listed.
func (m *Model) point(model string) {
	if i := m.plan.Index(model); i >= 0 {
		m.table.SetCursor(i)
	}
}

// candidate is the model under the cursor of the list.
func (m *Model) candidate() (pick.Candidate, bool) {
	if i := m.table.Cursor(); i >= 0 && i < len(m.plan.Candidates) {
		return m.plan.Candidates[i], true
	}
	return pick.Candidate{}, false
}

// setKind begins an empty draft of another kind; the prompts stay.
func (m *Model) setKind(k client.Modality) {
	if k == m.plan.Base.Modality {
		return
	}
	m.given, m.file, m.drafts = false, nil, nil
	m.plan.SetKind(k)
	m.set.Kind, m.set.Axes, m.set.Formats = k, nil, []string{suite.FormatsAuto}
	m.table.SetCursor(0)
	m.showCandidates()
	m.changed()
}

// promptsChanged tells the plan whether there is a prompt.
func (m *Model) promptsChanged() {
	m.typed = true
	if m.plan.SetPrompt(m.prompts.first()) {
		m.showCandidates()
	}
	m.changed()
}

// limit bounds planning, and journalling a run.
const limit = time.Minute
