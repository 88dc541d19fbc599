package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

func TestAKeyGoesToWhatIsWrong(t *testing.T) {
	b := start(t, 80, 24)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famG-h3", Mode: "t2v", Prompt: "a kite",
		Values: client.Values{"duration": "99", "fps": "none", "seed": "x"}}})
	b.Key("f2") // only the request shows
	require.True(t, b.m.doc.Side.Alone())
	seen := map[string]bool{}
	for range 3 {
		b.Key("alt+!")
		seen[b.m.sheet.Form.Focused()] = true
		assert.False(t, b.m.doc.Side.Alone(), "the form shows what is wrong with it")
	}
	assert.Equal(t, map[string]bool{"duration": true, "fps": true, "seed": true}, seen)
	first := b.m.sheet.Form.Focused()
	b.Key("alt+!")
	assert.NotEqual(t, first, b.m.sheet.Form.Focused(), "around the end")

	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a kite",
		Values: client.Values{"duration": "5"}}})
	b.Key("alt+!")
	assert.Equal(t, "duration", b.m.sheet.Form.Focused(), "a mapping is worth a look where nothing is wrong")
	assert.Contains(t, b.View(), "which one is not documented")
	b.Type("6")
	b.Send(screen.ActionMsg{ID: "compose.next-check"})
	assert.Contains(t, toast(t, b).Text, "nothing is wrong")
}

// TestWhatAFormatDoesNotCarry is kept, struck out, told, and sent by another format.
func TestWhatAFormatDoesNotCarry(t *testing.T) {
	b := start(t, 120, 40)
	b.Send(screen.ComposeDraft{Format: "videos", Draft: client.Draft{Modality: client.Video, Model: "famG-h3", Mode: "t2v", Prompt: "a kite",
		Values: client.Values{"seed": "7"}}})
	require.Contains(t, b.m.sheet.Draft.Values, "seed")
	b.Click("compose/#format/o1")
	require.Equal(t, "content", b.m.sheet.Effective().Format)
	assert.NotContains(t, b.m.sheet.Draft.Values, "seed")
	assert.Contains(t, b.View(), "not carried by format content")
	assert.Contains(t, b.View(), "Seed is kept and not sent")
	b.Key("alt+!")
	assert.Equal(t, sheet.RowFormat, b.m.sheet.Form.Focused(), "the format is what is in its way")
	b.Key("f4")
	assert.Contains(t, b.View(), `"seed": 7`, "side by side, the other format has it")
	b.Key("f8")
	var open screen.OpenMsg
	for _, msg := range b.Sent {
		if o, ok := msg.(screen.OpenMsg); ok {
			open = o
		}
	}
	got, ok := open.Payload.(screen.CompareDraft)
	require.True(t, ok)
	assert.Equal(t, "content", got.Format, "Compare gets the format that was chosen")
	assert.Contains(t, got.Draft.Values, "seed")
	b.Click("compose/#format/o0")
	assert.Equal(t, "7", sheet.Text(b.m.sheet.Draft.Values["seed"]), "and it comes back")
}
