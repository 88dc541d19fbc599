// Package compare is the screen that sends one draft to several models and shows side by side how
// each performs: state, latency and result.
package compare

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/jobs/compare/pick"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/form"
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
	Gateway  Gateway // nil: the catalog's models alone
	Jobs     Jobs
	Keys     keys.Map
	Styles   *themes.Styles
	Previews *preview.Loader // nil shows none
	// ReadOnly is why nothing can be run, "" where it can.
	ReadOnly string
	Now      func() time.Time
}

// pane is the pane with the focus.
type pane int

const (
	kindPane pane = iota
	promptPane
	modelsPane
	gridPane
	panes
)

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps     Deps
	commands screen.Commands[*Model]
	w, h     int

	plan   pick.Plan
	given  bool // its draft came from Compose, not from here
	typed  bool // the prompt was changed here and not run yet
	prompt *form.Editor
	kinds  []client.Modality
	live   live
	table  table.Model

	asking  *confirm.Model // a run that waits for a yes
	sending bool           // a run is being journalled
	seq     uint64         // of the changes seen
	sentSeq uint64         // of the changes when the last run was sent

	results

	focus pane
	frame string
	fresh bool
}

// New is the screen, with an empty draft of the catalog's first kind.
func New(d Deps) *Model {
	m := &Model{deps: d, commands: screen.Bind(d.Keys, Commands()), table: table.New(columns()), focus: promptPane, prompt: form.NewEditor(false)}
	m.results = results{st: d.Styles, previews: d.Previews, now: d.Now}
	for _, k := range []client.Modality{client.Video, client.Image, client.Music, client.Speech} {
		if len(d.Catalog.Models(k)) > 0 {
			m.kinds = append(m.kinds, k)
		}
	}
	var first client.Modality
	if len(m.kinds) > 0 {
		first = m.kinds[0]
	}
	var ways func(client.Draft) []string
	if d.Gateway != nil {
		ways = d.Gateway.FormatsFor
	}
	m.plan = pick.NewPlan(d.Catalog, ways, first)
	m.showCandidates()
	return m
}

// Init implements screen.Screen.
func (m *Model) Init() tea.Cmd {
	_, m.seq = m.deps.Jobs.Changes(0)
	return nil
}

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = w, h
	m.layout()
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st = st
	m.layout()
}

// Capturing reports that text is being typed.
func (m *Model) Capturing() bool { return m.focus == promptPane || m.asking != nil }

// Unsaved implements screen.Unsaved.
func (m *Model) Unsaved() string {
	if m.typed && m.plan.Base.Prompt != "" {
		return "The prompt in Compare was not run."
	}
	return ""
}

// NextTick implements screen.WantTick: the latency of running jobs, while it is in sight.
func (m *Model) NextTick() time.Duration {
	if m.gridShows() && m.run.Open() {
		return time.Second
	}
	return 0
}

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.WantTick = (*Model)(nil)
	_ screen.Unsaved  = (*Model)(nil)
)
