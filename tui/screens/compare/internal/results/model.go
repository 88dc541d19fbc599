// Package results is the page of the Compare screen that shows a run: the grid of its trials, the facts
// of the one under the cursor or what the run shows, and one or two results large. It follows a run that
// is being sent, and shows one that was left as it was.
package results

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
	"darkroom/themes"
	"darkroom/tui/dialogs/runs"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compare/internal/facts"
	"darkroom/tui/screens/compare/internal/grid"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/screens/compare/internal/zoom"
	"darkroom/tui/widgets/form"
)

// Bench sends runs and keeps them.
type Bench interface {
	runs.Bench
	Load(ctx context.Context, id string) (compare.Run, error)
	// News never blocks and touches no disk.
	News(seq uint64) ([]run.News, uint64)
}

// Jobs is what the page asks of the history.
type Jobs interface {
	Get(ctx context.Context, id string) (jobs.Job, error)
	Tag(ctx context.Context, id string, add, remove []string) error
	Reject(ctx context.Context, ids []string, on bool) error
}

// Options are what the page works with.
type Options struct {
	Bench    Bench            // nil: there are no runs
	Catalog  *catalog.Catalog // has the words of the form
	Jobs     Jobs
	Previews *preview.Loader // nil shows none
	Player   remote.Player   // nil for none
	Keys     keys.Map
	Styles   *themes.Styles
	// ReadOnly is why nothing can be sent, "" where it can.
	ReadOnly string
	Free     bool // nothing is paid for
	Now      func() time.Time
	// Open puts a dialog over the screen; its answers come to [Model.Answer].
	Open func(screen.Dialog) tea.Cmd
	// Leave goes back to where a run is planned.
	Leave func()
	// Export writes the report of a run, see [Format]; nil where none can be made.
	Export func(ctx context.Context, r compare.Run, format Format, path string) error
	// Vote is the dialog in which the results of a run are judged blind; nil for none.
	Vote func(r compare.Run) screen.Dialog
}

// Model is the page. It is used by bubbletea's loop only.
type Model struct {
	o        Options
	commands screen.Commands[*Model]
	closer   screen.Commands[*Model] // of the zoom
	st       *themes.Styles
	w, h     int
	hidden   bool

	subject
	grid    *grid.Model
	zoom    *zoom.Model
	panel   panel
	filter  *form.Editor
	paper   form.Paper
	typing  bool
	marked  place // what is flipped to
	stars   map[string]bool
	rejects rejects
	outside remote.Remote
}

// place is a trial's place in the run; zero for none.
type place struct{ cell, repeat int }

// New is the page, without a run.
func New(o Options) *Model {
	m := &Model{o: o, commands: screen.Bind(o.Keys, Commands()), closer: screen.Bind(o.Keys, ZoomCommands()), filter: form.NewEditor(false), stars: map[string]bool{}}
	m.grid = grid.New(o.Previews, "compare.grid.", o.Now, m.names())
	m.zoom = zoom.New(o.Previews, "compare.zoom", o.Now, m.mediaOf)
	m.outside = remote.Remote{Player: o.Player, Keys: o.Keys, Scope: Scope}
	m.SetStyles(o.Styles)
	return m
}

// SetStyles says how it is drawn.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st, m.paper = st, form.NewPaper(st)
	m.grid.SetStyles(st)
	m.zoom.SetStyles(st)
	m.panel.stale = true
}

// SetSize sets its room.
func (m *Model) SetSize(w, h int) {
	if w == m.w && h == m.h {
		return
	}
	m.w, m.h = w, h
	m.layout()
}

// Run is the run that shows, nil for none.
func (m *Model) Run() *compare.Run { return m.run }

// Capturing reports that text is being typed.
func (m *Model) Capturing() bool { return m.typing }

// Zoomed reports whether a result shows on the whole screen.
func (m *Model) Zoomed() bool { return m.zoom.On() }

// Loaded reports whether the picture that shows large is there.
func (m *Model) Loaded() bool { return m.zoom.Loaded() }

// Hide gives up what nobody sees; Wake takes it up again.
func (m *Model) Hide() {
	m.hidden = true
	m.grid.Drop()
	m.zoom.Hide()
	m.zoom.Rest()
}

// Wake is called when the page shows, or shows again.
func (m *Model) Wake() tea.Cmd {
	m.hidden = false
	return tea.Batch(m.zoom.Wake(), m.outside.Look(), m.newest())
}

// Rest pauses what plays while nobody looks; Back goes on.
func (m *Model) Rest() { m.zoom.Rest() }

// Back goes on after Rest.
func (m *Model) Back() tea.Cmd { return m.zoom.Wake() }

