package cli

import (
	"fmt"

	"darkroom/client"
)

func firstLine(s string, n int) string {
	r := []rune(client.CleanLine(s))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// shownRef is a reference as people read it.
func shownRef(ref string) string {
	if p, ok := client.FilePath(ref); ok {
		return p
	}
	return ref
}
