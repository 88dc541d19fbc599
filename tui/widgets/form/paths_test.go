package form

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/widgets/zone"
)

func shown(f *Form) string {
	plain, _ := zone.Scan(strings.Join(f.Lines(), "\n"))
	return plain
}

func TestFileURLsShowAsPathsUnlessEdited(t *testing.T) {
	f := New("f:", styles(t))
	f.SetSize(44, 12)
	f.SetFields([]Field{
		{ID: "one", Label: "One", Kind: Text, Paths: true},
		{ID: "many", Label: "Many", Kind: List, Paths: true},
		{ID: "raw", Label: "Raw", Kind: Text},
	})
	long := "file:///home/somebody/pictures/of%20the%20flat/" + strings.Repeat("kite-", 5) + "end.png"
	f.SetText("one", "file:///a/my%20kite%1b%0a.png")
	f.SetText("many", "https://example.org/a.png\n"+long+"\nfile:///b/%E5%A1%A9%E5%B9%B3%E5%8E%9F.png\nfile://bad")
	f.SetText("raw", "file:///c.png")
	require.True(t, f.Focus("raw"))
	exact(t, f)
	got := shown(f)
	assert.Contains(t, got, "/a/my kite\uFFFD.png", "and what a terminal would obey does not reach it")
	assert.Contains(t, got, "…")
	assert.Contains(t, got, "kite-end.png", "the name shows in any case")
	assert.Contains(t, got, "/b/塩平原.png")
	assert.Contains(t, got, "file://bad", "what is no path stays")
	assert.Contains(t, got, "file:///c.png", "and so does a field that shows none")
	assert.Equal(t, 4, strings.Count(got, "×"), "one for each item")

	// The sign behind a path takes out that item, although the others wrap.
	at := -1
	for i, l := range f.Lines() {
		if strings.Contains(l, "塩平原") {
			at = i
		}
	}
	_, zones := zone.Scan(strings.Join(f.Lines(), "\n"))
	for _, z := range zones {
		if strings.HasPrefix(z.ID, "f:many/x") && z.Rect.Y == at {
			f.Click(zone.Click{Zone: z.ID})
			break
		}
	}
	assert.Equal(t, "https://example.org/a.png\n"+long+"\nfile://bad", f.Text("many"))
	exact(t, f)
	assert.Contains(t, shown(f), "%20flat", "it is being edited now")
}
