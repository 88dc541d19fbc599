package compose

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/tuitest"
)

// A model that the catalog does not know is no dead end: the form says so, shows the formats of
// the kind, and sends what it is told.
func TestAModelThatIsNotKnownIsSent(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "unknown-model-9", Prompt: "a kite", Mode: "slow"}})
	view := b.View()
	for _, want := range []string{"Format", "not in the catalog", "nothing is known of it", "catalog.yaml", "slow", "POST /"} {
		assert.Contains(t, view, want)
	}
	assert.False(t, findings.Has(b.m.sheet.Problems, client.FieldModel, catalog.Block))
	require.Contains(t, b.m.sheet.Ways, "content")
	b.chooseFormat("content")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	s := b.jobs.got[0][0]
	assert.Equal(t, "unknown-model-9", s.Draft.Model)
	assert.Equal(t, "content", s.Format)
	assert.Equal(t, "slow", s.Draft.Mode)

	b.Key("alt+s") // several go the same way
	assert.Contains(t, b.View(), "Submit 4 jobs")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 2)
	assert.Equal(t, "content", b.jobs.got[1][3].Format)
}

func TestAModelOfAnotherKindIsStillRefused(t *testing.T) {
	b := start(t, 120, 34)
	other := b.m.deps.Catalog.Default(client.Image).Model
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: other, Prompt: "a kite"}})
	assert.True(t, findings.Has(b.m.sheet.Problems, client.FieldModel, catalog.Block))
	assert.Empty(t, b.m.sheet.Ways)
}

func TestALiveModelIsTaken(t *testing.T) {
	m, j, d := newModel(t)
	deps := m.deps
	deps.Gateway = gateway{catalog: deps.Catalog, names: []string{"videos", "content"}, listed: []client.RemoteModel{{ID: "live-only"}}}
	m = New(deps)
	m.doc.Saver.Later = func() tea.Cmd { return nil }
	b := &bench{Driver: tuitest.NewScreen(t, m, 120, 34), m: m, jobs: j, drafts: d}
	b.Key("ctrl+g")
	b.Type("live-only")
	assert.Contains(t, b.View(), "enter takes it for video")
	b.Key("enter")
	assert.Equal(t, "live-only", m.sheet.Draft.Model)
	assert.Equal(t, "videos", m.sheet.Effective().Format)
}
