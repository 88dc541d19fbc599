package kit

import (
	"darkroom/client"
	"darkroom/client/text"
)

// FirstLine is text on one line, at most n characters long.
func FirstLine(s string, n int) string { return text.Clip(client.CleanLine(s), n) }

// ShownRef is a reference as people read it.
func ShownRef(ref string) string {
	if p, ok := client.FilePath(ref); ok {
		return p
	}
	return ref
}
