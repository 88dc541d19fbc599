package preview

import (
	"github.com/muesli/termenv"

	"darkroom/themes"
)

// ModeFor is the best way to draw for a terminal's colours.
func ModeFor(p termenv.Profile) Mode {
	switch p {
	case termenv.TrueColor:
		return Mode{Quadrants, TrueColor}
	case termenv.ANSI256:
		return Mode{Quadrants, Color256}
	case termenv.ANSI:
		return Mode{Quadrants, Color16}
	default:
		return Mode{ASCII, NoColor}
	}
}

// ModeOf is [ModeFor] of the renderer that styles were made for; plain styles draw in
// ASCII.
func ModeOf(st *themes.Styles) Mode {
	if st == nil || st.Plain || st.Renderer == nil {
		return Mode{ASCII, NoColor}
	}
	return ModeFor(st.Renderer.ColorProfile())
}
