// Package checks is the list of findings beside the form: each takes a few lines and can be
// clicked, and the list scrolls where it is too long.
package checks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/screens/compose/internal/pens"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/zone"
)

// Zone is the zone of the lines that cannot be clicked.
const Zone = "compose-checks"

// maxLines is how many lines a finding takes.
const maxLines = 4

// Item is a finding. One that can be clicked has a zone, whose name ends in a number.
type Item struct {
	Mark   form.Mark
	Text   string
	Zone   string // "" for one that cannot be pressed
	Number int
}

// List shows findings in a window. The zero value has none; give it styles first.
type List struct {
	pens   pens.Pens
	items  []Item
	w      int
	lines  []string
	starts []int // the line at which each item begins
	top    int   // the first line that shows
	room   int   // how many lines there are
}

// SetStyles implements the screen's method of this name.
func (l *List) SetStyles(st *themes.Styles) {
	l.pens = pens.New(st)
	l.layout()
}

// Set shows other items in lines of w cells, from the first on; false when they have not changed.
func (l *List) Set(items []Item, w int) bool {
	if w == l.w && slices.Equal(items, l.items) {
		return false
	}
	l.items, l.w, l.top = items, w, 0
	l.layout()
	return true
}

func (l *List) layout() {
	l.lines, l.starts = nil, make([]int, len(l.items))
	if l.w <= 0 {
		return
	}
	for i := range l.items {
		it := &l.items[i]
		l.starts[i] = len(l.lines)
		for j, s := range widgets.WrapLines(client.CleanLine(it.Text), max(4, l.w-2), maxLines) {
			lead := "  "
			if j == 0 {
				lead = l.pens.Marks[it.Mark].Text(pens.Signs[it.Mark]) + " "
			}
			s = lead + l.pens.Text.Text(s)
			if it.Zone != "" {
				s = zone.Mark(it.Zone+strconv.Itoa(it.Number), s)
			}
			l.lines = append(l.lines, s)
		}
	}
}

// Len is how many lines there are.
func (l *List) Len() int { return len(l.lines) }

// Top is the first line that shows.
func (l *List) Top() int { return l.top }

// Shown are the n lines that show; where there are more, the last one tells how many are above and
// below, and the key that scrolls.
func (l *List) Shown(n int, down, up string) []string {
	l.room = n
	l.scrollTo(l.top)
	part := l.lines
	if len(l.lines) > n {
		end := l.top + n - 1
		said, key := fmt.Sprintf("… %d more lines", len(l.lines)-end), down
		switch {
		case end >= len(l.lines):
			said, key = fmt.Sprintf("… %d lines above", l.top), up
		case l.top > 0:
			said += fmt.Sprintf(", %d above", l.top)
		}
		said = strings.TrimSuffix(said+" · "+key, " · ")
		part = append(slices.Clone(l.lines[l.top:end]), l.pens.Faint.Text(said))
	}
	out := make([]string, n)
	for i := range out {
		if i < len(part) {
			out[i] = part[i]
		}
		out[i] = zone.Mark(Zone, widgets.Line(out[i], l.w))
	}
	return out
}

// Scroll moves the window by lines.
func (l *List) Scroll(by int) { l.scrollTo(l.top + by) }

// scrollTo scrolls to a line, or to the nearest one possible.
func (l *List) scrollTo(top int) {
	most := 0
	if len(l.lines) > l.room {
		most = len(l.lines) - l.room + 1
	}
	l.top = max(0, min(top, most))
}

// Page is how many lines a key scrolls.
func (l *List) Page() int { return max(1, l.room-2) }

// Reveal scrolls to the item of a zone and number.
func (l *List) Reveal(in string, number int) {
	i := slices.IndexFunc(l.items, func(it Item) bool { return it.Zone == in && it.Number == number })
	if i < 0 {
		return
	}
	if at := l.starts[i]; at < l.top || at >= l.top+l.room-1 {
		l.scrollTo(at)
	}
}
