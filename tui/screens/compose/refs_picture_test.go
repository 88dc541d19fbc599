package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// Whoever makes the window larger sees the file under the cursor at once.
func TestAPreviewThatHasRoomNow(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	pictures(t, dir, "a.png")
	m, j, d := newModel(t)
	m.deps.Previews = preview.New(preview.Options{})
	b := &bench{Driver: tuitest.NewScreen(t, m, 80, 24), m: m, jobs: j, drafts: d}
	b.Key("alt+o")
	require.Contains(t, b.View(), "a.png")
	assert.Contains(t, b.View(), "esc back")
	b.Resize(120, 34)
	b.Send(screen.TickMsg{}) // which the shell sends after a new size
	assert.NotContains(t, b.View(), "no file under the cursor")
}
