// Package frame lays out Compose: the box with the form, and beside it or in its place the one with
// the request and the checks.
package frame

import (
	"strings"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/screens/compose/internal/pens"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

// wideFrom is the width from which the request stands beside the form.
const wideFrom = 100

// From this size on the latest results stand beside the form: that of a terminal of 120 x 34 cells
// without the shell's two lines.
const (
	resultsWidth  = 120
	resultsHeight = 32
)

// Room is the space to draw in. Request says that the request is shown instead of the form, Wire
// that it shows every format, and Results that the latest results are shown instead of all.
type Room struct {
	W, H          int
	Request, Wire bool
	Results       bool
}

// Narrow reports whether there is no room for the form and the request side by side.
func (r Room) Narrow() bool { return r.W < wideFrom }

// Alone reports whether the request is shown instead of the form: always on a narrow screen, and
// with the formats side by side also on a wide one. The latest results can take any screen.
func (r Room) Alone() bool { return r.Results || r.Request && (r.Narrow() || r.Wire) }

// Roomy reports whether there is room for the latest results beside the form.
func (r Room) Roomy() bool { return r.W >= resultsWidth && r.H >= resultsHeight }

// Sizes are the widths of the draft and of the request; 0 for one that does not show.
func (r Room) Sizes() (left, right int) {
	switch {
	case r.Alone():
		return 0, r.W
	case r.Narrow():
		return r.W, 0
	default:
		return r.W - r.beside(), r.beside()
	}
}

// beside is the width of the request beside the form.
func (r Room) beside() int { return min(max(r.W*44/100, 40), 96) }

// FormSize is the size of the form when it shows.
func (r Room) FormSize() (w, h int) {
	w = r.W
	if !r.Narrow() {
		w -= r.beside()
	}
	return w - 4, r.H - 2 - r.HelpLines()
}

// Low reports whether there are few lines.
func (r Room) Low() bool { return r.H < 20 }

// HelpLines is how many lines explain the focused field.
func (r Room) HelpLines() int {
	switch {
	case r.H < 7:
		return 0
	case r.Low():
		return 1
	default:
		return 2
	}
}

// Help is a text in a fixed number of lines, with its mark; paused says that the
// focused text takes no typing just now.
func Help(p *pens.Pens, text string, mark form.Mark, paused bool, w, n int) []string {
	if n == 0 {
		return nil
	}
	ink := p.Muted
	if mark != form.Fine {
		ink = p.Marks[mark]
		text = pens.Signs[mark] + " " + text
	}
	if paused {
		text = "letters or enter go on typing, digits and signs are keys · " + text
	}
	out := make([]string, 0, n)
	for _, l := range widgets.WrapLines(client.CleanLine(text), w, n) {
		out = append(out, ink.Text(widgets.Line(l, w)))
	}
	for len(out) < n {
		out = append(out, widgets.Line("", w))
	}
	return out
}

// Edge is what stands on the border of the form's box.
type Edge struct {
	Title         string
	Footer, Right string
	Focus         bool
}

// Draft draws the box with the form. Its border seldom changes, so it is cached.
type Draft struct {
	edge        Edge
	w, h        int
	st          *themes.Styles
	top, bottom string
}

// Lines is the box of w times h cells around lines that already have the exact size.
func (d *Draft) Lines(st *themes.Styles, p *pens.Pens, e Edge, body []string, w, h int) []string {
	d.border(st, p, e, w, h)
	out := make([]string, 0, h)
	out = append(out, d.top)
	side := p.Border.Text("│")
	if e.Focus {
		side = p.BorderFocus.Text("│")
	}
	for i := 0; i < h-2 && i < len(body); i++ {
		out = append(out, side+" "+body[i]+" "+side)
	}
	if len(out) < h {
		out = append(out, d.bottom)
	}
	for len(out) < h {
		out = append(out, widgets.Fit("", w, 1))
	}
	return out
}

func (d *Draft) border(st *themes.Styles, p *pens.Pens, e Edge, w, h int) {
	if d.top != "" && d.edge == e && d.w == w && d.h == h && d.st == st {
		return
	}
	box := strings.Split(widgets.BoxFooter(st, e.Title, p.Faint.Text(e.Right), p.Faint.Text(e.Footer), "", w, max(h, 2), e.Focus), "\n")
	*d = Draft{edge: e, w: w, h: h, st: st, top: box[0], bottom: box[len(box)-1]}
}
