package talk

import (
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
)

// maxTitle bounds titles, in cells.
const maxTitle = 60

// Title is the title of a conversation that begins with a text: the beginning of that text as one
// clean line.
func Title(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 400 {
		text = strings.ToValidUTF8(text[:400], "")
	}
	return widgets.Truncate(strings.Join(strings.Fields(client.CleanLine(text)), " "), maxTitle)
}
