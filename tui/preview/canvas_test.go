package preview_test

import (
	"errors"
	"image"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo/mediatest"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/tuitest"
)

// canvas is a terminal that shows pixels.
type canvas struct {
	mu    sync.Mutex
	last  int
	shown map[int]image.Point // pixels of each that was not dropped
	err   error

	replaced int
}

func (c *canvas) Put(img *image.RGBA, cols, rows int) (int, []string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, nil, c.err
	}
	c.last++
	c.shown[c.last] = img.Bounds().Size()
	lines := make([]string, rows)
	for i := range lines {
		lines[i] = strings.Repeat("#", cols)
	}
	return c.last, lines, nil
}

func (c *canvas) Replace(number int, img *image.RGBA) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.shown[number]; !ok {
		return errors.New("dropped")
	}
	c.shown[number] = img.Bounds().Size()
	c.replaced++
	return nil
}

func (c *canvas) Drop(number int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.shown, number)
}

func colourful(t *testing.T) *themes.Styles {
	t.Helper()
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.TrueColor)
	return themes.Make(th, r, false)
}

func TestACanvasShowsPixels(t *testing.T) {
	c := &canvas{shown: map[int]image.Point{}}
	l := preview.New(preview.Options{Canvas: c})
	st := colourful(t)
	assert.Zero(t, l.Mode(st).Surface, "until the terminal has told")
	l.SetSurface(preview.Surface{Cell: image.Pt(10, 20)})
	r := preview.Request{Slot: "a", Path: file(t, "p.png", encode(t, "png", noise(400, 200))), Width: 30, Height: 5, Mode: l.Mode(st)}
	msg := load(t, l.Load(r))
	require.NoError(t, msg.Err)
	tuitest.CheckFrame(t, strings.Join(msg.Lines, "\n"), 30, 5)
	assert.Equal(t, strings.Repeat(" ", 5)+strings.Repeat("#", 20)+strings.Repeat(" ", 5), msg.Lines[2])
	assert.Equal(t, image.Pt(200, 100), c.shown[1])

	assert.Equal(t, preview.Mode{Blocks: preview.ASCII, Colors: preview.NoColor}, l.Mode(tuitest.Styles(t)), "who wants no colours gets no pixels")
	ascii := preview.New(preview.Options{Canvas: c, ASCII: true})
	ascii.SetSurface(preview.Surface{Cell: image.Pt(10, 20)})
	assert.Equal(t, preview.Mode{Blocks: preview.ASCII, Colors: preview.NoColor}, ascii.Mode(st))
}

func TestACanvasThatScalesIsGivenNoMoreThanThereIs(t *testing.T) {
	c := &canvas{shown: map[int]image.Point{}}
	l := preview.New(preview.Options{Canvas: c})
	st := colourful(t)
	small := file(t, "small.png", encode(t, "png", noise(40, 40)))
	large := file(t, "large.png", encode(t, "png", noise(2000, 2000)))
	at := func(path string) image.Point {
		load(t, l.Load(preview.Request{Slot: "a", Path: path, Width: 120, Height: 60, Mode: l.Mode(st)}))
		return c.shown[c.last]
	}
	l.SetSurface(preview.Surface{Cell: image.Pt(20, 40)})
	assert.Equal(t, image.Pt(40, 40), at(small))
	got := at(large)
	assert.LessOrEqual(t, got.X*got.Y, 1<<20)
	assert.Equal(t, got.X, got.Y)
	l.SetSurface(preview.Surface{Cell: image.Pt(8, 17), Exact: true})
	assert.Equal(t, image.Pt(120*8, 56*17), at(small))
}

func TestWhatTheCanvasDoesNotTakeIsDrawnInCells(t *testing.T) {
	c := &canvas{err: errors.New("full")}
	l := preview.New(preview.Options{Canvas: c})
	l.SetSurface(preview.Surface{Cell: image.Pt(10, 20)})
	r := preview.Request{Slot: "a", Path: file(t, "p.png", encode(t, "png", noise(90, 90))), Width: 12, Height: 5, Mode: l.Mode(colourful(t))}
	msg := load(t, l.Load(r))
	require.NoError(t, msg.Err)
	tuitest.CheckFrame(t, strings.Join(msg.Lines, "\n"), 12, 5)
	assert.Contains(t, msg.Lines[2], ";48;2;")
}

