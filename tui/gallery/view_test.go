package gallery

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/preview"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

// shelf is a source and an album of n things; those with files have pictures.
type shelf struct {
	n     int
	files map[string][]Media
	asked map[int]bool
}

func newShelf(n int) *shelf { return &shelf{n: n, files: map[string][]Media{}, asked: map[int]bool{}} }

func (s *shelf) Len() int                    { return s.n }
func (s *shelf) ID(i int) string             { return fmt.Sprintf("thing-%d", i) }
func (s *shelf) Card(int, int, int) []string { return []string{"no picture"} }

func (s *shelf) Media(i int) (string, Media) {
	s.asked[i] = true
	if all := s.files[s.ID(i)]; len(all) > 0 {
		return s.ID(i), all[0]
	}
	return s.ID(i), Media{}
}

func (s *shelf) Cell(i, _ int) Cell {
	return Cell{Marked: i == 1, Name: "model", Age: "4 m", Signs: "★", Extra: "#kept", Text: "a red kite of " + s.ID(i)}
}

// album is the shelf as what is looked through.
type album struct{ *shelf }

func (a album) Media(id string) []Media { return a.files[id] }

// paint puts a picture of a size on the disk, as the next file of a thing.
func (s *shelf) paint(t *testing.T, i, w, h int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.png")
	f, err := os.Create(path) //nolint:gosec // of the test's folder
	require.NoError(t, err)
	require.NoError(t, png.Encode(f, image.NewGray(image.Rect(0, 0, w, h))))
	require.NoError(t, f.Close())
	s.files[s.ID(i)] = append(s.files[s.ID(i)], Media{Path: path})
}

// run runs commands until none is left, and hands the pictures on.
func run(cmd tea.Cmd, take func(preview.ReadyMsg)) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			run(c, take)
		}
	case preview.ReadyMsg:
		take(msg)
	}
}

func gridOf(t *testing.T, s *shelf, w, h int) *Grid {
	t.Helper()
	g := NewGrid(preview.New(preview.Options{Workers: 1}), "test:")
	g.SetSource(s)
	g.SetStyles(tuitest.Styles(t))
	g.SetSize(w, h)
	return &g
}

func TestAGridDrawsWhatIsInSight(t *testing.T) {
	s := newShelf(1000)
	s.paint(t, 0, 40, 30)
	g := gridOf(t, s, 80, 24)
	run(g.Load(), g.Take)
	got, wanted := g.Loaded()
	assert.Equal(t, [2]int{1, 1}, [2]int{got, wanted})
	view := g.View(0, true)
	lines := strings.Split(view, "\n")
	require.Len(t, lines, 24)
	assert.Contains(t, view, "┃a red kite of thing-0   ┃", "the text comes first, in the frame of the cursor")
	assert.Contains(t, view, "● a red kite of thing-1", "the second is marked")
	assert.Contains(t, view, "no picture")
	assert.Contains(t, view, "model · #kept")
	assert.Contains(t, view, "★")
	assert.Less(t, len(s.asked), 20, "the others are not asked about")

	at, ok := g.Update(tuitest.KeyMsg(t, "end"), 0)
	require.True(t, ok)
	assert.Equal(t, 999, at)
	first, n := g.Sight()
	assert.True(t, first <= 999 && 999 < first+n)
	run(g.Load(), g.Take)
	_, wanted = g.Loaded()
	assert.Zero(t, wanted, "out of sight")
	_, ok = g.Update(tuitest.KeyMsg(t, "x"), at)
	assert.False(t, ok)
	id, ok := Hit(cellZone + "thing-7")
	assert.True(t, ok)
	assert.Equal(t, "thing-7", id)
}

func TestAGridAtAnySize(t *testing.T) {
	g := gridOf(t, newShelf(7), 0, 0)
	for w := 0; w < 120; w += 7 {
		for h := 0; h < 40; h += 3 {
			g.SetSize(w, h)
			g.Reveal(6)
			view := g.View(6, false)
			if h > 0 {
				assert.Equal(t, h-1, strings.Count(view, "\n"), "%dx%d", w, h)
			}
		}
	}
	empty := gridOf(t, newShelf(0), 80, 24)
	_, ok := empty.Update(tuitest.KeyMsg(t, "down"), 0)
	assert.False(t, ok)
	assert.Equal(t, 23, strings.Count(empty.View(0, true), "\n"))
}

