package compose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/tuitest"
)

// The request can be read to its end at every size: nothing of it is cut.
func TestTheRequestIsWrapped(t *testing.T) {
	for _, key := range []string{"f2", "f3"} {
		for _, size := range [][2]int{{80, 24}, {120, 34}, {200, 60}} {
			m, _, _ := newModel(t, func(d *Deps) { d.Gateway = longCurl{d.Gateway} })
			b := &bench{Driver: tuitest.NewScreen(t, m, size[0], size[1]), m: m}
			b.Paste("line one\nline two 日本  last " + strings.Repeat("sand and wind, ", 300) + "END")
			b.Key(key)
			view := b.View()
			assert.NotContains(t, b.m.doc.Side.Request.View(), "…", key)
			if key == "f2" {
				assert.Contains(t, view, `line one\nline two 日本`, "line breaks as JSON has them")
			}
			top := b.m.doc.Side.Request.Top()
			b.Send(screen.WheelMsg{Zone: request.Zone, Delta: 1})
			assert.Greater(t, b.m.doc.Side.Request.Top(), top, "%s %v", key, size)
			seen := ""
			for range 60 {
				seen += b.m.doc.Side.Request.View()
				b.Key("alt+down")
				if b.m.doc.Side.Alone() {
					b.Key("pgdown")
				}
			}
			assert.Contains(t, seen, "END", "%s %v", key, size)
		}
	}
}

// longCurl has a command of many lines, one of them long.
type longCurl struct{ Gateway }

func (longCurl) Curl(client.Draft, string) (string, error) {
	return "curl 'https://example.org/" + strings.Repeat("long/", 100) + "END'\n" + strings.Repeat("  -H x\n", 60), nil
}
