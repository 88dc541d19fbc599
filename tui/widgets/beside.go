package widgets

import "strings"

// Beside joins two blocks of the same height whose lines have their exact widths.
func Beside(left, right string) string {
	var b strings.Builder
	b.Grow(len(left) + len(right) + 1)
	for more := true; more; {
		var l, r string
		l, left, more = strings.Cut(left, "\n")
		r, right, _ = strings.Cut(right, "\n")
		b.WriteString(l)
		b.WriteString(r)
		if more {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
