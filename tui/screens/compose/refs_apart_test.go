package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
	"darkroom/tui/screens/compose/internal/findings"
)

// listBench is a form whose list of references has the focus.
func listBench(t *testing.T) *bench {
	b := start(t, 120, 40)
	b.pick("famH-2.3")
	b.Click("compose/mode/o1")
	require.Equal(t, "i2v", b.m.sheet.Draft.Mode)
	require.True(t, b.m.sheet.Form.Focus("images"))
	return b
}

func TestPastedReferencesAreItemsOfTheirOwn(t *testing.T) {
	b := listBench(t)
	b.Paste("https://e.com/1.png")
	b.Paste("https://e.com/2.png\n")
	b.Paste("/no/such/path.xyz")
	b.Paste("data:image/png;base64,AAAA")
	assert.Equal(t, []any{"https://e.com/1.png", "https://e.com/2.png", "/no/such/path.xyz", "data:image/png;base64,AAAA"}, b.m.sheet.Draft.Values["images"])
	b.Key("ctrl+home")
	b.Paste("https://e.com/0.png")
	assert.Equal(t, "https://e.com/0.png", b.m.sheet.Draft.Values.Strings("images")[0], "in front of an item too")
	assert.Equal(t, "https://e.com/1.png", b.m.sheet.Draft.Values.Strings("images")[1])
	b.Key("ctrl+_")
	assert.Len(t, b.m.sheet.Draft.Values.Strings("images"), 4, "a paste is one step")
}

func TestWhatIsPastedWithinAnItemIsAPartOfIt(t *testing.T) {
	b := listBench(t)
	b.Type("https://e.com/.png")
	b.Key("left", "left", "left", "left")
	b.Paste("/pictures/1")
	assert.Equal(t, []any{"https://e.com//pictures/1.png"}, b.m.sheet.Draft.Values["images"])
	b.Key("end", "ctrl+w", "ctrl+w")
	b.Paste("kite.png")
	assert.Len(t, b.m.sheet.Draft.Values["images"], 1, "a name alone goes on with the item")
}

func TestTwoReferencesInOneItemAreWarnedOf(t *testing.T) {
	b := listBench(t)
	b.Type("https://e.com/1.pnghttps://e.com/2.png")
	assert.True(t, findings.Has(b.m.sheet.Problems, "images", catalog.Warn))
	assert.Contains(t, b.View(), "Images: item 1 holds :// twice")
}
