// Package latest is the pane of Compose that shows what came of the draft: the newest jobs of its
// kind, live, each with its picture, its video or its sound in place, and what can be done with it.
package latest

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/jobs/standing"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
)

// Keeper marks jobs as a person says.
type Keeper interface {
	Tag(ctx context.Context, id string, add, remove []string) error
}

// Around is what the pane asks of the screen that it is on.
type Around struct {
	Kind    func() client.Modality        // of the form
	Seed    func(seed string) tea.Cmd     // puts a seed into the form
	OffSeed func() string                 // why the form takes none, "" when it does
	Draft   func(*jobs.Job) tea.Cmd       // puts all of a job into the form
	Use     func(id string) tea.Cmd       // takes the result of a job as a reference
	Whole   func()                        // takes the whole of the screen, or gives it back
	Ask     func(d screen.Dialog) tea.Cmd // opens a dialog
	// Rejected is called when a result is rejected: that is what is undone next.
	Rejected func()
}

// Options are what a [Pane] works with.
type Options struct {
	History  History // nil: there is nothing to show
	Keeper   Keeper  // nil where nothing can be starred
	Profile  string  // the one whose jobs show, "" for all
	Host     string  // of its gateway
	PlanOf   func(*jobs.Job) *schedule.Plan
	Previews *preview.Loader // nil shows none
	Player   remote.Player   // nil for none
	Keys     keys.Map
	Styles   *themes.Styles
	Now      func() time.Time
	// Focus is the action that gives the pane the keys.
	Focus string
	// Undo is the action that takes a reject back.
	Undo string
}

// Pane shows the latest results. Make it with [New]; it is used by bubbletea's loop only.
type Pane struct {
	o        Options
	around   Around
	commands screen.Commands[*Pane]
	ink      inks
	w, h     int // 0 while it does not show
	hidden   bool
	away     bool // nobody is at the terminal
	focused  bool

	feed  feed
	scene standing.Scene
	at    string // the job that is looked at, "" for the newest
	asked bool   // whether a result is to be rejected
	gone  []string

	face    preview.Awaited
	thumbs  map[string]*preview.Awaited
	words   words
	film    preview.Play
	outside remote.Remote
	version int
}

// New is a pane without results.
func New(o Options, a Around) *Pane {
	p := &Pane{o: o, around: a, commands: screen.Bind(o.Keys, Commands()), thumbs: map[string]*preview.Awaited{}}
	if p.o.Now == nil {
		p.o.Now = time.Now
	}
	p.feed = feed{history: o.History, profile: o.Profile, by: map[client.Modality][]jobs.Job{}}
	p.scene = standing.Scene{Profile: o.Profile, Host: o.Host, PlanOf: o.PlanOf}
	p.words = words{text: map[string]string{}}
	p.film = preview.Play{Loader: o.Previews}
	p.outside = remote.Remote{Player: o.Player, Keys: o.Keys, Scope: Scope}
	p.SetStyles(o.Styles)
	return p
}

// Init reads the newest jobs.
func (p *Pane) Init() tea.Cmd {
	if p.o.History == nil {
		return nil
	}
	return p.feed.load()
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *themes.Styles) {
	p.o.Styles, p.ink = st, newInks(st)
	p.touch()
}

// SetSize sets the room to draw in; without any the pane does not show.
func (p *Pane) SetSize(w, h int) {
	if w != p.w || h != p.h {
		p.w, p.h = w, h
		p.touch()
	}
}

// touch notes that something else is to be drawn.
func (p *Pane) touch() { p.version++ }

// Version changes whenever the pane looks different.
func (p *Pane) Version() int { return p.version }

// Focused reports whether the pane has the keys.
func (p *Pane) Focused() bool { return p.focused }

// Focus gives the pane the keys.
func (p *Pane) Focus() {
	p.focused = true
	p.touch()
}

// Blur takes the keys away.
func (p *Pane) Blur() {
	if p.focused {
		p.focused = false
		p.touch()
	}
}

// list is the jobs of the form's kind.
func (p *Pane) list() []jobs.Job { return p.feed.by[p.around.Kind()] }

// Any reports whether there is something to show.
func (p *Pane) Any() bool { return p.o.History != nil && len(p.list()) > 0 }

// index is the place of the job that is looked at.
func (p *Pane) index() int {
	return max(0, slices.IndexFunc(p.list(), func(j jobs.Job) bool { return j.ID == p.at }))
}

// Job is the one that is looked at, nil for none.
func (p *Pane) Job() *jobs.Job {
	if !p.Any() {
		return nil
	}
	return &p.list()[p.index()]
}

// step looks at the next one (1), which is older, or at the one before (-1).
func (p *Pane) step(by int) { p.show(p.index() + by) }

func (p *Pane) show(i int) {
	list := p.list()
	if i = max(0, min(i, len(list)-1)); i < len(list) {
		p.at = list[i].ID
		if i == 0 {
			p.at = "" // so that a newer one takes its place
		}
		p.touch()
	}
}

// Sent says that jobs were submitted here: the newest shows, unless the person looks at another one.
// It is false where nothing can show.
func (p *Pane) Sent() bool {
	if !p.focused {
		p.at = ""
	}
	p.touch()
	return p.o.History != nil
}

// Hidden reports whether the screen is out of sight.
func (p *Pane) Hidden() bool { return p.hidden }

// Update takes messages of the shell and the answers of its own commands.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	if p.o.History == nil {
		return nil
	}
	switch msg := msg.(type) {
	case listedMsg:
		p.feed.took(msg)
		p.touch()
	case screen.JobsMsg:
		p.jobsChanged()
	case screen.TickMsg:
		p.touch()
	case screen.HiddenMsg:
		p.hidden = true
		p.feed.halt()
	case screen.ShownMsg:
		p.hidden = false
		p.touch()
		return tea.Batch(p.outside.Look(), p.feed.load())
	case screen.AwayMsg:
		p.away = msg.Away
	case preview.ReadyMsg:
		p.pictureCame(msg)
	case doneMsg:
		return msg.said()
	case wordsMsg:
		p.words.text[msg.id] = msg.text
		p.touch()
	case seedMsg:
		return takeDrawn(p, msg)
	default:
		return p.moving(msg)
	}
	return nil
}

// jobsChanged takes in what changed. The job that is looked at stays the same while the person is at
// it.
func (p *Pane) jobsChanged() {
	was := ""
	if j := p.Job(); j != nil && p.focused {
		was = j.ID
	}
	at, flow := p.index(), p.o.History.Counts().Flow
	if changed := p.feed.look(); !changed && flow == p.scene.Flow {
		return
	}
	p.scene.Flow = flow
	if p.at != "" && !slices.ContainsFunc(p.list(), func(j jobs.Job) bool { return j.ID == p.at }) {
		p.show(at) // the one that took its place
		was = ""
	}
	if was != "" && p.at == "" && slices.ContainsFunc(p.list(), func(j jobs.Job) bool { return j.ID == was }) {
		p.at = was
	}
	p.touch()
}

// NextTick is how long what is said of the time left stays true, 0 for always.
func (p *Pane) NextTick() time.Duration {
	if p.hidden || p.w == 0 {
		return 0
	}
	next := time.Duration(0)
	list := p.list()
	for i := range list {
		if d := p.lasts(&list[i]); d > 0 && (next == 0 || d < next) {
			next = d
		}
	}
	return next
}
