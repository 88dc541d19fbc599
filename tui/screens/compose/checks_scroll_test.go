package compose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

// manyChecks is a form with more findings than there is room for.
func manyChecks(t *testing.T) *bench {
	b := start(t, 120, 20)
	b.Type("a kite")
	b.m.sheet.Chosen[client.Video] = sheet.Choice{Model: "famK-3.0", Mode: "reference_material"}
	b.m.doc.Refresh()
	require.True(t, b.m.sheet.Form.Focus("images"))
	for _, p := range pictures(t, t.TempDir(), "1.png", "2.png", "3.png", "4.png", "5.png", "6.png", "7.png", "8.png", "9.png", "10.png") {
		b.Paste(p)
	}
	b.Key("tab")
	require.Len(t, b.m.sheet.Draft.Values["images"], 10)
	return b
}

func TestChecksAreScrolled(t *testing.T) {
	b := manyChecks(t)
	assert.Contains(t, b.View(), "✓ nothing blocks")
	assert.Contains(t, b.View(), "more lines · alt+pgdown")
	assert.NotContains(t, b.View(), "Images ⑤: 5.png")
	b.Key("alt+pgdown", "alt+pgdown")
	assert.Contains(t, b.View(), "Images ⑤: 5.png, 62 B as data URI")
	assert.NotContains(t, b.View(), "nothing blocks")
	assert.Contains(t, b.View(), "lines above · alt+pgup")
	b.Key("alt+pgup", "alt+pgup")
	assert.Contains(t, b.View(), "nothing blocks")
	top := b.m.sheet.Form.Above()
	b.Send(screen.WheelMsg{Zone: sheet.ZoneCheck + "0", Delta: 20})
	assert.Contains(t, b.View(), "Images ⑤: 5.png")
	assert.Equal(t, top, b.m.sheet.Form.Above(), "the form stays")
}

func TestTheFindingThatIsGoneToShows(t *testing.T) {
	b := manyChecks(t)
	b.View()
	for range len(b.m.sheet.Problems) {
		b.Key("alt+!")
		i := b.m.sheet.LastProblem()
		require.NotEqual(t, -1, i)
		assert.Contains(t, b.View(), b.m.sheet.Problems[i].Message[:len("images ①:")])
	}
}

func TestAFurtherFileIsALineOfItsOwn(t *testing.T) {
	b := manyChecks(t)
	lines := 0
	b.m.doc.Side.Checks.Set(b.m.sheet.CheckItems("", ""), 48)
	for _, l := range b.m.doc.Side.Checks.Shown(b.m.doc.Side.Checks.Len(), "", "") {
		if strings.TrimSpace(l) != "" {
			lines++
		}
	}
	assert.LessOrEqual(t, lines, 10, "the files, and what is said of the first")
}
