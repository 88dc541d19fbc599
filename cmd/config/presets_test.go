package config

import (
	"context"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
)

// shelf is a machine with a person's own folder and a project.
func shelf(t *testing.T) (Folders, *catalog.Catalog, func(path, text string) string) {
	t.Helper()
	dir := t.TempDir()
	f, err := NewFolders(Paths{Config: filepath.Join(dir, "config", "config.yaml")}, filepath.Join(dir, "work"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "work"), 0o700))
	c, err := catalog.Embedded()
	require.NoError(t, err)
	return f, c, func(path, text string) string {
		path = filepath.Join(dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
}

func TestPresetsOfTwoFolders(t *testing.T) {
	t.Parallel()
	f, c, file := shelf(t)
	all, err := f.Presets(t.Context(), c)
	require.NoError(t, err)
	require.Empty(t, all, "no folder is no mistake")
	_, err = f.Preset("x", c)
	require.ErrorIs(t, err, ErrNoPreset)

	own := file("config/presets/both.yaml", "model: own")
	file("config/presets/mine.yaml", "model: mine")
	file("work/.darkroom/presets/both.yaml", "model: project")
	file("work/.darkroom/presets/bad.yaml", "model: a\nmodell: b")
	file("work/.darkroom/presets/.hidden.yaml", "model: a")
	file("work/.darkroom/presets/notes.txt", "x")
	all, err = f.Presets(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, "bad", all[0].Name)
	require.ErrorContains(t, all[0].Err, "bad.yaml:2:1: unknown key")
	require.Equal(t, "project", all[1].Draft.Model, "the project's wins by name")
	require.True(t, all[1].Project)
	require.Equal(t, own, all[1].Hides)
	require.False(t, all[2].Project)

	p, err := f.Preset("both", c)
	require.NoError(t, err)
	require.Equal(t, own, p.Hides)
	require.Equal(t, "project", p.Draft.Model)
	_, err = f.Preset("bad", c)
	require.ErrorContains(t, err, "bad.yaml:2:1")
	for _, name := range []string{"", "../both", "a/b", ".x", "a b", "x\x1b", strings.Repeat("x", 61)} {
		_, err := f.Preset(name, c)
		require.ErrorContains(t, err, "letters, digits", "%q", name)
		require.NotContains(t, err.Error(), "\x1b")
	}
}

func TestPresetIsSaved(t *testing.T) {
	t.Parallel()
	f, c, file := shelf(t)
	outside := file("pictures/kite.png", "png")
	p := expand.Preset{Name: "kite", Draft: client.Draft{Modality: client.Video, Prompt: "a {red|blue} kite", Values: client.Values{"image": client.FileURL(outside), "seed": json.Number("7")}}}
	path, err := f.SavePreset(p, false, false, c)
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing is left over")

	got, err := f.Preset("kite", c)
	require.NoError(t, err)
	d, err := f.Draft(got, client.Video, c)
	require.NoError(t, err)
	require.Equal(t, p.Draft, d)

	_, err = f.SavePreset(p, false, false, c)
	require.ErrorIs(t, err, expand.ErrPresetExists)
	p.Draft.Prompt = "another"
	_, err = f.SavePreset(p, false, true, c)
	require.NoError(t, err)

	// For the project, files of its folder only, as relative paths.
	_, err = f.SavePreset(p, true, false, c)
	require.ErrorContains(t, err, "put a copy there")
	inside := file("work/.darkroom/presets/img/kite.png", "png")
	p.Draft.Values["image"] = client.FileURL(inside)
	path, err = f.SavePreset(p, true, false, c)
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), `image: "img/kite.png"`)
	got, err = f.Preset("kite", c)
	require.NoError(t, err)
	d, err = f.Draft(got, client.Video, c)
	require.NoError(t, err)
	require.Equal(t, client.FileURL(inside), d.Values["image"])

	p.Draft.Prompt = "my key is abcdefgh1234"
	_, err = f.SavePreset(p, true, true, c, "abcdefgh1234")
	require.ErrorContains(t, err, "the key of the gateway is in it")
	require.NotContains(t, err.Error(), "abcdefgh1234")

	_, err = f.RemovePreset("kite", true)
	require.NoError(t, err)
	got, err = f.Preset("kite", c)
	require.NoError(t, err)
	require.False(t, got.Project, "the person's own is there again")
	_, err = f.RemovePreset("kite", true)
	require.ErrorIs(t, err, ErrNoPreset)
	_, err = f.RemovePreset("../kite", false)
	require.ErrorContains(t, err, "letters, digits")
}

