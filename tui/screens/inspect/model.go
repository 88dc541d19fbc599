// Package inspect is the screen for people who have an id and nothing else: it asks the
// history and every query route, and shows each answer, normalised and as it came.
package inspect

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/schedule"
	"darkroom/themes"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/dialogs/differs"
	"darkroom/tui/dialogs/everywhere"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/screens/inspect/internal/sights"
	"darkroom/tui/times"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/scroll"
	"darkroom/tui/widgets/table"
)

// Gateway is the part of the client that the screen uses.
type Gateway interface {
	// Lookup asks query routes about an id; without formats, all of them.
	Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult
	// Guess orders the formats by how likely they own an id. It does no I/O.
	Guess(id string) []string
	Formats() []client.Format
	// Head asks what is behind an address, without sending the key.
	Head(ctx context.Context, address string) (client.Head, error)
	// QueryPath is the method and path for asking a format, as the gateway names them.
	QueryPath(format, id string) string
}

// Tagger keeps what a person notes on jobs, as jobs.Keeper does, and takes tasks over.
type Tagger interface {
	Tag(ctx context.Context, id string, add, remove []string) error
	Remark(ctx context.Context, id, text string) error
	jobs.Observer
}

// Deps are what the screen works with.
type Deps struct {
	Gateway Gateway
	Catalog *catalog.Catalog // says what errors mean
	Jobs    jobs.Reader
	Tags    Tagger // nil where nothing can be tagged
	// PlanOf says how long tasks like a job's take, see jobs.Engine.PlanOf; nil for nothing.
	PlanOf   func(*jobs.Job) *schedule.Plan
	Profile  string // whose gateway it is
	Embedded bool   // the embedded one
	Host     string // of that gateway, "" where it is not known
	Keys     keys.Map
	Styles   *themes.Styles
	Previews *preview.Loader // nil shows none
	Player   remote.Player   // nil for none
	Bodies   body.Options    // of the dialog of bodies
	Drift    Drift           // nil counts nothing
	Differs  differs.Source  // what all answers have besides the interface; nil for none
	// Everywhere are the gateways of all profiles, made anew for each question; nil where there is but
	// one.
	Everywhere func() everywhere.Profiles
	Times      *times.Choice // how points in time are written; nil for this machine's zone
	Now        func() time.Time
}

// pane is the pane with the focus.
type pane int

const (
	inputPane pane = iota
	factsPane
	routesPane
	answerPane
	panes
)

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps     Deps
	commands screen.Commands[*Model]
	st       *themes.Styles
	room
	stack screen.Stack

	input  entry
	recent recent

	q question
	// sights are what was seen of ids in this session.
	sights *sights.Book
	// pasted is the subject that the text in the input was taken from, as long as it is there.
	pasted inspect.Subject
	// many are the ids of a list that was pasted; listing says that the list shows.
	many    many
	listing bool

	focus  pane
	table  table.Model
	moved  bool // a person chose the row of the matrix
	facts  scroll.Model
	answer answerBox

	hand    handover
	outside remote.Remote // of the player
	picture pictureBox

	frame string
	fresh bool
}

// New is the screen, with nothing asked.
func New(d Deps) *Model {
	m := &Model{deps: d, st: d.Styles, commands: screen.Bind(d.Keys, Commands()), q: question{cancel: func() {}, last: -1, embedded: d.Embedded}, sights: sights.New(), table: table.New(columns()), room: room{page: factsPane}, input: entry{Editor: form.NewEditor(false)}, many: newMany()}
	m.stack = screen.NewStack(d.Keys, d.Styles, m.answered)
	m.outside = remote.Remote{Player: d.Player, Keys: d.Keys, Scope: string(screen.Inspect)}
	m.input.Limit = maxID
	m.SetStyles(d.Styles)
	return m
}

// Init implements screen.Screen.
func (m *Model) Init() tea.Cmd { return nil }

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = w, h
	m.stack.SetSize(w, h)
	m.layout()
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st = st
	m.input.paper = form.NewPaper(st)
	m.stack.SetStyles(st)
	m.layout()
}

// Capturing reports that text is being typed.
func (m *Model) Capturing() bool { return m.focus == inputPane || m.stack.Capturing() }

// NextTick implements screen.WantTick: how long the ages in sight stay true, and a second while
// something is asked: the gateway may hold it back.
func (m *Model) NextTick() time.Duration {
	if m.listing && m.many.open > 0 || !m.listing && m.q.open() {
		return time.Second
	}
	return m.nextAge()
}

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.WantTick = (*Model)(nil)
)
