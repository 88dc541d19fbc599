package app

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/config"
)

// TestInstallationIsMadeOnce: however many processes come at once, all have the same one, and
// nobody else may read it.
func TestInstallationIsMadeOnce(t *testing.T) {
	t.Parallel()
	p := config.Paths{Identity: filepath.Join(t.TempDir(), "state", "installation")}
	none, err := readInstallation(p)
	require.NoError(t, err)
	require.Nil(t, none)
	texts := make([]string, 8)
	var all sync.WaitGroup
	for n := range texts {
		all.Go(func() {
			i, err := OpenInstallation(p)
			if assert.NoError(t, err) {
				texts[n] = i.String()
			}
		})
	}
	all.Wait()
	for _, text := range texts {
		assert.Equal(t, texts[0], text)
	}
	read, err := readInstallation(p)
	require.NoError(t, err)
	assert.Equal(t, texts[0], read.String())
	info, err := os.Stat(p.Identity)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestInstallationThatCannotBeKept(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	damaged := config.Paths{Identity: filepath.Join(folder, "installation")}
	require.NoError(t, os.WriteFile(damaged.Identity, []byte("x"), 0o600))
	_, err := OpenInstallation(damaged)
	require.ErrorContains(t, err, "move it away")
	b, err := os.ReadFile(damaged.Identity)
	require.NoError(t, err)
	assert.Equal(t, "x", string(b), "it is never written over")

	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o400))
	i, err := OpenInstallation(config.Paths{Identity: filepath.Join(file, "below")})
	require.Error(t, err)
	assert.Nil(t, i)
}