// NextTick is how long what shows stays true, 0 for always.
func (m *Model) NextTick() time.Duration {
	if m.hidden || m.run == nil || m.zoom.On() || !m.grid.Moving() {
		return 0
	}
	return time.Second
}

// current is the trial under the cursor, or the one that shows large.
func (m *Model) current() facts.Trial {
	c, repeat, t := m.grid.Current()
	return m.trial(c, repeat, t)
}

func (m *Model) trial(c *compare.Cell, repeat int, t *compare.Trial) facts.Trial {
	x := facts.Trial{Cell: c, Repeat: repeat, Trial: t, Names: m.names()}
	if m.run != nil {
		x.Repeats, x.Formats = m.run.Repeats, m.formats
	}
	if t != nil {
		x.Starred, x.Rejected = m.stars[t.JobID], m.rejects.now[t.JobID]
	}
	return x
}

func (m *Model) names() say.Names { return say.Names{Catalog: m.o.Catalog} }

// at is a place's trial.
func (m *Model) at(p place) facts.Trial {
	if m.run == nil || m.run.Cell(p.cell) == nil {
		return facts.Trial{}
	}
	return m.trial(m.run.Cell(p.cell), p.repeat, m.grid.Trial(p.cell, p.repeat))
}

// Film takes a message of a video that plays, and reports whether it is one, and whether there is
// something else to draw.
func (m *Model) Film(msg tea.Msg) (cmd tea.Cmd, mine, changed bool) {
	cmd, mine, changed = m.zoom.Film(msg)
	if mine {
		cmd = tea.Batch(cmd, failedFilm(m))
	}
	return cmd, mine, changed
}

// Handle takes a message that is no input, and reports whether it was for the page.
func (m *Model) Handle(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	defer m.layout()
	if cmd, ok := m.outside.Handle(msg); ok {
		return cmd, true
	}
	switch msg := msg.(type) {
	case preview.ReadyMsg:
		m.zoom.Ready(msg)
		m.grid.Take(msg)
		m.panel.take(msg)
		return nil, true
	case loadedMsg:
		return m.loaded(msg), true
	case newestMsg:
		return m.found(msg), true
	case starredMsg:
		return m.starred(msg), true
	case rejectedMsg:
		return m.rejected(msg), true
	case statMsg:
		m.takeNumbers(msg)
		return nil, true
	case toldMsg:
		return msg.toast(), true
	case screen.TickMsg:
		m.grid.Tick()
		return nil, true
	case screen.JobsMsg:
		m.news()
		return nil, true
	}
	return nil, false
}

// Follow asks for what the page shows now, and is called after each message.
func (m *Model) Follow() tea.Cmd {
	if m.hidden || m.w <= 0 {
		return nil
	}
	m.layout()
	if m.zoom.On() {
		m.grid.Drop()
		return m.zoom.Load()
	}
	return tea.Batch(m.grid.Load(), m.panel.load(m), m.askNumbers())
}

// ShortHelp is its help for the bottom line.
func (m *Model) ShortHelp() []key.Binding {
	switch {
	case m.typing:
		return []key.Binding{keys.Fixed("enter", "keep the filter"), keys.Fixed("esc", "clear it")}
	case m.zoom.On():
		return append(m.closer.Line(actZoomBack, actZoomNext), m.closer.LineNow(m, actZoomPlay, actZoomStar, actZoomReject, actZoomFlip, actZoomBeside, actZoomUse, actZoomOut, actZoomQueue)...)
	case m.run == nil:
		return m.commands.Line(actRuns, actLeave)
	default:
		return append(m.commands.LineNow(m, actZoom, actPlay, actStar, actReject, actFlip, actBeside), m.commands.Line(actMark, actFilter, actFailed, actDiffers, actTall, actPanel, actRuns, actLeave)...)
	}
}

// Help is every action.
func (m *Model) Help() [][]key.Binding {
	return [][]key.Binding{m.commands.Help(), {
		keys.Fixed("↑↓←→ hjkl", "move"), keys.Fixed("pgup pgdn", "a page"), keys.Fixed("g G", "first, last row"), keys.Fixed("home end", "first, last column"),
	}}
}

// Actions are those that can be done now, for the palette.
func (m *Model) Actions() []screen.Action {
	if m.zoom.On() {
		return m.closer.Actions(m)
	}
	return m.commands.Actions(m)
}

// Do carries out an action by its id; false for one that is not the page's.
func (m *Model) Do(id string) (tea.Cmd, bool) {
	for _, c := range []screen.Commands[*Model]{m.closer, m.commands} {
		for _, a := range c.Actions(m) {
			if a.ID == id {
				return c.Do(m, id), true
			}
		}
	}
	return nil, false
}
