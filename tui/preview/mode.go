package preview

import (
	"github.com/muesli/termenv"

	"darkroom/themes"
)

// ModeFor returns the best way to draw with a terminal's colours.
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

// Mode returns how this loader draws for styles: as pixels if it has a canvas whose cells are
// known, else in cells; with plain styles in ASCII.
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

// Moving returns how to draw pictures that move as text does, in a list that scrolls: a terminal that
// keeps pictures shows pixels, one to which they are sent anew wherever they come to stand shows cells.
func (m Mode) Moving() Mode {
	if m.Surface.Exact {
		m.Surface = Surface{}
	}
	return m
}

// Coloured reports whether pictures are drawn in colours.
func (m Mode) Coloured() bool { return m.Colors != NoColor && m.Blocks != ASCII }

// SetBlocks says how pictures are drawn in cells: with characters, with sextants, or, without both,
// with quadrants. Screens have to ask for their pictures again.
func (l *Loader) SetBlocks(ascii, sextants bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.o.ASCII, l.o.Sextants = ascii, sextants
}

// SetSurface says what the canvas can do; with the zero Surface the loader draws in cells. Screens
// have to ask for their pictures again.
func (l *Loader) SetSurface(s Surface) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.surface = s
}
