package library

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/cmd/config"
)

func newShelf(t *testing.T, key string) (Shelf, string) {
	t.Helper()
	dir := t.TempDir()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	f, err := config.NewFolders(config.Paths{Config: filepath.Join(dir, "config", "config.yaml")}, filepath.Join(dir, "work"))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "work", ".darkroom", "wildcards"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "work", ".darkroom", "wildcards", "colour.txt"), []byte("red\n"), 0o600))
	env := func(name string) string {
		if name == config.EnvKey {
			return key
		}
		return ""
	}
	return Shelf{f, c, config.Secrets{Env: env}, config.Profile{Name: "p"}}, dir
}

func TestShelf(t *testing.T) {
	s, dir := newShelf(t, "sk-0123456789")
	w, done, err := s.Wildcards()
	require.NoError(t, err)
	text, err := fs.ReadFile(w, "colour.txt")
	require.NoError(t, err)
	require.Equal(t, "red\n", string(text))
	done()

	p := expand.Preset{Name: "kites", Expand: expand.Every, Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: "a {red|blue} kite"}}
	path, err := s.Save(p, false, false)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "config", "presets", "kites.yaml"), path)
	_, err = s.Save(p, false, false)
	require.ErrorIs(t, err, expand.ErrPresetExists)
	require.ErrorContains(t, err, path)
	_, err = s.Save(p, false, true)
	require.NoError(t, err)
	p.Draft.Prompt = "my sk-0123456789"
	_, err = s.Save(p, true, false)
	require.ErrorContains(t, err, "the key of the gateway is in it")

	all, err := s.Presets(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, path, all[0].Path)
	d, err := s.Draft(all[0], client.Video)
	require.NoError(t, err)
	require.Equal(t, "a {red|blue} kite", d.Prompt)
	_, err = s.Draft(all[0], client.Music)
	require.ErrorContains(t, err, "is for video, not for music")
	_, err = s.Remove("kites", true)
	require.Error(t, err)
	gone, err := s.Remove("kites", false)
	require.NoError(t, err)
	require.Equal(t, path, gone)
}