func zoomOf(t *testing.T, s *shelf) *Zoom {
	t.Helper()
	z := NewZoom(preview.New(preview.Options{Workers: 1}), "test", album{s})
	z.SetStyles(tuitest.Styles(t))
	z.SetSize(80, 24)
	return &z
}

func TestAZoomGoesThroughAnAlbum(t *testing.T) {
	s := newShelf(4)
	s.paint(t, 1, 40, 40)
	s.paint(t, 1, 80, 40)
	s.paint(t, 3, 30, 60)
	z := zoomOf(t, s)
	z.Show(Place{ID: s.ID(1)})
	assert.Nil(t, z.Load(), "it is closed")
	z.Open()
	to, ok := z.Step(1, 1)
	assert.Equal(t, Place{s.ID(1), 1}, to, "the second file of the same")
	require.True(t, ok)
	z.Show(to)
	to, ok = z.Step(1, 1)
	assert.Equal(t, Place{s.ID(3), 0}, to, "the third has none")
	require.True(t, ok)
	z.Show(to)
	_, ok = z.Step(1, 3)
	assert.False(t, ok)
	to, _ = z.Step(-1, 3)
	assert.Equal(t, Place{s.ID(1), 1}, to, "backwards the last of a thing comes first")

	run(z.Load(), z.Take)
	require.True(t, z.Loaded())
	assert.Equal(t, image.Pt(30, 60), z.Size())
	assert.Contains(t, z.ScaleText(), "30 x 60")
	other, ok := z.Other()
	require.True(t, ok)
	assert.Equal(t, Place{s.ID(1), 1}, other, "what was looked at before")
	z.Flip()
	run(z.Load(), z.Take)
	z.Show(other)
	run(z.Load(), z.Take)
	view := z.View(Caption{Title: widgets.Line("the title", 80), Other: "thing", Card: s.card})
	assert.Contains(t, view, "the title")
	assert.Contains(t, view, "⇄ thing")
	assert.Contains(t, view, "other size: 30 x 60")
	assert.Equal(t, 23, strings.Count(view, "\n"))
	assert.True(t, z.Close())
	assert.False(t, z.Close())
}

func (s *shelf) card(int, int) []string { return []string{"no result"} }

func TestAZoomWithoutAPicture(t *testing.T) {
	s := newShelf(1)
	z := zoomOf(t, s)
	z.Show(Place{ID: s.ID(0)})
	z.Open()
	assert.Nil(t, z.Load())
	assert.Contains(t, z.View(Caption{Card: s.card}), "no result")
	assert.Contains(t, z.View(Caption{Card: s.card, Film: []string{"a frame"}}), "a frame")
	z.SetSize(0, 0)
	assert.NotPanics(t, func() { z.View(Caption{}) })
	bare := NewZoom(nil, "test", album{s})
	bare.SetStyles(tuitest.Styles(t))
	bare.Show(Place{ID: s.ID(0)})
	bare.Open()
	assert.Nil(t, bare.Load())
	bare.Close()
}

func TestAZoomIsMovedOver(t *testing.T) {
	s := newShelf(1)
	s.paint(t, 0, 1000, 500)
	z := zoomOf(t, s)
	z.Show(Place{ID: s.ID(0)})
	z.Open()
	assert.False(t, z.Pan(1, 0), "nothing is known of it yet")
	run(z.Load(), z.Take)
	z.Actual()
	assert.Equal(t, preview.Part{Zoom: 100, X: 5000, Y: 5000}, z.Part())
	assert.True(t, z.Pan(1, 0))
	assert.Greater(t, z.Part().X, 5000)
	z.Closer(1)
	assert.Equal(t, 200, z.Part().Zoom)
	for range 9 {
		z.Closer(-1)
	}
	assert.True(t, z.Part().Whole)
}
