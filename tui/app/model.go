// Package app is the console's shell: it routes messages, lays out the frame, and shows the
// overlays. It does not look inside the screens.
package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/intake"
	"darkroom/client/kept"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	bench "darkroom/jobs/compare"
	"darkroom/jobs/compare/vote"
	"darkroom/jobs/schedule"
	"darkroom/themes"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/dialogs/differs"
	"darkroom/tui/dialogs/everywhere"
	"darkroom/tui/dialogs/improve"
	modelpick "darkroom/tui/dialogs/models"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/screens/chat"
	"darkroom/tui/screens/compare"
	"darkroom/tui/screens/compose"
	"darkroom/tui/screens/inspect"
	"darkroom/tui/screens/models"
	"darkroom/tui/screens/queue"
	"darkroom/tui/screens/settings"
	"darkroom/tui/times"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/helpbar"
	"darkroom/tui/widgets/picker"
	"darkroom/tui/widgets/zone"
)

// Jobs is what the console reads and does with jobs.
type Jobs interface {
	jobs.Reader
	jobs.Doer
	jobs.Keeper
	jobs.Observer
}

// Gateway is what screens ask of the client.
type Gateway interface {
	Preview(d client.Draft, format string) (client.Preview, error)
	Curl(d client.Draft, format string) (string, error)
	Body(ctx context.Context, d client.Draft, format string) ([]byte, error)
	Formats() []client.Format
	QueryPath(format, id string) string
	CanCreate(format string) error
	FormatsFor(d client.Draft) []string
	Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult
	Guess(id string) []string
	Head(ctx context.Context, address string) (client.Head, error)
	Chat(ctx context.Context, r client.ChatRequest, onDelta func(string)) (client.ChatAnswer, error)
	Models(ctx context.Context) (client.ModelList, error)
	ReadRequest(text string, h intake.Hint) (intake.Result, error)
}

// Drafts keeps what a person is composing, by modality, with the format chosen for it.
type Drafts interface {
	Load(m client.Modality) (kept.Draft, bool, error)
	Save(kept.Draft) error
}

// Services are the dependencies of the screens.
type Services struct {
	Catalog  *catalog.Catalog
	Gateway  Gateway
	Probe    models.Probe // nil where the gateway cannot be probed
	Jobs     Jobs
	PlanOf   func(*jobs.Job) *schedule.Plan // as queue.Deps has it
	Keys     keys.Map
	Styles   *themes.Styles
	Previews *preview.Loader
	Frames   chain.Frames  // nil where no last frame can be taken out of a video
	Player   remote.Player // nil for none
	Drafts   Drafts
	Marks    modelpick.Marks            // nil keeps no stars
	Folders  refs.Folders               // nil forgets them at the end
	Bodies   body.Options               // what the dialog of bodies works with, but for the keys
	Pace     func() (rate, top float64) // as queue.Deps has it
	Views    queue.Views                // nil: Queue keeps no filters under names
	Looks    queue.Looks                // nil does not keep whether Queue is a list or a gallery
	Drift    inspect.Drift              // nil counts no drift of looked-up ids
	Differs  differs.Source             // as inspect.Deps has it
	Times    *times.Choice              // how points in time are written; nil for this machine's zone
	// ChatModel is the chat model of a gateway that is known to have it, "" for others.
	ChatModel string
	Talks     improve.Talks // nil keeps no questions to chat models but those of Chat
	Chats     chat.Store    // nil keeps no conversations
	Shelf     compose.Shelf // nil: no presets, no wildcard files
	Profile   string        // the profile whose jobs show by default
	Embedded  bool          // its gateway is the embedded one
	Host      string        // of the profile's gateway, as a pause names it
	// ComposeLooks remembers how Compose looks; nil forgets that at the end.
	ComposeLooks compose.Looks
	// Bench keeps the runs of the Compare screen, Plan works out what a suite comes to, and Report writes
	// down what a run showed; nil where there is none.
	Bench  compare.Bench
	Plan   compare.Planner
	Report func(ctx context.Context, r bench.Run, format compare.Format, path string) error
	// Votes opens the blind vote on a run; nil for none.
	Votes func(r bench.Run) (*vote.Session, error)
	// Everywhere are the gateways of all profiles; nil where there is but one.
	Everywhere func() everywhere.Profiles
	// Forbidden is why nothing can be created at the gateway, which is only to be read; "" where it
	// can.
	Forbidden string
	Now       func() time.Time
	Settings  settings.Store // nil: there are none to show
}

