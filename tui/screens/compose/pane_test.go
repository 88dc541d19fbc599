package compose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/screen"
)

// The request can be read to its end at every size: nothing of it is cut.
func TestTheRequestIsWrapped(t *testing.T) {
	for _, key := range []string{"f2", "f3"} {
		for _, size := range [][2]int{{80, 24}, {120, 34}, {200, 60}} {
			b := start(t, size[0], size[1])
			b.Paste("line one\nline two 日本  last " + strings.Repeat("sand and wind, ", 300) + "END")
			b.m.preview.got.shown = "curl 'https://example.org/" + strings.Repeat("long/", 100) + "END'\n" + strings.Repeat("  -H x\n", 60)
			b.Key(key)
			view := b.View()
			assert.NotContains(t, b.m.preview.pane.View(b.m.st), "…", key)
			if key == "f2" {
				assert.Contains(t, view, `line one\nline two 日本`, "line breaks as JSON has them")
			}
			top := b.m.preview.pane.Top()
			b.Send(screen.WheelMsg{Zone: zoneRequest, Delta: 1})
			assert.Greater(t, b.m.preview.pane.Top(), top, "%s %v", key, size)
			seen := ""
			for range 60 {
				seen += b.m.preview.pane.View(b.m.st)
				b.Key("alt+down")
				if b.m.paneOnly() {
					b.Key("pgdown")
				}
			}
			assert.Contains(t, seen, "END", "%s %v", key, size)
		}
	}
}
