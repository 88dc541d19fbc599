package library

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/kept"
)

func TestLooksAreKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "looks.json")
	l := Looks{path}
	_, ok, err := l.Load()
	require.NoError(t, err)
	assert.False(t, ok)
	require.NoError(t, l.Save(kept.Look{Gallery: true, Cells: 30}))
	require.NoError(t, l.Save(kept.Look{Gallery: true, Cells: 38}))
	look, ok, err := Looks{path}.Load()
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, kept.Look{Gallery: true, Cells: 38}, look)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestLooksThatCanNotBeReadAreLeftAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "looks.json")
	for text, want := range map[string]string{
		`{"version": 9, "queue": {"gallery": true}}`: "is of version 9, and this program knows 1",
		`{`: "move it away to begin anew",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, _, err := Looks{path}.Load()
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, Looks{path}.Save(kept.Look{}), want)
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(b))
	}
}

// Each part of the file is kept by itself.
func TestLooksOfSeveralScreensAreKept(t *testing.T) {
	t.Parallel()
	l := OpenLooks(filepath.Join(t.TempDir(), "looks.json"))
	c := l.Compose()
	require.NoError(t, c.Save(kept.ComposeLook{Request: "open"}))
	_, ok, err := l.Load()
	require.NoError(t, err)
	assert.False(t, ok, "nobody has said how Queue looks")
	require.NoError(t, l.Save(kept.Look{Gallery: true}))
	look, err := c.Load()
	require.NoError(t, err)
	assert.Equal(t, kept.ComposeLook{Request: "open"}, look)
	queue, ok, err := l.Load()
	require.NoError(t, err)
	assert.True(t, ok)
	assert.True(t, queue.Gallery)
}