// Options are what the shell itself needs.
type Options struct {
	Services
	// Profile stands in the title bar, with the banner, in the color that [themes.ParseMark] took, if
	// there are any; Sandbox marks the embedded gateway, Origin is
	// the address of another.
	Profile string
	Sandbox bool
	Origin  string
	Color   string
	Banner  string
	// News has a value when jobs changed.
	News <-chan struct{}
	// Trouble says why the console cannot work as it should (the history did not open), "" while
	// all is well; it is called when there is news. It may be nil.
	Trouble func() string
	// ReadOnly reports whether the trouble is only that the history cannot be written. It never
	// blocks, and may be nil.
	ReadOnly func() bool
	// Notice is a message to show once although all works (a backup took the place of a damaged
	// history), "" for none; the next call returns the same text or the next one. It is called like
	// Trouble. It may be nil.
	Notice func() string
	// Busy is the number of create requests still awaiting an answer.
	Busy func() int
	// Unsaved describes, for each create request whose answer is not in the history yet, what would
	// be lost or left behind by quitting; nil for nothing.
	Unsaved func() []string
	// Theme makes the styles of a named theme; names are those that ctrl+t goes
	// through. Auto says that the theme follows the terminal's background.
	Theme  func(name string) (*themes.Styles, error)
	Themes []string
	Auto   bool
	// KeepTheme writes the theme into the settings, and says what else holds in its place, "" for nothing;
	// nil keeps none. It does I/O, in a command.
	KeepTheme func(name string) (note string, err error)
	// EndTour remembers that the tour of the first start is over; nil where it is not shown. It does I/O.
	EndTour func() error
	// Profiles are those that can be switched to, Lost what quitting would lose in their shells: both
	// are set by [Shells], and nil without it.
	Profiles func() []Profile
	Lost     func() []string
	// Start is the screen shown first.
	Start screen.ID
	// Exec runs a command that takes the terminal, Suspend hands it to the shell that
	// started us, Copy puts text on the clipboard; they are the terminal owner's.
	Exec    func(name string, args []string, done func(error) tea.Msg) tea.Cmd
	Suspend func() tea.Cmd
	Copy    func(text string) tea.Cmd
	Repaint func() tea.Cmd
	// Notify alerts a person who is looking elsewhere, Taskbar shows the progress (percent, or one
	// of paint's values); they are the terminal owner's too. nil does neither.
	Notify  func(title, text string) tea.Cmd
	Taskbar func(percent int) tea.Cmd
	// Open shows a file with the desktop's program for it.
	Open func(path string) error
	// Editor finds the person's editor: program and arguments; none where there is none.
	Editor func() []string
}

// slot is one screen and the state that the shell keeps about it.
type slot struct {
	id     screen.ID
	title  string
	screen screen.Screen        // nil until it is needed, see [made]
	make   func() screen.Screen // with the styles of now
	inited bool
	page   page
	valid  bool
}

type slots []slot

type overlayKind int

const (
	noOverlay overlayKind = iota
	paletteOverlay
	helpOverlay
	quitOverlay
)

