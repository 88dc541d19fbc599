package compose

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// folders keeps folders in memory.
type folders struct {
	all []string
	err error
}

func (f *folders) Load() ([]string, error) { return slices.Clone(f.all), f.err }

func (f *folders) Used(dir string) ([]string, error) {
	if f.err != nil {
		return nil, f.err
	}
	f.all = slices.Insert(slices.DeleteFunc(f.all, func(d string) bool { return d == dir }), 0, dir)
	return slices.Clone(f.all), nil
}

// folderBench is a screen as it starts beside folders that were kept.
func folderBench(t *testing.T, f *folders) *bench {
	t.Helper()
	m, j, d := newModel(t)
	m.deps.Folders = f
	return &bench{Driver: tuitest.NewScreen(t, m, 120, 34), m: m, jobs: j, drafts: d}
}

func TestFoldersThatWereUsedOutlastTheConsole(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	path := pictures(t, dir, "a.png")[0]
	kept := &folders{all: []string{"/elsewhere"}}
	b := folderBench(t, kept)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "i2v"}})
	b.m.goTo("image")
	b.Paste(path)
	require.Equal(t, client.FileURL(path), b.m.draft.Values["image"])
	assert.Equal(t, []string{dir, "/elsewhere"}, kept.all)

	b = folderBench(t, kept) // whose form is another one
	b.Key("alt+o")
	assert.Equal(t, dir, b.m.refs.files.Dir(), "it begins where the last file was taken from")
	assert.Contains(t, b.View(), "a.png")
	b.Key("alt+r")
	assert.Contains(t, b.View(), "/elsewhere")
}

// A folder that is gone by now is no place to begin.
func TestAFolderThatIsGoneIsPassedOver(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	gone := filepath.Join(dir, "gone")
	b := folderBench(t, &folders{all: []string{gone, dir, home}})
	b.Key("alt+o")
	assert.Equal(t, dir, b.m.refs.files.Dir())
	b.Key("esc")
	require.NoError(t, os.Remove(dir))
	b.Key("alt+o")
	assert.Equal(t, home, b.m.refs.files.Dir())
	b.Key("esc")

	b.m.refs.used = []string{gone}
	late := pressed(t, b.m, "alt+o")
	b.m.refs.files.Open("/")
	b.Send(late())
	assert.Equal(t, "/", b.m.refs.files.Dir(), "who went on stays there")
}

func TestFoldersThatCanNotBeKeptAreToldOnce(t *testing.T) {
	f := &folders{err: errors.New("folders.json: disk full")}
	b := folderBench(t, f)
	assert.Contains(t, toast(t, b).Text, "the folders that were used are not kept: folders.json: disk full")
	n := len(b.Sent)
	b.Send(usedMsg{err: f.err})
	assert.Len(t, b.Sent, n)
	assert.Equal(t, screen.Warn, toast(t, b).Level)
}

// What was used before the kept folders came stays in front of them.
func TestKeptFoldersComeBehind(t *testing.T) {
	b := start(t, 120, 34)
	b.m.usedFolder("/now")
	b.Send(tea.Msg(usedMsg{dirs: []string{"/before", "/now"}}))
	assert.Equal(t, []string{"/now", "/before"}, b.m.refs.used)
}
