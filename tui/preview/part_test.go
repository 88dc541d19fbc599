package preview_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
	"darkroom/client/mediainfo/mediatest"
	"darkroom/tui/preview"
	"darkroom/tui/tuitest"
)

// album is a canvas that keeps what it was given.
type album struct {
	mu   sync.Mutex
	last *image.RGBA
	cols int
	rows int
}

func (a *album) Put(img *image.RGBA, cols, rows int) (int, []string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last, a.cols, a.rows = img, cols, rows
	lines := make([]string, rows)
	for i := range lines {
		lines[i] = strings.Repeat("#", cols)
	}
	return 1, lines, nil
}

// Replace implements Canvas.
func (a *album) Replace(_ int, img *image.RGBA) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = img
	return nil
}

func (a *album) Drop(int) {}

// graded tells by its colours which pixel is which.
func graded(w, h int) *image.RGBA {
	return paint(w, h, func(x, y int) color.Color { return color.RGBA{uint8(x), uint8(y), uint8(x>>8 | y>>8<<4), 255} })
}

func pixelAt(img *image.RGBA, x, y int) (int, int) {
	c := img.RGBAAt(x, y)
	return int(c.R) | int(c.B&15)<<8, int(c.G) | int(c.B>>4)<<8
}

func TestAPartAtItsOwnSizeIsPixelForPixel(t *testing.T) {
	a := &album{}
	l := preview.New(preview.Options{Canvas: a})
	l.SetSurface(preview.Surface{Cell: image.Pt(10, 20), Exact: true})
	mode := preview.Mode{Surface: preview.Surface{Cell: image.Pt(10, 20), Exact: true}}
	r := preview.Request{Slot: "zoom", Path: file(t, "p.png", encode(t, "png", graded(900, 700))), Width: 40, Height: 10, Mode: mode}
	at := func(p preview.Part) preview.ReadyMsg {
		r.Part = p
		msg := load(t, l.Load(r))
		require.NoError(t, msg.Err)
		require.Equal(t, image.Pt(900, 700), msg.Size)
		tuitest.CheckFrame(t, strings.Join(msg.Lines, "\n"), 40, 10)
		return msg
	}
	at(preview.Part{Zoom: 100, X: 5000, Y: 5000})
	assert.Equal(t, image.Pt(400, 200), a.last.Bounds().Size())
	for _, p := range []image.Point{{0, 0}, {399, 0}, {0, 199}, {399, 199}, {17, 130}} {
		x, y := pixelAt(a.last, p.X, p.Y)
		assert.Equal(t, p.Add(image.Pt(250, 250)), image.Pt(x, y))
	}
	at(preview.Part{Zoom: 100, X: 0, Y: preview.Unit})
	x, y := pixelAt(a.last, 0, 0)
	assert.Equal(t, image.Pt(0, 500), image.Pt(x, y), "it ends at the edges")
	at(preview.Part{Zoom: 200, X: 5000, Y: 5000})
	x, _ = pixelAt(a.last, 200, 100)
	assert.InDelta(t, 450, x, 2, "twice as large, around the middle")
	at(preview.Part{Whole: true})
	assert.Equal(t, 10, a.rows)
	assert.Equal(t, 26, a.cols, "all of it, in its proportions")

	r.Path = file(t, "s.png", encode(t, "png", graded(15, 30)))
	r.Part = preview.Part{Zoom: 100}
	msg := load(t, l.Load(r))
	require.NoError(t, msg.Err)
	assert.Equal(t, []int{2, 2}, []int{a.cols, a.rows}, "no more cells than it fills")
	x, y = pixelAt(a.last, 2, 5)
	assert.Equal(t, image.Pt(0, 0), image.Pt(x, y), "in their middle, not stretched")
	l.Rest()
}

func TestPartsInBlocksKeepTheirProportions(t *testing.T) {
	l := preview.New(preview.Options{Workers: 1})
	path := file(t, "p.png", encode(t, "png", graded(300, 300)))
	for _, m := range modes() {
		for _, p := range []preview.Part{{Whole: true}, {Zoom: 12}, {Zoom: 100, X: 10, Y: 9990}, {Zoom: 800, X: 5000, Y: 5000}} {
			msg := load(t, l.Load(preview.Request{Slot: "a", Path: path, Width: 33, Height: 7, Mode: m, Part: p}))
			require.NoError(t, msg.Err)
			tuitest.CheckFrame(t, strings.Join(msg.Lines, "\n"), 33, 7)
		}
	}
	ascii := preview.Mode{Colors: preview.NoColor}
	assert.Equal(t, image.Pt(33, 14), ascii.Box(33, 7))
	assert.Equal(t, 4, preview.Fits(image.Pt(300, 300), ascii.Box(33, 7)))
	msg := load(t, l.Load(preview.Request{Slot: "a", Path: path, Width: 33, Height: 9, Mode: ascii, Part: preview.Part{Zoom: 5}}))
	wide, high := 0, 0
	for _, line := range msg.Lines {
		if n := len(strings.TrimSpace(line)); n > 0 {
			wide, high = max(wide, n), high+1
		}
	}
	assert.Equal(t, []int{15, 8}, []int{wide, high}, "a square is twice as many columns as lines")
}

