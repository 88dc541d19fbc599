package paint

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// printable removes sequences and control characters from a line of text.
func printable(s string) string {
	return strings.ReplaceAll(cleaned(s), "\n", " ")
}

// cleaned removes sequences and control characters from text, except for line ends and tabs. What
// it returns can be written to a terminal.
func cleaned(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.Map(func(r rune) rune {
		if isControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, ansi.Strip(s))
}
