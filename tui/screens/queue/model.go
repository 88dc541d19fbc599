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
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/scroll"
	"darkroom/tui/widgets/table"
)

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
	Frames   bool            // a last frame can be taken out of a video
	// Host is that of the profile's gateway, as a pause names it; "" where it is not known.
	Host string
	// Profile is the one whose jobs show as long as the filter names no other; "" for all.
	Profile string
	// PlanOf is what is known of how long tasks like a job's take, see jobs.Engine.PlanOf;
	// nil where nothing is.
	PlanOf func(*jobs.Job) *jobs.Plan
	// Now is the clock; times are shown in the zone of what it returns.
	Now func() time.Time
}

// pane is what has the focus. On a narrow screen it is all that shows.
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
	chainTree
	sections
)

func (s section) String() string {
	return [...]string{"Facts", "Timeline", "Request", "Answer", "Chain"}[s]
}

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps   Deps
	st     *themes.Styles
	ink    inks
	w, h   int
	hidden bool
	toEnd  int // reading on to the end of the history, up to so many rows; 0 when not

	jobs   list
	table  table.Model
	fit    fits // widths of the table's columns
	marked map[string]bool
	read   reading

	gallery gallery
	zoom    zoom
	keep    keeper // of list or gallery

	filter    textinput.Model
	filtering bool   // the filter is being typed
	filterErr string // what is wrong with it

	flow   jobs.Flow     // what holds the work up
	saving jobs.Transfer // of all jobs in the list
	moving bool          // one of them has a progress

	current string // id of the job under the cursor
	guest   string // id of a job that shows although it is not in what was read
	focus   pane
	section section
	scroll  scroll.Model
	detail  detailState
	chain   chainState
	picture pictureState
	play    preview.Play  // the video of the job under the cursor
	away    bool          // the terminal has not the focus
	outside remote.Remote // of the player
	dialog  dialog
	refused refusal

	frame string
	fresh bool // frame shows the model as it is
}

// reading is where reading the history stands.
type reading struct {
	query   jobs.Query // what is wanted
	shown   jobs.Query // what the list was read for
	gen     int        // answers of another generation are dropped
	loading bool
	loaded  bool   // the newest page has come once
	next    string // cursor of the next page, "" at the end
	oldest  string // id of the oldest job of the pages read
	err     error

	seq   uint64 // the news taken over
	since uint64 // the news when the page on its way was asked for
}

// detailState is what was read about the job under the cursor beside the job itself.
type detailState struct {
	got    jobs.Detail
	id     string // the job that got and err are of
	err    error
	asking string // the job whose detail is on its way, "" for none: one at a time
	stale  bool   // the job changed since
	dirty  bool   // the lines are to be made again
}

// pictureState is the preview of the job under the cursor.
type pictureState struct {
	off    bool // the person wants none
	wanted preview.Key
	got    preview.ReadyMsg
	have   bool // got is what is wanted
}

// question is what a dialog is about.
type question int

const (
	noQuestion question = iota
	askDrop
	askResend
	askInsist
	askFiles
	askAdopt
	askTags
	askRemark
	askHost
)

// typed reports whether the answer is a text.
func (q question) typed() bool { return q >= askAdopt }

// dialog is a question that is open.
type dialog struct {
	question question
	confirm  confirm.Model
	id       textinput.Model
	targets  []string // the jobs that it is about
	about    string   // the job, as people know it
	wrong    string   // what is wrong with the text
	taskID   string   // the one to be adopted without the gateway's word
}

// New is the screen, still empty.
func New(d Deps) *Model {
	m := &Model{deps: d, jobs: newList(), marked: map[string]bool{}, table: table.New(columns()), gallery: newGallery()}
	m.scroll.Zone = "detail"
	m.play.Loader = d.Previews
	m.outside = remote.Remote{Player: d.Player, Keys: d.Keys, Scope: scope}
	m.keep.loaded(usualLook())
	m.filter = newInput("/ ", filterHelp)
	m.dialog.id = newInput("task id: ", "as the gateway or its support gave it")
	m.read.query = m.wanted(jobs.Query{})
	m.SetStyles(d.Styles)
	m.rows()
	return m
}

// newInput is a line for text. Its cursor does not blink, since that would wake the
// machine up for nothing, and it does not read the clipboard by programs of its own:
// terminals paste.
func newInput(prompt, placeholder string) textinput.Model {
	in := textinput.New()
	in.Prompt, in.Placeholder, in.CharLimit = prompt, placeholder, 500
	_ = in.Cursor.SetMode(cursor.CursorStatic)
	in.KeyMap.Paste.SetEnabled(false)
	return in
}

// Init reads the newest page, and how the jobs were looked at last.
func (m *Model) Init() tea.Cmd {
	_, m.read.seq = m.deps.Jobs.Changes(0)
	return tea.Batch(m.reload(), m.loadLook())
}

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = w, h
	m.layout()
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st, m.ink = st, newInks(st)
	m.gallery.ink = newGalleryInks(st)
	for _, in := range []*textinput.Model{&m.filter, &m.dialog.id} {
		in.PromptStyle, in.TextStyle, in.PlaceholderStyle, in.Cursor.Style = st.Accent, st.Value, st.Placeholder, st.Cursor
	}
	m.layout()
}

// Capturing reports that text is typed, or a question has to be answered first.
func (m *Model) Capturing() bool { return m.filtering || m.dialog.question != noQuestion }

// job is the one under the cursor, nil when there is none.
func (m *Model) job() *jobs.Job { return m.jobs.get(m.current) }

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.WantTick = (*Model)(nil)
	_ screen.Flusher  = (*Model)(nil)
)
