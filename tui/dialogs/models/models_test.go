package models

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/kept"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/picker"
)

// marks keeps marks in memory.
type marks struct {
	kept kept.Marks
	err  error
}

func (k *marks) change(f func(*kept.Marks)) (kept.Marks, error) {
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

// gateway offers models: those that it lists, by two formats of video and one of chats.
type gateway struct {
	catalog *catalog.Catalog
	listed  []client.RemoteModel
	err     error
	asked   int
}

func (g *gateway) FormatsFor(d client.Draft) []string {
	m, _ := g.catalog.ModelFor(d.Modality, d.Model)
	return slices.DeleteFunc(slices.Clone(m.Formats), func(f string) bool { return !slices.Contains([]string{"videos", "content", "chat"}, f) })
}

func (g *gateway) Models(context.Context) (client.ModelList, error) {
	g.asked++
	return client.ModelList{Models: g.listed}, g.err
}

// bench is what is known of models, which takes messages as a screen has it do, and a dialog.
type bench struct {
	*tuitest.Host
	known *Known
	g     *gateway
	k     *marks
	d     *Dialog
}

// known is what a gateway offers that lists some of the catalog, and one other.
func known(t testing.TB) (*Known, *gateway, *marks) {
	t.Helper()
	c := catalogtest.Catalog(t)
	c, err := c.Overlay([]byte("version: 1\nfamilies:\n  - token: famI\n    models:\n      - {id: famI-omni, note: ours}\n"), "catalog.yaml")
	require.NoError(t, err)
	g := &gateway{catalog: c, listed: []client.RemoteModel{{ID: "famG-h3"}, {ID: "famL-2"}, {ID: "famI-omni"}, {ID: "塩-видео", DisplayName: "Salt מלח"}}}
	k := &marks{}
	return NewKnown(c, g, k), g, k
}

// holder hands what commands bring to what is known first, as a screen does.
type holder struct {
	*Dialog
	known *Known
}

func (h holder) Update(msg tea.Msg) tea.Cmd {
	cmd := h.known.Update(msg)
	return tea.Batch(cmd, h.Dialog.Update(msg))
}

func start(t testing.TB, free bool) *bench {
	t.Helper()
	b := &bench{}
	b.known, b.g, b.k = known(t)
	kind := client.Video
	if free {
		kind = client.Chat
	}
	all := keys.New(screen.Rows(Commands()))
	b.d = New(Options{Known: b.known, Keys: all, Title: "Model", Kind: kind, Free: free})
	b.Host = tuitest.NewDialog(t, all, holder{b.d, b.known}, 120, 34)
	return b
}

func (b *bench) ids() []string {
	var out []string
	for _, it := range b.d.items() {
		out = append(out, it.ID)
	}
	return out
}

func (b *bench) at() string {
	it, _ := b.d.list.Current()
	return it.ID
}

func TestStarredAndRecentModelsComeFirst(t *testing.T) {
	b := start(t, false)
	before := b.ids()
	b.Send(b.known.Used("famG-h3")())
	assert.Equal(t, []string{"famG-h3"}, b.k.kept.Recent)
	b.Type("famK-3.0-480p")
	b.Key("alt+s", "ctrl+u")
	assert.Equal(t, []string{"famK-3.0-480p"}, b.k.kept.Stars)
	assert.Contains(t, b.View(), "★ famK-3.0-480p")
	now := b.ids()
	assert.Equal(t, []string{"famK-3.0-480p", "famG-h3"}, now[:2])
	assert.ElementsMatch(t, before, now, "each once, none lost")
	b.Type("fam")
	assert.Equal(t, "famK-3.0-480p", b.at(), "what matches as well comes behind it")
	b.Key("alt+s")
	assert.Empty(t, b.k.kept.Stars, "the same again takes it away")
	b.k.err = errors.New("disk full")
	b.Do("pick.star")
	msg, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, msg.Text, "not kept: disk full")
	assert.Equal(t, []string{"famG-h3"}, b.known.marks.Recent, "what was kept stays")
	b.Key("enter")
	assert.Equal(t, []any{Picked{"famK-3.0-480p"}}, b.Answers)
	assert.Nil(t, b.Top())
}

