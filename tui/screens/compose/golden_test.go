package compose

import (
	"fmt"
	"testing"

	"darkroom/client"
	"darkroom/tui/screen"
)

// filledBench is a form with something of everything in it.
func filledBench(t *testing.T, w, h int) *bench {
	b := start(t, w, h)
	b.Send(screen.ComposeDraft{Draft: client.Draft{
		Modality: client.Video, Model: "famI-omni", Mode: "r2v",
		Prompt: "a red kite over a salt flat at dawn 🪁, 塩の平原, מישור המלח",
		Values: client.Values{
			"reference_images": []any{"https://example.org/kite.png", "file:///pictures/flat.jpg"},
			"duration":         "5", "aspect_ratio": "16:9", "cfg_scale": "0.5",
		},
	}})
	return b
}

func TestGoldens(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		name := fmt.Sprintf("%dx%d", s[0], s[1])
		t.Run(name, func(t *testing.T) {
			start(t, s[0], s[1]).Golden("empty-" + name)
			b := filledBench(t, s[0], s[1])
			b.Golden("filled-" + name)
			b.Key("f3")
			b.Golden("curl-" + name)
			b.Key("ctrl+g")
			b.Type("famd")
			b.Golden("picker-" + name)
		})
	}
}

func sized(s [2]int) string { return fmt.Sprintf("%dx%d", s[0], s[1]) }