func TestWithinStaysInThePicture(t *testing.T) {
	size, box := image.Pt(1000, 500), image.Pt(100, 100)
	assert.Equal(t, preview.Part{Zoom: 100, X: 500, Y: 9000}, preview.Part{Zoom: 100, X: -4, Y: 20_000}.Within(size, box))
	assert.Equal(t, preview.Part{Zoom: 12, X: 4166, Y: 5000}, preview.Part{Zoom: 12}.Within(size, box), "all of its height shows")
	assert.Equal(t, preview.Part{Whole: true}, preview.Part{X: 7}.Within(size, box))
	assert.Equal(t, preview.Part{Zoom: 100, X: 5000, Y: 5000}, preview.Part{Zoom: 100}.Within(image.Point{}, box))
}

// slowTool says when it has been asked for a poster, and waits.
type slowTool struct {
	asked  chan string
	answer chan struct{}
}

func (s slowTool) Poster(_ context.Context, path string, _ mediainfo.Info, _ preview.Limits) (image.Image, error) {
	s.asked <- path
	<-s.answer
	return graded(16, 9), nil
}

func (s slowTool) Frames(context.Context, string, mediainfo.Info, preview.FrameSpec, io.Writer) error {
	return errors.ErrUnsupported
}

func (s slowTool) Wave(context.Context, string, mediainfo.Info) ([]float64, error) { return nil, nil }

// Thumbnails leave a worker to what a person looks at.
func TestLowRequestsLeaveAWorkerFree(t *testing.T) {
	tool := slowTool{make(chan string, 9), make(chan struct{})}
	l := preview.New(preview.Options{Workers: 2, Tool: tool})
	var wg sync.WaitGroup
	for i, slot := range []string{"a", "b", "c"} {
		cmd := l.Load(preview.Request{Slot: slot, Path: file(t, slot+".mp4", mediatest.Video(t)), Width: 20, Height: 6 + i, Low: true})
		wg.Go(func() { _ = cmd() })
	}
	<-tool.asked
	picture := preview.Request{Slot: "detail", Path: file(t, "p.png", encode(t, "png", noise(40, 20))), Width: 20, Height: 5}
	assert.Len(t, load(t, l.Load(picture)).Lines, 5, "it does not wait for them")
	assert.Empty(t, tool.asked, "the others wait for the first")
	close(tool.answer)
	wg.Wait()
}

func TestThumb(t *testing.T) {
	st := tuitest.Styles(t)
	info, err := mediainfo.Read(t.Context(), file(t, "s.wav", mediatest.WAV(8000, 1)))
	require.NoError(t, err)
	for _, s := range [][2]int{{20, 4}, {1, 1}, {5, 9}, {40, 12}, {0, 3}} {
		text := preview.Thumb(st, info, s[0], s[1])
		if s[0] > 0 {
			tuitest.CheckFrame(t, text, s[0], s[1])
		}
	}
	text := preview.Thumb(st, info, 20, 4)
	assert.Contains(t, text, "♪ 1.0 s")
	assert.Contains(t, text, "█")
	text = preview.Thumb(st, mediainfo.Info{Kind: mediainfo.Video, Format: "MP4", Width: 640, Height: 360}, 20, 4)
	assert.Contains(t, text, "▶ Video")
	assert.Contains(t, text, "640 x 360")
}

// One of many takes little of what is kept, however large the cells of the terminal are.
func TestThePixelsOfAPictureCanBeBounded(t *testing.T) {
	a := &album{}
	l := preview.New(preview.Options{Canvas: a})
	s := preview.Surface{Cell: image.Pt(20, 40)}
	l.SetSurface(s)
	r := preview.Request{Slot: "a", Path: file(t, "p.png", encode(t, "png", graded(640, 360))), Width: 60, Height: 20, Mode: preview.Mode{Surface: s}}
	require.NoError(t, load(t, l.Load(r)).Err)
	assert.Greater(t, len(a.last.Pix), 4<<17, "all of its pixels")
	r.Pixels = 1 << 17
	require.NoError(t, load(t, l.Load(r)).Err)
	assert.LessOrEqual(t, len(a.last.Pix), 4<<17)
	assert.InDelta(t, 16.0/9, float64(a.last.Rect.Dx())/float64(a.last.Rect.Dy()), 0.1)
}
