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

// BesideLines is [Beside] for blocks that are lines; one of them may have none.
func BesideLines(left, right []string) string {
	size := 0
	for _, block := range [][]string{left, right} {
		for _, line := range block {
			size += len(line) + 1
		}
	}
	var b strings.Builder
	b.Grow(size)
	for i := range max(len(left), len(right)) {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i < len(left) {
			b.WriteString(left[i])
		}
		if i < len(right) {
			b.WriteString(right[i])
		}
	}
	return b.String()
}
