package export_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/bundle"
	pack "darkroom/jobs/export"
	"darkroom/tui/dialogs/export"
	"darkroom/tui/keys"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, w, h int) *tuitest.Host {
	t.Helper()
	return tuitest.NewDialog(t, keys.Map{}, export.New(12, now, "about"), w, h)
}

func chosen(t *testing.T, h *tuitest.Host) export.Chosen {
	t.Helper()
	require.Len(t, h.Answers, 1)
	assert.Nil(t, h.Top())
	return h.Answers[0].(export.Chosen)
}

// TestTheFormNamesTheFile as long as the person does not.
func TestTheFormNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	h := open(t, 80, 24)
	assert.Contains(t, h.View(), "Export 12 jobs")
	assert.Contains(t, h.View(), "jobs-2026-03-01-120000.csv")
	h.Key("right", "right")
	assert.Contains(t, h.View(), "jobs-2026-03-01-120000.zip")
	h.Key("tab", "tab", "right", "enter")
	c := chosen(t, h)
	assert.Equal(t, pack.Bundle, c.Form)
	real, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(real, "jobs-2026-03-01-120000.zip"), c.Path)
	assert.True(t, c.NoPrompts)
	assert.False(t, c.NoPaths || c.NoQueries || c.Replace)
	assert.Equal(t, "about", c.About)
	assert.Equal(t, now, c.Made)

	h = open(t, 80, 24)
	h.Key("tab", "ctrl+u")
	h.Type("mine.txt")
	h.Key("shift+tab", "right")
	assert.Contains(t, h.View(), "mine.txt", "the person has named it")
}

func TestAFileThatIsThereIsAskedAbout(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("jobs-2026-03-01-120000.csv", nil, 0o600))
	h := open(t, 80, 24)
	h.Key("enter")
	assert.Contains(t, h.View(), "Replace jobs-2026-03-01-120000.csv?")
	h.Key("n")
	assert.Empty(t, h.Answers)
	assert.NotNil(t, h.Top(), "another name can be given")
	h.Key("enter", "y")
	assert.True(t, chosen(t, h).Replace)
}

func TestWhatCannotBeWrittenIsSaidFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	h := open(t, 80, 24)
	h.Key("tab", "ctrl+u", "enter")
	assert.Contains(t, h.View(), "name a file")
	h.Type("none/a.csv")
	h.Key("enter")
	assert.Contains(t, h.View(), "no such file")
	assert.Empty(t, h.Answers)
	h.Key("esc")
	assert.Nil(t, h.Top())
	h = open(t, 80, 24)
	h.Key("tab", "tab", "tab", "tab", "tab", "tab", "right", "enter")
	assert.Empty(t, h.Answers)
	assert.Nil(t, h.Top(), "the button leaves it")
}

// TestABundleListsWhatGoesIn, anew when something else is left out.
func TestABundleListsWhatGoesIn(t *testing.T) {
	list := func(o bundle.Options) ([]string, error) {
		if o.NoPaths {
			return nil, errors.New("no\x1b[2J history")
		}
		out := []string{"README.md  1 kB"}
		for i := range 40 {
			out = append(out, fmt.Sprintf("%03d-vid/case.json  media left out: %v", i, o.NoMedia))
		}
		return out, nil
	}
	for _, s := range [][2]int{{80, 24}, {120, 34}, {40, 12}} {
		h := tuitest.NewDialog(t, keys.Map{}, export.ForBundle("Save a bundle of 40 ids", list, now, "about"), s[0], s[1])
		h.Golden(fmt.Sprintf("only-%dx%d", s[0], s[1]))
	}
	h := tuitest.NewDialog(t, keys.Map{}, export.ForBundle("Save a bundle of 40 ids", list, now, "about"), 80, 24)
	t.Chdir(t.TempDir())
	assert.NotContains(t, h.View(), "sheet")
	assert.Contains(t, h.View(), "000-vid/case.json  media left out: false")
	assert.Contains(t, h.View(), "more")
	h.Key("tab", "tab", "right")
	assert.Contains(t, h.View(), "000-vid/case.json  media left out: true")
	h.Key("tab", "right")
	assert.Contains(t, h.View(), "✗ no␛[2J history")
	h.Key("left", "enter")
	c := chosen(t, h)
	assert.Equal(t, pack.Bundle, c.Form)
	assert.Equal(t, "bundle-2026-03-01-120000.zip", filepath.Base(c.Path))
	assert.True(t, c.NoMedia)
	assert.False(t, c.NoPrompts || c.NoPaths)
}

func TestAnySize(t *testing.T) {
	for w := 0; w < 90; w += 8 {
		for h := range 16 {
			host := open(t, w, h)
			assert.LessOrEqual(t, widgets.Width(host.Top().View()), max(w, 0), "%dx%d", w, h)
		}
	}
}

func TestGoldens(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		h := open(t, s[0], s[1])
		h.Key("right", "right")
		h.Golden(fmt.Sprintf("bundle-%dx%d", s[0], s[1]))
	}
}
