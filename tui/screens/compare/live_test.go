package compare

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
)

func (b *bench) gateway() *gateway { return b.m.deps.Gateway.(*gateway) }

// TestAModelThatOnlyTheGatewayListsIsCompared as Compose sends it: as it is, with a warning.
func TestAModelThatOnlyTheGatewayListsIsCompared(t *testing.T) {
	b := start(t, 160, 50)
	b.gateway().listed = []client.RemoteModel{{ID: "nova-9"}, {ID: "famA3"}, {ID: "famL"}, {ID: "evil\u202e"}}
	assert.Zero(t, b.gateway().asked, "nobody chooses a model yet")
	d := aDraft()
	d.Values["zz_own"] = "1"
	d.Values[client.FieldExternalTaskID] = "mine"
	b.Send(screen.CompareDraft{Draft: d})
	assert.Equal(t, 1, b.gateway().asked)
	n := len(b.m.deps.Catalog.Models(client.Video))
	require.Len(t, b.m.plan.Candidates, n+1, "famA3 is known, famL makes pictures, and one cannot be named")
	c := b.of(t, "nova-9")
	assert.Empty(t, c.Block)
	assert.Equal(t, "videos", c.Format)
	require.NotEmpty(t, c.Warns)
	assert.Contains(t, c.Warns[0], "nothing is known of it")
	assert.Equal(t, "famI-omni", b.m.plan.Candidates[b.m.table.Cursor()].Model.ID, "the cursor stays")
	b.m.point("nova-9")
	b.m.layout()
	words := strings.Join(strings.Fields(b.View()), " ")
	assert.Contains(t, words, "◇ nova-9")
	assert.Contains(t, words, "1 not in the catalog")
	assert.Contains(t, words, "offered by the gateway, not in the catalog")

	b.Key("a")
	assert.False(t, b.m.plan.Chosen["nova-9"], "of all nobody means one of an unknown kind")
	b.Key("a")
	clear(b.m.plan.Chosen)
	b.choose("nova-9", "famI-omni")
	b.Key("ctrl+s")
	require.Len(t, b.e.got, 1)
	var sent jobs.Submission
	for _, s := range b.e.got[0] {
		if s.Draft.Model == "nova-9" {
			sent = s
		}
	}
	assert.Equal(t, "videos", sent.Format)
	assert.Equal(t, "t2v", sent.Draft.Mode)
	assert.Equal(t, client.Values{"duration": "6", "resolution": "480P", "aspect_ratio": "16:9", "zz_own": "1"}, sent.Draft.Values)

	b.Send(screen.CompareDraft{Draft: aDraft(), Format: "content"})
	assert.Equal(t, "content", b.of(t, "nova-9").Format, "any format of the kind can be tried")
	assert.Equal(t, 1, b.gateway().asked)
}

// TestTheDraftsOwnUnknownModelIsIn whatever the lists say.
func TestTheDraftsOwnUnknownModelIsIn(t *testing.T) {
	b := start(t, 120, 34)
	b.gateway().err = errors.New("no lists here")
	d := aDraft()
	d.Model, d.ModelName = "nova-9", "nova-9-fast"
	b.Send(screen.CompareDraft{Draft: d, Format: "content"})
	c := b.of(t, "nova-9")
	assert.Equal(t, "nova-9-fast", c.Draft.ModelName)
	assert.Equal(t, "nova-9", b.m.plan.Candidates[b.m.table.Cursor()].Model.ID)
	assert.NotContains(t, b.View(), "◇", "no list has it")
	assert.Len(t, b.m.plan.In(), 1)
	b.Key("tab", "tab", "tab", "tab")
	assert.Equal(t, 1, b.gateway().asked, "what failed is asked again with the next draft")
	b.gateway().err, b.gateway().listed = nil, []client.RemoteModel{{ID: "nova-9"}}
	b.Send(screen.CompareDraft{Draft: d})
	assert.Equal(t, 2, b.gateway().asked)
	assert.Contains(t, b.View(), "◇ nova-9")
	b.m.setKind(client.Image)
	assert.True(t, b.of(t, "nova-9").Tried, "its kind is not told")
	assert.Empty(t, b.m.plan.In())
}
