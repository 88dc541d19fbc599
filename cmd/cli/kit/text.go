package kit

import (
	"fmt"

	"darkroom/client"
)

// FirstLine is a text in one line of at most n characters.
func FirstLine(s string, n int) string {
	r := []rune(client.CleanLine(s))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}

// Count is a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ShownRef is a reference as people read it.
func ShownRef(ref string) string {
	if p, ok := client.FilePath(ref); ok {
		return p
	}
	return ref
}
