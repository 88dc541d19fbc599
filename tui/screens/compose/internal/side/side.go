// Package side is the box beside the form of Compose, or in its place: the request that the form
// makes, and the checks.
package side

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screens/compose/internal/checks"
	"darkroom/tui/screens/compose/internal/frame"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/widgets"
)

// Actions that texts of the document name.
const (
	ActJSON       = "compose.view-json"
	ActCurl       = "compose.view-curl"
	ActChecksDown = "compose.checks-down"
	ActChecksUp   = "compose.checks-up"
)

// Results is the pane of the latest results.
type Results interface {
	Any() bool // there are some
	SetSize(w, h int)
	Version() int
	Focused() bool
	Focus()
	Blur()
	Title() string
	Place() string // which of them shows
	View() string
}

// Fold is what a person wants of the request where the latest results need its room.
type Fold string

// The folds. The zero value leaves it to the room that there is.
const (
	ByRoom Fold = ""
	Open   Fold = "open"
	Folded Fold = "folded"
)

// openFrom is the height from which the request stays open beside the latest results.
const openFrom = 44

// instead is what shows in the place of the form.
type instead uint8

const (
	nothing instead = iota
	theRequest
	theResults
)

// Side shows the latest results, the request and the checks. Make it with [New].
type Side struct {
	Request request.Pane
	Checks  checks.List
	Results Results // nil for none
	Fold    Fold

	keys    keys.Map
	source  func(wide bool) request.Source
	w, h    int // of the screen
	instead instead

	drawn drawn
	lines []string
}

// drawn is everything that the lines depend on.
type drawn struct {
	room         frame.Room
	top, version int
	checks       int // the first line that shows of them
	head         string
	results      int // their version
	shows, open  bool
}

// New is a side without a request. Source is what it is made of, wide with the values that other
// formats carry, and their names.
func New(g request.Gateway, k keys.Map, st *themes.Styles, source func(wide bool) request.Source) Side {
	s := Side{Request: request.New(g, st), keys: k, source: source}
	s.Checks.SetStyles(st)
	return s
}

// SetSize sets the size of the screen.
func (s *Side) SetSize(w, h int) { s.w, s.h = w, h }

// SetStyles changes the styles.
func (s *Side) SetStyles(st *themes.Styles) {
	s.Request.SetStyles(st)
	s.Checks.SetStyles(st)
}

// Room is the space to draw in, and what is shown there.
func (s *Side) Room() frame.Room {
	return frame.Room{W: s.w, H: s.h, Request: s.instead == theRequest, Wire: s.Request.Tab() == request.Wire,
		Results: s.instead == theResults && s.any()}
}

func (s *Side) any() bool { return s.Results != nil && s.Results.Any() }

// Shows reports whether the latest results show: beside the form, or in the place of all.
func (s *Side) Shows() bool {
	r := s.Room()
	return s.any() && (r.Results || r.Roomy() && !r.Alone())
}

// Opened reports whether the request is open beside the results, not folded to a line.
func (s *Side) Opened() bool {
	return !s.Shows() || s.Fold == Open || s.Fold == ByRoom && s.h >= openFrom
}

// OffFold says why the request cannot be folded, "" when it can.
func (s *Side) OffFold() string {
	switch r := s.Room(); {
	case r.Alone():
		return "the form does not show"
	case !s.Shows():
		return "the request is not in the way here"
	}
	return ""
}

// TurnFold folds the request to a line, or opens it.
func (s *Side) TurnFold() {
	if s.Opened() {
		s.Fold = Folded
	} else {
		s.Fold = Open
	}
}

// OffResults says why the latest results cannot be shown, "" when they can.
func (s *Side) OffResults() string {
	if !s.any() {
		return "nothing of this kind was made yet"
	}
	return ""
}

// GoToResults gives the latest results the keys; where they have no room beside the form they take
// its place.
func (s *Side) GoToResults() {
	if !s.Shows() {
		s.instead = theResults
	}
	s.Results.Focus()
}

// WholeResults gives the latest results the whole screen, or the form its place again.
func (s *Side) WholeResults() {
	if s.instead != theResults {
		s.instead = theResults
		s.Results.Focus()
		return
	}
	s.instead = nothing
	if !s.Shows() {
		s.Results.Blur()
	}
}

// Whole reports whether the latest results have the whole screen.
func (s *Side) Whole() bool { return s.instead == theResults }

// Place gives the latest results their room.
func (s *Side) Place() {
	if s.Results == nil {
		return
	}
	if !s.Shows() {
		if s.instead == theResults { // the form is of another kind now
			s.ShowForm()
		}
		s.Results.SetSize(0, 0)
		return
	}
	r := s.Room()
	_, right := r.Sizes()
	w, _ := widgets.Inner(right, r.H)
	if r.Results {
		s.Results.SetSize(w, max(0, r.H-2))
		return
	}
	s.Results.SetSize(w, max(0, r.H-4-s.requestHeight()-s.checksHeight()))
}

