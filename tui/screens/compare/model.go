// Package compare is the screen of the tester's bench: it plans what is compared, and shows what came
// of it. It holds two pages, the plan and the results, and the dialogs over both.
package compare

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/catalog"
	"darkroom/jobs/compare"
	judging "darkroom/jobs/compare/vote"
	votepage "darkroom/jobs/compare/vote/page"
	"darkroom/themes"
	"darkroom/tui/dialogs/runs"
	"darkroom/tui/dialogs/vote"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compare/internal/build"
	"darkroom/tui/screens/compare/internal/results"
)

// Bench sends runs and keeps them.
type Bench interface {
	results.Bench
	// Start journals a planned run and has it sent; after an error nothing was sent.
	Start(ctx context.Context, r compare.Run) (id string, err error)
}

// Names of the pages' own types, for who makes the screen.
type (
	// Gateway is what the screen uses for models that the catalog does not know.
	Gateway = build.Gateway
	// Planner works out what a suite comes to.
	Planner = build.Planner
	// Jobs is what the screen asks of the history.
	Jobs = results.Jobs
	// Format is that of a report.
	Format = results.Format
)

// Deps are what the screen works with.
type Deps struct {
	Catalog  *catalog.Catalog
	Gateway  Gateway // nil: the catalog's models alone
	Bench    Bench   // nil: nothing is run or kept
	Plan     Planner // nil: nothing can be planned
	Jobs     Jobs
	Keys     keys.Map
	Styles   *themes.Styles
	Previews *preview.Loader // nil shows none
	Player   remote.Player   // nil for none
	// Export writes the report of a run; nil where none can be made.
	Export func(ctx context.Context, r compare.Run, format Format, path string) error
	// Votes opens the blind vote on a run; nil for none.
	Votes func(r compare.Run) (*judging.Session, error)
	// ReadOnly is why nothing can be run, "" where it can.
	ReadOnly string
	Free     bool // nothing is paid for
	Now      func() time.Time
}

// Commands is the table of what can be done on the page of the plan, whose scope is the screen's.
func Commands() []screen.Command[*build.Model] { return build.Commands() }

// Rows are the actions of all tables of the screen.
func Rows() []keys.Action {
	out := screen.Rows(build.Commands())
	out = append(out, screen.Rows(results.Commands())...)
	out = append(out, screen.Rows(results.ZoomCommands())...)
	out = append(out, screen.Rows(vote.Commands())...)
	return append(out, screen.Rows(runs.Commands())...)
}

// page is the one that shows.
type page int

const (
	planPage page = iota
	resultsPage
)

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	st      *themes.Styles
	w, h    int
	at      page
	plan    *build.Model
	results *results.Model
	stack   screen.Stack
	hidden  bool

	frame string
	fresh bool
}

// New is the screen, with an empty plan.
func New(d Deps) *Model {
	m := &Model{}
	m.stack = screen.NewStack(d.Keys, d.Styles, m.answer)
	open := func(x screen.Dialog) tea.Cmd { return m.stack.Open(x) }
	r := results.Options{Catalog: d.Catalog, Jobs: d.Jobs, Previews: d.Previews, Player: d.Player, Keys: d.Keys, Styles: d.Styles, ReadOnly: d.ReadOnly, Free: d.Free, Now: d.Now,
		Open: open, Leave: func() { m.turn(planPage) }, Export: d.Export}
	b := build.Options{Catalog: d.Catalog, Gateway: d.Gateway, Plan: d.Plan, Keys: d.Keys, Styles: d.Styles, ReadOnly: d.ReadOnly, Free: d.Free,
		Open: open, Begun: m.begun, Runs: func() tea.Cmd { return m.results.OpenRuns() }, Results: func() tea.Cmd { return m.turn(resultsPage) }}
	if d.Bench != nil {
		r.Bench, b.Start = d.Bench, d.Bench.Start
	}
	if d.Votes != nil {
		r.Vote = func(r compare.Run) screen.Dialog {
			return vote.New(vote.Options{Open: func() (*judging.Session, error) { return d.Votes(r) }, Previews: d.Previews, Keys: d.Keys, Web: votepage.Show})
		}
	}
	m.results, m.plan = results.New(r), build.New(b)
	m.SetStyles(d.Styles)
	return m
}

// Init implements screen.Screen.
func (m *Model) Init() tea.Cmd { return nil }

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h, m.fresh = w, h, false
	m.size()
	m.stack.SetSize(w, h)
}

// size gives the pages their room.
func (m *Model) size() {
	h := max(0, m.h-m.tabLines())
	m.plan.SetSize(m.w, h)
	m.results.SetSize(m.w, h)
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st, m.fresh = st, false
	m.plan.SetStyles(st)
	m.results.SetStyles(st)
	m.stack.SetStyles(st)
}

// Capturing reports that text is being typed, or that a question has to be answered first.
func (m *Model) Capturing() bool {
	if m.stack.Top() != nil {
		return m.stack.Capturing()
	}
	if m.at == planPage {
		return m.plan.Capturing()
	}
	return m.results.Capturing()
}

// Flush implements screen.Flusher: copies that were made for a vote go.
func (m *Model) Flush() error { return m.stack.Flush() }

// Unsaved implements screen.Unsaved.
func (m *Model) Unsaved() string { return m.plan.Unsaved() }

// NextTick implements screen.WantTick: the ages of running trials, while they are in sight.
func (m *Model) NextTick() time.Duration {
	if m.at != resultsPage {
		return 0
	}
	return m.results.NextTick()
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action {
	switch {
	case m.stack.Top() != nil:
		return m.stack.Actions()
	case m.at == planPage:
		return m.plan.Actions()
	default:
		return m.results.Actions()
	}
}

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	switch {
	case m.stack.Top() != nil:
		return m.stack.ShortHelp()
	case m.at == planPage:
		return m.plan.ShortHelp()
	default:
		return m.results.ShortHelp()
	}
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	if m.at == planPage {
		return m.plan.Help()
	}
	return m.results.Help()
}

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.WantTick = (*Model)(nil)
	_ screen.Unsaved  = (*Model)(nil)
	_ screen.Flusher  = (*Model)(nil)
)
