package widgets

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// hangSign begins what a line goes on with.
const hangSign = "↳ "

// Hang breaks a line that is wider than w cells as [Wrap] does. What it goes on with stands
// under its beginning, behind a sign of the given ink, so that it is no line of its own.
func Hang(line string, w int, ink Ink) []string {
	if w <= 0 || Width(line) <= w {
		return []string{line}
	}
	text := strings.TrimLeft(line, " ")
	lead := min(len(line)-len(text), max(0, w/2))
	room := w - lead - ansi.StringWidth(hangSign)
	if room < 4 {
		return strings.Split(Wrap(line, w), "\n")
	}
	out := strings.Split(Wrap(text, room), "\n")
	for i, l := range out {
		if i == 0 {
			out[i] = blanks(lead) + l
		} else {
			out[i] = blanks(lead) + ink.Text(hangSign) + l
		}
	}
	return out
}
