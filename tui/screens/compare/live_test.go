package compare

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
)

// TestAModelThatOnlyTheGatewayListsIsCompared as Compose sends it: as it is, with a warning.
func TestAModelThatOnlyTheGatewayListsIsCompared(t *testing.T) {
	x := start(t, 160, 50)
	x.g.listed = []client.RemoteModel{{ID: "nova-9"}, {ID: "famA3"}, {ID: "famL"}, {ID: "evil\u202e"}}
	assert.Zero(t, x.g.asked, "nobody chooses a model yet")
	d := aDraft()
	d.Values[client.FieldExternalTaskID] = "mine"
	x.Send(screen.CompareDraft{Draft: d})
	x.Resize(160, 60)
	assert.Equal(t, 1, x.g.asked)
	assert.True(t, x.at("famI-omni"), "the cursor stays")
	assert.Contains(t, x.flat(), "◇ nova-9")
	assert.Contains(t, x.flat(), "1 not in the catalog", "famA3 is known, famL makes pictures, and one cannot be named")
	x.Key("a")
	assert.NotContains(t, x.View(), "[x]⚠ ◇ nova-9", "of all nobody means one of an unknown kind")
	x.Key("a", "a", "a")
	x.choose(t, "nova-9", "famI-omni")
	assert.Contains(t, x.flat(), "2 in ·")
	assert.Contains(t, x.flat(), "where formats: names one")
	x.Key("f", "f")
	assert.Contains(t, x.flat(), "Formats videos")
	x.Key("ctrl+s")
	require.Len(t, x.b.started, 1)
	for _, c := range x.b.started[0].Cells {
		assert.Empty(t, c.Cannot)
		assert.NotContains(t, c.Draft.Values, client.FieldExternalTaskID, "it names one task")
		assert.Equal(t, "t2v", c.Draft.Mode)
	}
	assert.Equal(t, 1, x.g.asked)
}

// TestTheDraftsOwnUnknownModelIsIn whatever the lists say.
func TestTheDraftsOwnUnknownModelIsIn(t *testing.T) {
	x := start(t, 120, 34)
	x.g.err = errors.New("no lists here")
	d := aDraft()
	d.Model, d.ModelName = "nova-9", "nova-9-fast"
	x.Send(screen.CompareDraft{Draft: d, Format: "content"})
	assert.True(t, x.at("nova-9"))
	assert.NotContains(t, x.View(), "◇", "no list has it")
	assert.Contains(t, x.flat(), "─ 1 in")
	x.Key("tab", "tab", "tab")
	assert.Equal(t, 1, x.g.asked, "what failed is asked again with the next draft")
	x.g.err, x.g.listed = nil, []client.RemoteModel{{ID: "nova-9"}}
	x.Send(screen.CompareDraft{Draft: d})
	assert.Equal(t, 2, x.g.asked)
	assert.Contains(t, x.View(), "◇ nova-9")
	x.Click("kind:image")
	assert.Contains(t, x.flat(), "─ 0 in", "its kind is not told")
}
