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

// Side shows the request and the checks. Make it with [New].
type Side struct {
	Request request.Pane
	Checks  checks.List

	keys    keys.Map
	source  func(wide bool) request.Source
	w, h    int  // of the screen
	instead bool // the request is wanted in the place of the form

	drawn drawn
	lines []string
}

// drawn is everything that the lines depend on.
type drawn struct {
	room         frame.Room
	top, version int
	checks       int // the first line that shows of them
	head         string
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
	return frame.Room{W: s.w, H: s.h, Request: s.instead, Wire: s.Request.Tab() == request.Wire}
}

// Alone reports whether the form does not show.
func (s *Side) Alone() bool { return s.Room().Alone() }

// ShowForm shows the form.
func (s *Side) ShowForm() { s.instead = false }

// View shows the request in a given tab. On a narrow screen, the same again goes back; the formats
// side by side take the whole of a wide one first.
func (s *Side) View(t request.Tab) tea.Cmd {
	again := s.Request.Tab() == t
	switch {
	case s.Room().Narrow():
		s.instead = !s.instead || !again
	case t == request.Wire && again:
		s.instead = !s.instead
	default:
		s.instead = false
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
	s.Request.SetSize(w, max(0, r.H-3-s.checksHeight()-1))
}

func (s *Side) checksHeight() int { return max(1, min(max(s.Checks.Len(), 3), (s.h-4)*2/5)) }

// Lines is the box with the request and the checks, as [Side.Layout] has laid it out.
func (s *Side) Lines(st *themes.Styles) []string {
	r, head := s.Room(), s.Request.Head()
	now := drawn{room: r, top: s.Request.Top(), version: s.Request.Version(), checks: s.Checks.Top(), head: head}
	if s.drawn == now && s.lines != nil {
		return s.lines
	}
	n := s.checksHeight()
	shown := s.Checks.Shown(n, s.keys.Keys(ActChecksDown), s.keys.Keys(ActChecksUp))
	parts := []widgets.Part{
		{Title: "Request", Right: s.Request.Tabs(), Content: head + "\n" + s.Request.View()},
		{Title: "Checks", Content: strings.Join(shown, "\n"), Height: n},
	}
	_, w := r.Sizes()
	s.drawn = now
	s.lines = strings.Split(widgets.Stack(st, parts, "", w, r.H, r.Alone()), "\n")
	return s.lines
}
