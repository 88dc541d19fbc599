package widgets

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// hangSign marks the continuation of a line.
const hangSign = "↳ "

// Hang breaks a line that is wider than w cells as [Wrap] does. The continuation stands below,
// behind a sign in the given ink, so that it does not read as a line of its own.
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
