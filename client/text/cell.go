package text

import "strings"

// Cell keeps a spreadsheet from taking a text for a formula: it cleans it to one line, and puts an
// apostrophe before one that begins like a formula. Numbers stay as they are.
func Cell(s string) string {
	s = CleanLine(s)
	t := strings.TrimLeft(s, " ")
	if t == "" || !strings.ContainsRune("=+-@|%", rune(t[0])) || strings.Trim(t[1:], "0123456789.") == "" && t[0] == '-' && len(t) > 1 {
		return s
	}
	return "'" + s
}
