package compose

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/autosave"
	"darkroom/tui/tuitest"
)

// again is the screen after a new start, with what was kept on the disk.
func (b *bench) again(t *testing.T) *bench {
	t.Helper()
	m, j, _ := newModel(t, keeping(b.drafts))
	return &bench{Driver: tuitest.NewScreen(t, m, 120, 34), m: m, jobs: j, drafts: b.drafts}
}

// Whoever made music makes music after the next start, however the last one ended.
func TestTheKindComesBack(t *testing.T) {
	b := start(t, 120, 34)
	b.Type("a slow song")
	b.turnTo(client.Image)
	b.turnTo(client.Music)
	b.Send(autosave.TickMsg{}) // what is on the disk when the process is killed right after
	b = b.again(t)
	require.Equal(t, client.Music, b.m.sheet.Modality)
	assert.Equal(t, "a slow song", b.m.sheet.Draft.Prompt)
	assert.Equal(t, client.Music, b.m.sheet.Draft.Modality, "what is submitted")
	assert.Empty(t, b.m.Unsaved(), "what was read is saved")

	b.turnTo(client.Video)
	require.NoError(t, b.m.Flush())
	b = b.again(t)
	require.Equal(t, client.Video, b.m.sheet.Modality, "the newest, not the last of the list")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Speech, Prompt: "hello"}})
	require.NoError(t, b.m.Flush())
	assert.Equal(t, client.Speech, b.again(t).m.sheet.Modality, "also one that was filled in")
}

func TestTheKindThatWasChosenMeanwhileStays(t *testing.T) {
	b := start(t, 120, 34)
	b.turnTo(client.Music)
	require.NoError(t, b.m.Flush())
	m, _, _ := newModel(t, keeping(b.drafts))
	m.SetSize(120, 34)
	_, _ = m.Update(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "from elsewhere"}})
	drain(m, m.Init(), false)
	assert.Equal(t, client.Video, m.sheet.Modality)
	assert.Equal(t, "from elsewhere", m.sheet.Draft.Prompt)

	m, _, _ = newModel(t, keeping(b.drafts))
	m.SetSize(120, 34)
	_, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("typed")})
	require.NoError(t, m.Flush())
	assert.Equal(t, client.Music, m.sheet.Modality, "a prompt is of every kind")
	assert.Equal(t, "typed", m.sheet.Draft.Prompt)
}
