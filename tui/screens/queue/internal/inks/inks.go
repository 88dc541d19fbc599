// Package inks is how Queue draws texts and states: the styles of what is drawn on every key, made
// once, and texts of any length and origin cut to what a line takes.
package inks

import (
	"strings"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/widgets"
)

// Set are the inks. Make it with [New].
type Set struct {
	Text, Muted, Faint, Accent, Bad, Warn, Good, Code, Label, Marked, Struck widgets.Ink

	states map[jobs.State]Sign
	bars   [2*BarWidth + 1]string // by halves of a cell
}

// Sign is how a state looks.
type Sign struct {
	Text string
	Ink  widgets.Ink
}

// BarWidth is the width of a progress bar, in cells.
const BarWidth = 8

// New makes the inks of a theme.
func New(st *themes.Styles) Set {
	k := Set{
		Text: widgets.NewInk(st.Text), Muted: widgets.NewInk(st.Muted), Faint: widgets.NewInk(st.Faint),
		Accent: widgets.NewInk(st.Accent), Bad: widgets.NewInk(st.Bad), Warn: widgets.NewInk(st.Warn),
		Good: widgets.NewInk(st.Good), Code: widgets.NewInk(st.Code), Label: widgets.NewInk(st.Label), Marked: widgets.NewInk(st.RowMarked), Struck: widgets.NewInk(st.Struck),
		states: map[jobs.State]Sign{},
	}
	for _, s := range jobs.States() {
		text, style := widgets.Sign(st, s.Coarse())
		if s == jobs.Dropped {
			text, style = "–", st.Muted
		}
		k.states[s] = Sign{text, widgets.NewInk(style)}
	}
	for i := range k.bars {
		k.bars[i] = strings.Repeat("━", i/2) + strings.Repeat("╸", i%2) + strings.Repeat("·", BarWidth-i/2-i%2)
	}
	return k
}

// Sign is that of a state; one that nobody listed looks unknown.
func (k *Set) Sign(s jobs.State) Sign {
	if x, ok := k.states[s]; ok {
		return x
	}
	return k.states[jobs.Unknown]
}

// Bar is a progress bar for a share from 0 to 1.
func (k *Set) Bar(share float64) string { return k.bars[int(share*2*BarWidth)] }

// Failure is what went wrong, in at most h lines of w cells.
func (k *Set) Failure(err error, w, h int) []string {
	return Wrapped(k.Bad, "✗ "+client.Clean(err.Error()), w, h)
}

// Wrapped are at most h lines of w cells of a clean text in one ink.
func Wrapped(ink widgets.Ink, text string, w, h int) []string {
	lines := widgets.WrapLines(text, max(1, w), max(1, h))
	for i, l := range lines {
		lines[i] = ink.Text(l)
	}
	return lines
}

// OneLine is the beginning of a text of any length, safe to draw in one line; about n characters of
// it are of use. The bytes of one character may be many, but not endless.
func OneLine(s string, n int) string {
	if len(s) > 8*n {
		cut := 8 * n
		for cut > 0 && s[cut]&0xc0 == 0x80 { // within a rune
			cut--
		}
		s = s[:cut] + widgets.Ellipsis
	}
	s = client.CleanLine(s)
	if len(s) > n {
		s = widgets.Truncate(s, n)
	}
	return strings.TrimSpace(s)
}
