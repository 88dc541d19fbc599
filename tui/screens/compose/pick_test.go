package compose

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/picker"
)

// marks keeps stars in memory.
type marks struct {
	mu   sync.Mutex
	kept screen.ModelMarks
	err  error
}

func (k *marks) change(f func(*screen.ModelMarks)) (screen.ModelMarks, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return screen.ModelMarks{}, k.err
	}
	f(&k.kept)
	out := k.kept
	out.Stars, out.Recent = slices.Clone(out.Stars), slices.Clone(out.Recent)
	return out, nil
}

func (k *marks) Load() (screen.ModelMarks, error) { return k.change(func(*screen.ModelMarks) {}) }

func (k *marks) Star(model string, on bool) (screen.ModelMarks, error) {
	return k.change(func(x *screen.ModelMarks) {
		x.Stars = slices.DeleteFunc(x.Stars, func(s string) bool { return s == model })
		if on {
			x.Stars = append(x.Stars, model)
		}
	})
}

func (k *marks) Used(model string) (screen.ModelMarks, error) {
	return k.change(func(x *screen.ModelMarks) { x.Recent = slices.Insert(x.Recent, 0, model) })
}

func (k *marks) Improve(model string) (screen.ModelMarks, error) {
	return k.change(func(x *screen.ModelMarks) { x.Improver = model })
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
	m.save.Later = func() tea.Cmd { return nil }
	b := &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, jobs: j, drafts: d}
	return b, k
}

func (b *bench) items() []picker.Item { return b.m.modelItems(b.m.modality) }

func (b *bench) ids() []string {
	var out []string
	for _, it := range b.items() {
		out = append(out, it.ID)
	}
	return out
}

func TestStarredAndRecentModelsComeFirst(t *testing.T) {
	b, k := pickBench(t, 120, 34, 3, nil)
	before := b.ids()
	b.Type("a kite")
	b.pick("famG-h3")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, []string{"famG-h3"}, k.kept.Recent, "what was submitted to is recent")
	b.Key("ctrl+g")
	b.Type("famK-3.0-480p")
	b.Key("alt+s", "ctrl+u")
	assert.Equal(t, []string{"famK-3.0-480p"}, k.kept.Stars)
	assert.Contains(t, b.View(), "★ famK-3.0-480p")
	now := b.ids()
	assert.Equal(t, []string{"famK-3.0-480p", "famG-h3"}, now[:2])
	assert.ElementsMatch(t, before, now[:len(before)], "each once, none lost")
	b.Golden("pick-marked-120x34")
	b.Type("fam")
	it, _ := b.m.picker.Current()
	assert.Equal(t, "famK-3.0-480p", it.ID, "what matches as well comes behind it")
	b.Key("alt+s")
	assert.Empty(t, k.kept.Stars, "the same again takes it away")
	b.Key("esc")
	b.Key("alt+*")
	assert.Equal(t, []string{"famG-h3"}, k.kept.Stars, "the chosen one, without the list")
	k.err = errors.New("disk full")
	b.Key("alt+*")
	assert.Contains(t, toast(t, b).Text, "not kept: disk full")
	assert.Equal(t, []string{"famG-h3"}, b.m.marks.Stars, "what was kept stays")
}

func TestOriginsOfModels(t *testing.T) {
	b, _ := pickBench(t, 120, 34, 0, nil)
	sign := func(id string) string {
		list := b.items()
		i := slices.IndexFunc(list, func(it picker.Item) bool { return it.ID == id })
		require.GreaterOrEqual(t, i, 0, id)
		return list[i].Keys
	}
	assert.Equal(t, "· catalog", sign("famA3"), "nobody was asked yet")
	b.Key("ctrl+g")
	for id, want := range map[string]string{"famA3": "○ catalog", "famG-h3": "● both", "famI-omni": "✎ overlay", "塩-видео": "◇ live"} {
		assert.Equal(t, want, sign(id), id)
	}
	assert.NotContains(t, b.ids(), "famL-2", "that one makes pictures")
	b.Type("видео")
	assert.Contains(t, b.View(), "its kind and fields are not told")
	b.Golden("pick-live-120x34")
	b.Key("enter")
	assert.Equal(t, "塩-видео", b.m.draft.Model, "what nobody knows the fields of can be tried")
}

func TestModelsWithoutTheGateway(t *testing.T) {
	b, _ := pickBench(t, 80, 24, 0, errors.New("dial tcp: no route\x1b[31m"))
	b.Key("ctrl+g")
	assert.Contains(t, b.View(), "the gateway's list did not come, shown is the catalog: dial tcp")
	b.Golden("pick-offline-80x24")
	b.m.deps.Gateway = gateway{catalog: b.m.deps.Catalog, names: []string{"videos"}, listed: []client.RemoteModel{{ID: "famA3"}}}
	b.Key("ctrl+r")
	assert.NotContains(t, b.View(), "did not come")
	b.Type("famA3")
	assert.Contains(t, b.View(), "● both")
	b.Key("enter")
	assert.Equal(t, "famA3", b.m.draft.Model)
}

func TestFiveHundredLiveModels(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		b, k := pickBench(t, s[0], s[1], 500, nil)
		k.kept.Stars = []string{"famK-3.0"}
		_, cmd := b.m.Update(loadMarks(k)())
		drain(b.m, cmd, false)
		b.Key("ctrl+g")
		list := b.items()
		assert.Greater(t, len(list), 530)
		assert.Equal(t, "famK-3.0", list[0].ID)
		seen := map[string]bool{}
		for _, it := range list {
			assert.False(t, seen[it.ID], it.ID)
			seen[it.ID] = true
		}
		b.Golden(fmt.Sprintf("pick-many-%dx%d", s[0], s[1]))
		b.Type("model-499")
		tuitest.CheckFrame(t, b.View(), s[0], s[1])
		it, _ := b.m.picker.Current()
		assert.Equal(t, "vendor/model-499", it.ID)
		b.Key("ctrl+u")
		b.Type("i2v 720p")
		it, _ = b.m.picker.Current()
		assert.Contains(t, it.Detail, "720", "found by what it can do")
	}
}

// TestChipsOfTheWholeCatalog: each model says what it can do, in one line and whole.
func TestChipsOfTheWholeCatalog(t *testing.T) {
	b, _ := pickBench(t, 120, 34, 0, nil)
	for _, k := range modalities() {
		for _, x := range b.m.deps.Catalog.Models(k) {
			c := b.m.chips(k, &x)
			assert.Equal(t, x.ModeNames(), c.modes)
			o := catalog.Offer{ID: x.ID, Known: []catalog.Model{x}}
			about := strings.Join(b.m.about(&x, &c, &o), "\n")
			for _, mode := range x.ModeNames() {
				assert.Contains(t, about, mode, x.ID)
			}
			for kind, n := range x.MaxRefs {
				assert.Contains(t, c.references, fmt.Sprintf("%s×%d", kind, n), x.ID)
			}
		}
	}
	x, _ := b.m.deps.Catalog.Model("famI-omni")
	c := b.m.chips(client.Video, &x)
	assert.Equal(t, "4 6 8 10 s", c.duration)
	x, _ = b.m.deps.Catalog.Model("famK-3.0")
	c = b.m.chips(client.Video, &x)
	assert.Equal(t, "2–30 s", c.duration)
	assert.Equal(t, "720P", c.resolution)
}
