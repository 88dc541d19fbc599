package compose

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// folders keeps folders in memory.
type folders struct{ all []string }

func (f *folders) Load() ([]string, error) { return slices.Clone(f.all), nil }

func (f *folders) Used(dir string) ([]string, error) {
	f.all = slices.Insert(slices.DeleteFunc(f.all, func(d string) bool { return d == dir }), 0, dir)
	return slices.Clone(f.all), nil
}

func TestFoldersThatWereUsedOutlastTheConsole(t *testing.T) {
	folderBench := func(f *folders) *bench {
		m, _, _ := newModel(t)
		deps := m.deps
		deps.Folders = f
		m = New(deps)
		return &bench{Driver: tuitest.NewScreen(t, m, 120, 34), m: m}
	}
	dir := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	path := pictures(t, dir, "a.png")[0]
	kept := &folders{all: []string{"/elsewhere"}}
	b := folderBench(kept)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v"}})
	b.m.doc.GoTo("image")
	b.Paste(path)
	require.Equal(t, client.FileURL(path), b.m.sheet.Draft.Values["image"])
	assert.Equal(t, []string{dir, "/elsewhere"}, kept.all)

	b = folderBench(kept) // whose form is another one
	b.Key("alt+o")
	assert.Contains(t, b.View(), "a.png", "it begins where the last file was taken from")
	b.Key("alt+r")
	assert.Contains(t, b.View(), "/elsewhere")
}