// Model is the shell. It is used by bubbletea's loop only.
type Model struct {
	o        Options
	slots    slots
	commands screen.Commands[*Model]
	active   int
	w, h     int
	st       *themes.Styles
	behind   *bool // whether the terminal's background is dark; nil before it told

	// hidden: another profile shows. wanted is what the last key asked to show, nil for nothing: it is
	// done before the next key.
	hidden bool
	wanted *screen.SwitchMsg

	overlay overlayKind
	palette picker.Model
	themes  *themePick // the palette is the choice of a theme; nil for none
	help    helpbar.Sheet
	quit    confirm.Model
	// interrupted: the last key was ctrl+c.
	interrupted bool

	toasts  toasts
	newsDue bool // a tick for news is armed
	tickDue bool // a tick for ages is armed
	counts  jobs.Counts
	trouble string // the last answer of Options.Trouble; it stays
	notice  string // the last answer of Options.Notice
	away    string // the report that the history is away; "" while it answers
	alerts  alerts

	bars      bars
	zones     zone.Zones
	frame     []string
	fresh     bool // frame and zones show the state
	lastClick click
}

type click struct {
	zone string
	at   time.Time
}

// New makes the shell with the given screens.
func New(o Options, entries []Entry) *Model {
	m := &Model{
		o: o, st: o.Styles, commands: screen.Bind(o.Keys, Commands()),
		toasts: toasts{now: o.Now}, alerts: alerts{notify: o.Notify, taskbar: o.Taskbar, now: o.Now},
	}
	if o.Jobs != nil {
		m.alerts.mine = &watched{Jobs: o.Jobs, ids: map[string]bool{}}
		if o.Notify != nil {
			o.Jobs = m.alerts.mine // what screens submit is heard of
		}
	}
	for i, e := range entries {
		with, entry := o.Services, e.New
		m.slots = append(m.slots, slot{id: e.ID, title: e.Title, make: func() screen.Screen {
			with.Styles = m.st
			return entry(with)
		}})
		if e.ID == o.Start {
			m.active = i
		}
	}
	if o.Jobs != nil {
		m.counts = o.Jobs.Counts()
	}
	return m
}

// Init starts the screen that shows; the others start when they are first shown, or
// when the first news of jobs comes.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.start(m.active), m.awaitNews())
}

func (m *Model) start(i int) tea.Cmd {
	s := made(m, i)
	if s.inited {
		return nil
	}
	s.inited = true
	return route(s.id, s.screen.Init())
}

func (m *Model) current() *slot { return made(m, m.active) }

// made is a slot with its screen. A screen is made when it is first needed: the first frame waits for
// none but its own, and what a person never opens takes no memory.
func made(m *Model, i int) *slot {
	s := &m.slots[i]
	if s.screen == nil {
		s.screen = s.make()
		if m.w > 0 {
			s.screen.SetSize(m.w, roomOf(m, s.id))
		}
	}
	return s
}

// newsMsg says that jobs changed.
type newsMsg struct{}

// newsTick ends the pause after news, so that they come 20 times a second at most.
type newsTick struct{}

const newsEvery = 50 * time.Millisecond

// awaitNews waits for the next change of jobs, without polling.
func (m *Model) awaitNews() tea.Cmd {
	if m.o.News == nil {
		return nil
	}
	return func() tea.Msg {
		if _, ok := <-m.o.News; !ok {
			return nil
		}
		return newsMsg{}
	}
}

// Flush saves all unsaved work of the screens. It is for the end: after the loop, when commands no
// longer run.
func (m *Model) Flush() error {
	var errs []error
	for i := range m.slots {
		if f, ok := m.slots[i].screen.(screen.Flusher); ok && m.slots[i].inited {
			errs = append(errs, flush(m.slots[i].id, f))
		}
	}
	return errors.Join(errs...)
}

// flush has one screen save its work. One that is broken, as after a panic, keeps no other from it.
func flush(id screen.ID, f screen.Flusher) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s may not have saved the last changes: %s", id, client.CleanLine(fmt.Sprint(v)))
		}
	}()
	return f.Flush()
}