// TestHostileProject: a folder that somebody else made shows nothing from outside of it,
// makes nothing wait, and gets nothing written outside of it.
func TestHostileProject(t *testing.T) {
	t.Parallel()
	f, c, file := shelf(t)
	secret := file("secret.png", "the key")
	victim := file("victim.yaml", "untouched")
	presets := filepath.Dir(file("work/.darkroom/presets/huge.yaml", "prompt: "+strings.Repeat("x", expand.MaxPreset)))
	file("work/.darkroom/presets/ctl.yaml", "model: \"\x1b]0;x\x07\"")
	require.NoError(t, os.Symlink(victim, filepath.Join(presets, "link.yaml")))
	require.NoError(t, os.Symlink(secret, filepath.Join(presets, "link.png")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(presets, "pipe.yaml"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(presets, "pipe.png"), 0o600))
	all, err := f.Presets(t.Context(), c)
	require.NoError(t, err)
	says := map[string]string{"huge": "more than 262144 bytes", "ctl": "control character", "link": "escapes", "pipe": "not a file"}
	for _, p := range all {
		require.ErrorContains(t, p.Err, says[p.Name], p.Name)
		require.NotContains(t, p.Err.Error(), "\x1b")
	}
	require.Len(t, all, len(says))

	for _, ref := range []string{"../../../secret.png", secret, "file://" + secret, "FILE://" + secret, "link.png", "pipe.png", "img/../../x", "no.png"} {
		file("work/.darkroom/presets/ref.yaml", "values: {image: \""+ref+"\"}")
		p, err := f.Preset("ref", c)
		require.NoError(t, err)
		_, err = f.Draft(p, client.Video, c)
		require.ErrorContains(t, err, "preset ref: image", ref)
	}

	_, err = f.SavePreset(expand.Preset{Name: "link", Draft: client.Draft{Modality: client.Video, Prompt: "x"}}, true, true, c)
	require.NoError(t, err)
	text, err := os.ReadFile(victim)
	require.NoError(t, err)
	require.Equal(t, "untouched", string(text))

	// A folder that is itself a way out.
	require.NoError(t, os.RemoveAll(filepath.Dir(presets)))
	require.NoError(t, os.Symlink(filepath.Dir(secret), filepath.Dir(presets)))
	_, err = f.Presets(t.Context(), c)
	require.ErrorContains(t, err, "escapes")
	_, err = f.Wildcards()
	require.ErrorContains(t, err, "escapes")
	_, err = f.SavePreset(expand.Preset{Name: "new", Draft: client.Draft{Modality: client.Video, Prompt: "x"}}, true, true, c)
	require.Error(t, err)
}

func TestOwnPresetNamesFiles(t *testing.T) {
	t.Parallel()
	f, c, file := shelf(t)
	picture := file("pictures/a b.png", "png")
	file("config/presets/p.yaml", "values: {image: \""+client.FileURL(picture)+"\"}")
	p, err := f.Preset("p", c)
	require.NoError(t, err)
	d, err := f.Draft(p, client.Video, c)
	require.NoError(t, err)
	require.Equal(t, client.FileURL(picture), d.Values["image"])
	for _, ref := range []string{"../../pictures/a b.png", picture, "file://" + filepath.Dir(picture) + "/../pictures/a b.png", "file:a.png", "file://" + filepath.Dir(picture)} {
		file("config/presets/p.yaml", "values: {image: \""+ref+"\"}")
		p, err := f.Preset("p", c)
		require.NoError(t, err)
		_, err = f.Draft(p, client.Video, c)
		require.ErrorContains(t, err, "preset p: image", ref)
	}
}

func TestWildcardsOfTwoFolders(t *testing.T) {
	t.Parallel()
	f, _, file := shelf(t)
	w, err := f.Wildcards()
	require.NoError(t, err)
	require.Empty(t, expand.NewLibrary(w).Names())
	require.NoError(t, w.Close())

	file("config/wildcards/colour.txt", "own")
	file("config/wildcards/animal/cat.txt", "tom")
	file("work/.darkroom/wildcards/colour.txt", "project")
	dir := filepath.Dir(file("work/.darkroom/wildcards/animal/dog.txt", "rex"))
	require.NoError(t, os.Symlink(file("secret.txt", "key"), filepath.Join(dir, "out.txt")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.txt"), 0o600))
	w, err = f.Wildcards()
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Close()) }()
	require.Subset(t, expand.NewLibrary(w).Names(), []string{"animal/cat", "animal/dog", "colour"})
	tpl, err := expand.Parse("__colour__ __animal/cat__ __animal/dog__")
	require.NoError(t, err)
	x, err := tpl.Bind(nil, expand.NewLibrary(w))
	require.NoError(t, err)
	got, err := x.At(new(big.Int))
	require.NoError(t, err)
	require.Equal(t, "project tom rex", got)
	for _, name := range []string{"out", "pipe"} {
		tpl, err := expand.Parse("__animal/" + name + "__")
		require.NoError(t, err)
		_, err = tpl.Bind(nil, expand.NewLibrary(w))
		require.ErrorContains(t, err, "cannot be read", name)
	}
}

// TestAListingEndsInTime: what was not read is told, and nothing is left out.
func TestAListingEndsInTime(t *testing.T) {
	t.Parallel()
	f, c, file := shelf(t)
	file("work/.darkroom/presets/a.yaml", "model: famI-omni\n")
	file("config/presets/b.yaml", "model: famI-omni\n")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	all, err := f.Presets(ctx, c)
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, p := range all {
		require.ErrorIs(t, p.Err, context.Canceled)
		require.ErrorContains(t, p.Err, "not read")
		require.NotEmpty(t, p.Path)
	}
	require.True(t, all[0].Project)
}
