package preview

import (
	"github.com/muesli/termenv"

	"darkroom/themes"
)

// ModeFor is the best way to draw for a terminal's colours.
func ModeFor(p termenv.Profile) Mode {
	switch p {
	case termenv.TrueColor:
		return Mode{Blocks: Quadrants, Colors: TrueColor}
	case termenv.ANSI256:
		return Mode{Blocks: Quadrants, Colors: Color256}
	case termenv.ANSI:
		return Mode{Blocks: Quadrants, Colors: Color16}
	default:
		return Mode{Blocks: ASCII, Colors: NoColor}
	}
}

// Mode is how this loader draws for styles: as pixels where it has a canvas whose cells
// are known, else in cells; plain styles draw in ASCII.
func (l *Loader) Mode(st *themes.Styles) Mode {
	if st == nil || st.Plain || st.Renderer == nil {
		return Mode{Blocks: ASCII, Colors: NoColor}
	}
	m := ModeFor(st.Renderer.ColorProfile())
	if m.Colors == NoColor {
		return m
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.o.Sextants {
		m.Blocks = Sextants
	}
	switch {
	case l.o.ASCII:
		return Mode{Blocks: ASCII, Colors: NoColor}
	case l.o.Canvas != nil:
		m.Surface = l.surface
	}
	return m
}

// SetSurface says what the canvas can; the zero one draws in cells. Screens have to ask
// for their pictures again.
func (l *Loader) SetSurface(s Surface) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.surface = s
}