func TestForgottenPicturesAreTakenOffTheCanvas(t *testing.T) {
	c := &canvas{shown: map[int]image.Point{}}
	l := preview.New(preview.Options{Canvas: c, Bytes: 3 * 4 * 100 * 100})
	l.SetSurface(preview.Surface{Cell: image.Pt(10, 20), Exact: true})
	path := file(t, "p.png", encode(t, "png", noise(50, 50)))
	st := colourful(t)
	at := func(w int) {
		require.NoError(t, load(t, l.Load(preview.Request{Slot: "a", Path: path, Width: w, Height: 5, Mode: l.Mode(st)})).Err)
	}
	for w := 10; w < 16; w++ { // pictures of 100 x 100 pixels
		at(w)
	}
	assert.Len(t, c.shown, 2)
	assert.Contains(t, c.shown, 6, "the newest shows")
	key := func(w int) preview.Key {
		return preview.Request{Path: path, Width: w, Height: 5, Mode: l.Mode(st)}.Key()
	}
	assert.True(t, l.Lost(key(10)), "who shows it asks again")
	assert.False(t, l.Lost(key(10)), "once")
	assert.False(t, l.Lost(key(15)))

	large := preview.New(preview.Options{Canvas: c, Bytes: 10})
	large.SetSurface(preview.Surface{Cell: image.Pt(10, 20), Exact: true})
	load(t, large.Load(preview.Request{Slot: "a", Path: path, Width: 12, Height: 5, Mode: large.Mode(st)}))
	assert.Contains(t, c.shown, 7, "however large it is")
	load(t, large.Load(preview.Request{Slot: "a", Path: path, Width: 13, Height: 5, Mode: large.Mode(st)}))
	assert.NotContains(t, c.shown, 7)
	assert.Contains(t, c.shown, 8)
}

func TestAClosedLoaderMakesNothing(t *testing.T) {
	l := preview.New(preview.Options{Workers: 1})
	r := preview.Request{Slot: "a", Path: file(t, "p.png", encode(t, "png", noise(9, 9))), Width: 9, Height: 3}
	before := l.Load(r)
	l.Close(0)
	assert.Nil(t, before())
	assert.Nil(t, l.Load(r)())
}

func TestLinesAreThoseOfAPictureThatTheCanvasHas(t *testing.T) {
	c := &canvas{shown: map[int]image.Point{}}
	l := preview.New(preview.Options{Canvas: c})
	l.SetSurface(preview.Surface{Cell: image.Pt(10, 20)})
	r := preview.Request{Slot: "a", Path: file(t, "n.jpg", mediatest.Noted(t)), Width: 30, Height: 5, Mode: l.Mode(colourful(t))}
	msg := load(t, l.Load(r))
	require.NoError(t, msg.Err)
	assert.Len(t, msg.Lines, 5)
	assert.Contains(t, c.shown, 1)

	// A video whose index is damaged, with a picture beside it: that shows, and so does what is
	// wrong, again from what is kept.
	r.Path, r.Poster = file(t, "v.mp4", mediatest.Video(t)[:300]), r.Path
	for range 2 {
		msg = load(t, l.Load(r))
		require.ErrorContains(t, msg.Err, "MP4")
		assert.Len(t, msg.Lines, 5)
		assert.Contains(t, c.shown, 2)
		assert.Equal(t, 2, c.last)
	}
	kept, ok := l.Peek(r)
	require.True(t, ok)
	require.ErrorContains(t, kept.Err, "MP4")
}

// meeting is a canvas to which pictures come two at a time.
type meeting struct {
	*canvas
	both sync.WaitGroup
}

func (m *meeting) Put(img *image.RGBA, cols, rows int) (int, []string, error) {
	number, lines, err := m.canvas.Put(img, cols, rows)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(l, "#", strconv.Itoa(number))
	}
	m.both.Done()
	m.both.Wait()
	return number, lines, err
}

func TestTwoPlacesThatAskForTheSameShowTheSamePicture(t *testing.T) {
	c := &meeting{canvas: &canvas{shown: map[int]image.Point{}}}
	c.both.Add(2)
	l := preview.New(preview.Options{Workers: 2, Canvas: c})
	l.SetSurface(preview.Surface{Cell: image.Pt(10, 20)})
	r := preview.Request{Path: file(t, "p.png", encode(t, "png", noise(40, 40))), Width: 12, Height: 6, Mode: l.Mode(colourful(t))}
	got := make(chan preview.ReadyMsg, 2)
	for _, slot := range []string{"left", "right"} {
		r.Slot = slot
		cmd := l.Load(r)
		go func() {
			msg, _ := cmd().(preview.ReadyMsg)
			got <- msg
		}()
	}
	one, two := <-got, <-got
	require.NotNil(t, one.Lines)
	assert.Equal(t, one.Lines, two.Lines)
	require.Len(t, c.shown, 1, "the other one is taken off again")
	for number := range c.shown {
		assert.Contains(t, one.Lines[0], strings.Repeat(strconv.Itoa(number), 12))
	}
}
