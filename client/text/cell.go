package text

import (
	"strings"
	"unicode/utf8"
)

// Cell keeps a spreadsheet from taking a text for a formula: it cleans it to one line, and puts an
// apostrophe before one that begins like a formula, in full width, too. Numbers stay as they are.
func Cell(s string) string {
	s = CleanLine(s)
	t := strings.TrimLeft(s, " \u3000")
	first, _ := utf8.DecodeRuneInString(t)
	if t == "" || !strings.ContainsRune("=+-@|%＝＋－＠｜％", first) || strings.Trim(t[1:], "0123456789.") == "" && t[0] == '-' && len(t) > 1 {
		return s
	}
	return "'" + s
}
