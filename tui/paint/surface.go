package paint

import (
	"image"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Protocol is a way to show pictures as pixels.
type Protocol uint8

// Protocols. AutoPictures is a choice, not an answer: the best that the terminal says it
// speaks.
const (
	NoPictures Protocol = iota // cells only
	AutoPictures
	KittyPictures // kitty graphics with Unicode placeholders: kitty 0.28, Ghostty, Rio
	SixelPictures
	InlinePictures // iTerm2's inline images (OSC 1337): iTerm2, WezTerm, mintty
)

// Exact reports whether a picture must be as large as its cells. It is then painted over them, and
// each change costs all of its pixels.
func (p Protocol) Exact() bool { return p == SixelPictures || p == InlinePictures }

// PicturesMsg tells how pictures can be shown. It is sent again when that changes: when the
// terminal has answered, or its cells have another size.
type PicturesMsg struct {
	Protocol Protocol
	// Cell is the size of one cell in pixels; a likely one if the terminal does not tell.
	Cell image.Point
}

// Answers of the terminal about pictures.
type (
	cellSize  image.Point // of one cell in pixels, both above zero
	kittyOK   struct{}    // it speaks kitty's protocol
	registers int         // colours that a sixel picture can have
	fence     struct {    // the answer that comes last
		sixel bool
	}
)

// The size of a cell that is assumed if the terminal does not tell: 1 to 2 is right for nearly all
// fonts.
const likelyWidth, likelyHeight = 10, 20

// surface works out from the terminal's answers how pictures can be shown. It does no I/O.
type surface struct {
	want  Protocol // what the person chose
	name  string   // of the terminal, with its version; of tmux within tmux
	outer string   // within tmux: the terminal that tmux runs in
	tmux  bool
	local bool // tmux runs on this machine, and can be asked

	kitty, sixel bool
	cell         image.Point
	colors       int // registers for sixel
}

// take takes in an answer of the terminal.
func (s *surface) take(msg tea.Msg) {
	switch m := msg.(type) {
	case VersionMsg:
		s.name = m.Name
		s.tmux = strings.HasPrefix(m.Name, "tmux ") // a window opened from tmux inherits its environment
	case cellSize:
		s.cell = image.Point(m)
	case registers:
		s.colors = int(m)
	case kittyOK:
		s.kitty = true
	case fence:
		s.sixel = m.sixel
	}
}

// behind reports whether the terminal behind tmux has to be asked.
func (s *surface) behind() bool { return s.tmux && s.local && s.want == AutoPictures }

// protocol returns the one to use, as far as is known.
func (s *surface) protocol() Protocol {
	known := s.cell != image.Point{}
	switch {
	case s.want == SixelPictures && !known:
		return NoPictures // it counts in pixels
	case s.want == InlinePictures && s.tmux:
		return NoPictures // tmux would not know where the picture is, nor take it away
	case s.want != AutoPictures:
		return s.want
	case s.kitty && placeholders(s.terminal()):
		return KittyPictures
	case !s.tmux && inlines(s.name):
		return InlinePictures
	case s.sixel && known && !sticky(s.name):
		return SixelPictures
	}
	return NoPictures
}

// message returns what the program is told.
func (s *surface) message() PicturesMsg {
	m := PicturesMsg{Protocol: s.protocol(), Cell: s.cell}
	if m.Cell == (image.Point{}) {
		m.Cell = image.Pt(likelyWidth, likelyHeight)
	}
	return m
}

// terminal returns the name of the terminal that draws.
func (s *surface) terminal() string {
	if s.tmux {
		return s.outer
	}
	return s.name
}

// placeholders reports whether a terminal that speaks kitty's protocol knows its Unicode
// placeholders. Others (Konsole, WezTerm) would show them as odd characters.
func placeholders(name string) bool {
	name = strings.ToLower(name)
	if version, ok := strings.CutPrefix(name, "kitty("); ok {
		return atLeast(version, 0, 28)
	}
	return strings.HasPrefix(name, "xterm-kitty") || strings.Contains(name, "ghostty") || strings.HasPrefix(name, "rio")
}

// sticky reports whether a terminal leaves pixels where they are when text is written over them:
// Konsole 22.12 does, under sixels and iTerm2's protocol alike.
func sticky(name string) bool { return strings.HasPrefix(strings.ToLower(name), "konsole") }

// inlines reports whether a terminal is one that shows pictures in iTerm2's way; there is no query
// for it. Others that know it, such as mlterm, say that they know sixels.
func inlines(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "iterm2 ") || strings.HasPrefix(name, "wezterm ") || strings.HasPrefix(name, "mintty ")
}

// atLeast reports whether the first two numbers of a version are at least the given ones.
func atLeast(version string, major, minor int) bool {
	a, rest, _ := strings.Cut(version, ".")
	b, _, _ := strings.Cut(rest, ".")
	x, err := strconv.Atoi(strings.TrimSpace(a))
	if err != nil {
		return false
	}
	y, err := strconv.Atoi(strings.TrimRight(b, ") "))
	return x > major || x == major && err == nil && y >= minor
}