// requestHeight is the room of the request below the results: it does not depend on what it holds, so
// that nothing moves while a person types.
func (s *Side) requestHeight() int {
	if !s.Opened() {
		return 1
	}
	return max(5, s.h/5)
}

// Alone reports whether the form does not show.
func (s *Side) Alone() bool { return s.Room().Alone() }

// ShowForm shows the form, which gets the keys.
func (s *Side) ShowForm() {
	s.instead = nothing
	if s.Results != nil {
		s.Results.Blur()
	}
}

// View shows the request in a given tab. On a narrow screen, the same again goes back; the formats
// side by side take the whole of a wide one first. A folded request opens.
func (s *Side) View(t request.Tab) tea.Cmd {
	again := s.Request.Tab() == t
	was := s.instead
	s.ShowForm()
	switch {
	case s.Room().Narrow():
		if was != theRequest || !again {
			s.instead = theRequest
		}
	case !s.Opened():
		s.Fold = Open
	case again && t != request.Wire && s.Shows():
		s.Fold = Folded
	case t == request.Wire && again && was != theRequest:
		s.instead = theRequest
	}
	return s.Show(t)
}

// Show shows another tab: the formats side by side are made when they show.
func (s *Side) Show(t request.Tab) tea.Cmd {
	s.Request.Show(t)
	if t == request.Wire {
		return s.Make()
	}
	return nil
}

// Make makes the request anew, as its source is now.
func (s *Side) Make() tea.Cmd { return s.Request.Make(s.source(s.Request.Tab() == request.Wire)) }

// Copy copies the request that shows, or one of its choices.
func (s *Side) Copy(id string) tea.Cmd {
	return s.Request.Copy(s.source(s.Request.Tab() == request.Wire), id, s.keys.Keys(ActCurl))
}

// OffChecks says why the checks cannot be scrolled, "" when they can.
func (s *Side) OffChecks() string {
	if _, right := s.Room().Sizes(); right == 0 {
		return "Checks stand beside the request: " + cmp.Or(s.keys.Keys(ActJSON), "the palette") + " shows it"
	}
	return ""
}

// Layout gives the checks the room that they need, up to a good third, and the rest to the request.
func (s *Side) Layout(items []checks.Item) {
	r := s.Room()
	_, right := r.Sizes()
	w, _ := widgets.Inner(right, r.H)
	if right == 0 || w <= 0 {
		return
	}
	if s.Checks.Set(items, w) {
		s.drawn = drawn{}
	}
	if s.Shows() {
		s.Request.SetSize(w, max(0, s.requestHeight()-1))
		return
	}
	s.Request.SetSize(w, max(0, r.H-3-s.checksHeight()-1))
}

func (s *Side) checksHeight() int {
	if s.Shows() { // as the request
		return max(4, s.h/9)
	}
	return max(1, min(max(s.Checks.Len(), 3), (s.h-4)*2/5))
}

// Lines is the box with the results, the request and the checks, as [Side.Layout] has laid it out.
func (s *Side) Lines(st *themes.Styles) []string {
	r, head := s.Room(), s.Request.Head()
	now := drawn{room: r, top: s.Request.Top(), version: s.Request.Version(), checks: s.Checks.Top(), head: head, shows: s.Shows(), open: s.Opened()}
	if now.shows {
		now.results = s.Results.Version()
	}
	if s.drawn == now && s.lines != nil {
		return s.lines
	}
	var parts []widgets.Part
	if now.shows {
		parts = append(parts, widgets.Part{Title: s.Results.Title(), Right: s.Results.Place(), Content: s.Results.View()})
	}
	if !r.Results {
		n := s.checksHeight()
		shown := s.Checks.Shown(n, s.keys.Keys(ActChecksDown), s.keys.Keys(ActChecksUp))
		req := widgets.Part{Title: "Request", Right: s.Request.Tabs(), Content: head + "\n" + s.Request.View()}
		if now.shows {
			req.Height = s.requestHeight()
		}
		if !now.open {
			req.Content, req.Right = head, ""
		}
		parts = append(parts, req, widgets.Part{Title: "Checks", Content: strings.Join(shown, "\n"), Height: n})
	}
	_, w := r.Sizes()
	s.drawn = now
	focus := r.Alone() || now.shows && s.Results.Focused()
	s.lines = strings.Split(widgets.Stack(st, parts, "", w, r.H, focus), "\n")
	return s.lines
}