func TestOriginsOfModels(t *testing.T) {
	k, g, _ := known(t)
	sign := func(id string) string {
		return k.originSign(&catalog.Offer{ID: id, Known: []catalog.Model{{ID: id}}})
	}
	assert.Equal(t, "", sign("famA3"), "nobody was asked yet")
	b := start(t, false)
	for id, want := range map[string]string{"famA3": "○ not offered here", "famG-h3": "", "famI-omni": "✎ yours", "塩-видео": "◇ not in the catalog"} {
		list := b.d.items()
		i := slices.IndexFunc(list, func(it picker.Item) bool { return it.ID == id })
		require.GreaterOrEqual(t, i, 0, id)
		assert.Equal(t, want, list[i].Keys, id)
	}
	assert.NotContains(t, b.ids(), "famL-2", "that one makes pictures")
	assert.Zero(t, g.asked)
	b.Type("видео")
	assert.Contains(t, b.View(), "its kind and fields are not known")
	b.Key("enter")
	assert.Equal(t, []any{Picked{"塩-видео"}}, b.Answers, "what nobody knows the fields of can be tried")
}

func TestListsThatDoNotCome(t *testing.T) {
	b := start(t, false)
	assert.Equal(t, 1, b.g.asked)
	b.g.err, b.g.listed = errors.New("dial tcp: no route\x1b[31m"), nil
	b.Key("ctrl+r")
	assert.Contains(t, b.View(), "this is what it said before: dial tcp")
	assert.Contains(t, b.ids(), "塩-видео")
	b.Key("esc")
	assert.Equal(t, []any{Picked{}}, b.Answers)
	b.Show(holder{New(b.d.o), b.known})
	assert.Equal(t, 3, b.g.asked, "asked again, since they did not answer")
}

func TestAnyNameMayBeTyped(t *testing.T) {
	b := start(t, true)
	b.Type(" some model")
	assert.Contains(t, b.View(), "some model  exactly as typed")
	b.Key("enter")
	assert.Equal(t, []any{Picked{"some model"}}, b.Answers)
}

// TestFactsOfTheWholeCatalog: each model says what it can do, in one line and whole, and is found by
// each of its modes.
func TestFactsOfTheWholeCatalog(t *testing.T) {
	k, _, _ := known(t)
	for _, kind := range []client.Modality{client.Video, client.Image, client.Music, client.Speech} {
		for _, x := range k.catalog.Models(kind) {
			own := factsOf(k.catalog, kind, &x)
			assert.Len(t, own.of(aMode), len(x.ModeNames()), x.ID)
			o := catalog.Offer{ID: x.ID, Known: []catalog.Model{x}}
			about := strings.Join(k.about(&x, own, &o), "\n")
			words := strings.Join(own.words(), "\n")
			for i, mode := range own.of(aMode) {
				assert.Contains(t, about, mode, x.ID)
				assert.Contains(t, words, x.ModeNames()[i], x.ID)
			}
			for of, n := range x.MaxRefs {
				assert.Contains(t, own.short(), fmt.Sprintf("%s ×%d", plural(of), n), x.ID)
			}
			assert.NotContains(t, about, "not shown")
		}
	}
	x, _ := k.catalog.Model("famI-omni")
	assert.Equal(t, []string{"4 6 8 10 s"}, factsOf(k.catalog, client.Video, &x).of(aLength))
	x, _ = k.catalog.Model("famK-3.0")
	own := factsOf(k.catalog, client.Video, &x)
	assert.Equal(t, []string{"2–30 s"}, own.of(aLength))
	assert.Equal(t, []string{"720P only"}, own.of(aResolution))
}

func TestAFoldedModeIsFound(t *testing.T) {
	b := start(t, false)
	b.Type("extend")
	it, ok := b.d.list.Current()
	require.True(t, ok)
	assert.Equal(t, "famF-video", it.ID)
	assert.Contains(t, b.View(), "extend a video", "and says why")
}

// TestLinesSayWhatDiffers: what all models of a family have stands in its heading, once.
func TestLinesSayWhatDiffers(t *testing.T) {
	b := start(t, false)
	k := b.d.o.Known
	shared := k.shared(client.Video, k.offers(client.Video))
	require.NotEmpty(t, shared["famK"])
	for _, it := range b.d.items() {
		x, known := k.catalog.ModelFor(client.Video, it.ID)
		if !known {
			continue
		}
		for _, f := range shared[x.Family] {
			if f.kind != aMode {
				assert.NotContains(t, it.Detail, f.text, it.ID)
			}
		}
	}
}
