package compose

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// marks keeps stars in memory.
type marks struct {
	mu   sync.Mutex
	kept kept.Marks
	err  error
}

func (k *marks) change(f func(*kept.Marks)) (kept.Marks, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return kept.Marks{}, k.err
	}
	f(&k.kept)
	out := k.kept
	out.Stars, out.Recent = slices.Clone(out.Stars), slices.Clone(out.Recent)
	return out, nil
}

func (k *marks) Load() (kept.Marks, error) { return k.change(func(*kept.Marks) {}) }

func (k *marks) Star(model string, on bool) (kept.Marks, error) {
	return k.change(func(x *kept.Marks) {
		x.Stars = slices.DeleteFunc(x.Stars, func(s string) bool { return s == model })
		if on {
			x.Stars = append(x.Stars, model)
		}
	})
}

func (k *marks) Used(model string) (kept.Marks, error) {
	return k.change(func(x *kept.Marks) { x.Recent = slices.Insert(x.Recent, 0, model) })
}

func (k *marks) Improve(model string) (kept.Marks, error) {
	return k.change(func(x *kept.Marks) { x.Improver = model })
}

// pickBench is a screen whose gateway offers models: some of the catalog, and n others.
func pickBench(t testing.TB, w, h, n int, listErr error) (*bench, *marks) {
	t.Helper()
	m, j, d := newModel(t)
	over, err := m.deps.Catalog.Overlay([]byte("version: 1\nfamilies:\n  - token: famI\n    models:\n      - {id: famI-omni, note: ours}\n"), "catalog.yaml")
	require.NoError(t, err)
	g := gateway{catalog: over, names: []string{"videos", "content", "ent", "images", "music", "chat"}, listErr: listErr}
	if listErr == nil {
		g.listed = []client.RemoteModel{{ID: "famG-h3"}, {ID: "famL-2"}, {ID: "famI-omni"}, {ID: "塩-видео", DisplayName: "Salt מלח"}}
		for i := range n {
			g.listed = append(g.listed, client.RemoteModel{ID: fmt.Sprintf("vendor/model-%03d", i)})
		}
	}
	k := &marks{}
	deps := m.deps
	deps.Catalog, deps.Gateway, deps.Marks = over, g, k
	m = New(deps)
	m.doc.Saver.Later = func() tea.Cmd { return nil }
	b := &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, jobs: j, drafts: d}
	return b, k
}

func TestStarredAndRecentModelsComeFirst(t *testing.T) {
	b, k := pickBench(t, 120, 34, 3, nil)
	b.Type("a kite")
	b.pick("famG-h3")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, []string{"famG-h3"}, k.kept.Recent, "what was submitted to is recent")
	b.Key("ctrl+g")
	b.Type("famK-3.0-480p")
	b.Key("alt+s", "ctrl+u")
	assert.Equal(t, []string{"famK-3.0-480p"}, k.kept.Stars)
	b.Golden("pick-marked-120x34")
	b.Key("alt+s", "esc")
	b.Key("alt+*")
	assert.Equal(t, []string{"famG-h3"}, k.kept.Stars, "the chosen one, without the list")
	k.err = errors.New("disk full")
	b.Key("alt+*")
	assert.Contains(t, toast(t, b).Text, "not kept: disk full")
}

func TestAModelThatNobodyKnowsTheFieldsOf(t *testing.T) {
	b, _ := pickBench(t, 120, 34, 0, nil)
	b.Key("ctrl+g")
	b.Type("видео")
	b.Golden("pick-live-120x34")
	b.Key("enter")
	assert.Equal(t, "塩-видео", b.m.sheet.Draft.Model, "it can be tried")
}

func TestModelsWithoutTheGateway(t *testing.T) {
	b, _ := pickBench(t, 80, 24, 0, errors.New("dial tcp: no route\x1b[31m"))
	b.Key("ctrl+g")
	assert.Contains(t, b.View(), "the gateway's list did not come; this is the catalog: dial tcp")
	b.Golden("pick-offline-80x24")
	b.Type("famA3")
	b.Key("enter")
	assert.Equal(t, "famA3", b.m.sheet.Draft.Model)
}

func TestFiveHundredLiveModels(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		b, k := pickBench(t, s[0], s[1], 500, nil)
		k.kept.Stars = []string{"famK-3.0"}
		b.Send(screen.ShownMsg{})
		b.Key("ctrl+g")
		b.Golden(fmt.Sprintf("pick-many-%dx%d", s[0], s[1]))
		b.Type("model-499")
		tuitest.CheckFrame(t, b.View(), s[0], s[1])
		b.Key("enter")
		assert.Equal(t, "vendor/model-499", b.m.sheet.Draft.Model)
	}
}

// TestStarsOfOtherScreens are known when this one shows again: Models gives them too.
func TestStarsOfOtherScreens(t *testing.T) {
	b, k := pickBench(t, 120, 34, 3, nil)
	b.Send(screen.HiddenMsg{})
	_, err := k.Star("famK-3.0-480p", true)
	require.NoError(t, err)
	b.Send(screen.ShownMsg{})
	b.Key("ctrl+g")
	assert.Contains(t, b.View(), "★ famK-3.0-480p")
}
