// Package queue is the screen of the jobs that were submitted: a table of them, and everything
// about the one under the cursor.
package queue

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/jobs/standing"
	"darkroom/themes"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/screens/queue/internal/lag"
	"darkroom/tui/screens/queue/internal/looks"
	"darkroom/tui/screens/queue/internal/panel"
	"darkroom/tui/times"
)

// Looks keeps the look beyond the end of the console.
type Looks = looks.Store

// Jobs is what the screen reads and does.
type Jobs interface {
	jobs.Reader
	jobs.Doer
	jobs.Keeper
}

// Deps are what the screen works with.
type Deps struct {
	Catalog  *catalog.Catalog
	Jobs     Jobs
	Keys     keys.Map
	Styles   *themes.Styles
	Previews *preview.Loader // nil shows none
	Player   remote.Player   // nil for none
	Looks    Looks           // nil keeps none
	Bodies   body.Options    // of the dialog of bodies
	Times    *times.Choice   // how points in time are written; nil for this machine's zone
	Views    Views           // nil keeps none
	// Pace is how many requests a second may go to the gateway now, and at most; 0 for no bound. nil
	// where nobody knows.
	Pace   func() (rate, top float64)
	Frames bool // a last frame can be taken out of a video
	// Host is that of the profile's gateway, as a pause names it; "" where it is not known.
	Host string
	// Profile is the profile whose jobs show as long as the filter names no other; "" for all.
	Profile string
	// PlanOf is what is known about how long tasks like a job's take, see jobs.Engine.PlanOf; nil where
	// nothing is known.
	PlanOf func(*jobs.Job) *schedule.Plan
	// Rest is how long the cursor is to rest before the detail follows, while keys come one soon after
	// another; 0 to follow at once.
	Rest time.Duration
	// Now is the clock; times are shown in the zone of its results.
	Now func() time.Time
}

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps Deps
	*kit
	*room
	away bool // the terminal has not the focus

	list    *listing
	detail  details
	zoom    *zoom
	film    film
	outside remote.Remote // of the player
	heart   panel.Panel   // the pulse
	keep    looks.Keeper  // of list or gallery
	stack   screen.Stack
	refused refusal
	rejects rejects

	commands     screen.Commands[*Model]
	zoomCommands screen.Commands[*Model]

	frame string
	fresh bool // frame shows the model as it is
}

// New is the screen, still empty.
func New(d Deps) *Model {
	m := &Model{deps: d, room: &room{},
		kit: &kit{keys: d.Keys, now: d.Now, times: d.Times, catalog: d.Catalog, scene: standing.Scene{Profile: d.Profile, Host: d.Host, PlanOf: d.PlanOf}}}
	m.list = newListing(m.kit, m.room, d)
	m.film.Loader = d.Previews
	m.zoom = newZoom(m.list, &m.film, d.Previews)
	m.list.stays = m.zoom.On
	m.outside = remote.Remote{Player: d.Player, Keys: d.Keys, Scope: scope}
	m.detail = newDetails(m.kit, m.room, d)
	m.detail.plays = m.outside.Text
	m.detail.lag = lag.Lag{Rest: d.Rest, Clock: time.Now}
	m.keep.To = d.Looks
	m.heart = newHeart(d)
	m.keep.Set(usualLook())
	m.stack = screen.NewStack(d.Keys, d.Styles, m.answer)
	m.commands, m.zoomCommands = screen.Bind(d.Keys, Commands()), screen.Bind(d.Keys, ZoomCommands())
	m.SetStyles(d.Styles)
	m.list.refresh()
	return m
}

// Init reads the newest page, and how the jobs were last looked at.
func (m *Model) Init() tea.Cmd {
	_, m.list.jobs.seq = m.deps.Jobs.Changes(0)
	return tea.Batch(m.reload(), m.keep.Load(), m.list.views.Load())
}

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h, m.screen = w, h, w
	m.zoom.SetSize(w, h)
	m.stack.SetSize(w, h)
	m.layout()
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st, m.ink = st, inks.New(st)
	m.list.setStyles()
	m.heart.Restyle()
	m.zoom.SetStyles(st)
	m.stack.SetStyles(st)
	m.layout()
}

// Capturing reports that text is being typed, or that a question has to be answered first.
func (m *Model) Capturing() bool { return m.list.filter.Typing() || m.stack.Capturing() }

// Flush saves a look that is not saved yet.
func (m *Model) Flush() error { return m.keep.Save() }

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.WantTick = (*Model)(nil)
	_ screen.Flusher  = (*Model)(nil)
)
