package compose

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/media"
	"darkroom/tui/widgets"
)

// maxPath is how much of a path stands in a finding, in cells.
const maxPath = 48

// pathOf is the path that a value named by a finding stands for. Its end shows in any
// case, since that is where the file's name is.
func (m *sheet) pathOf(field, shown string) (string, bool) {
	head := strings.TrimSuffix(shown, widgets.Ellipsis)
	if media.Scheme(head) != "file" {
		return "", false
	}
	for line := range m.references(field) {
		p, ok := client.FilePath(line)
		if !ok || line != shown && (head == shown || !strings.HasPrefix(line, head)) {
			continue
		}
		p = client.CleanLine(p)
		if n := widgets.Width(p); n > maxPath {
			p = widgets.Ellipsis + ansi.TruncateLeft(p, n-maxPath+1, "")
		}
		return p, true
	}
	return "", false
}
