package preview

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/mediainfo"
)

// Bounds of what is decoded of a video.
const (
	clipBytes  = 48 << 20  // of pictures, on the disk
	clipMemory = 16 << 20  // where there is no disk to keep them on
	clipPixels = 320 * 180 // of a picture that the canvas scales
	clipRate   = 10        // pictures a second, at least, as long as the bounds allow
	clipMost   = 30        // and at most
)

// Clip holds the pictures of a video, scaled for a place on the screen and decoded ahead, so that
// playing it again decodes nothing. It is safe for concurrent use.
type Clip struct {
	Info   mediainfo.Info
	Frames int
	Rate   float64 // frames a second
	// Whole says that it holds all of the video, not only its beginning.
	Whole bool

	key        Key
	cols, rows int
	size       image.Point // of a frame as decoded
	show       image.Point // and as the canvas takes it
	src        frames
	canvas     Canvas // nil where it is drawn in cells
	turn       atomic.Int64

	mu     sync.Mutex // guards what follows, and the canvas' picture
	buf    []byte
	px     *image.RGBA // the frame, where it can be used again
	number int
	lines  []string
	closed bool
}

// Length is how long the clip plays.
func (c *Clip) Length() time.Duration {
	return time.Duration(float64(c.Frames) / c.Rate * float64(time.Second))
}

// errTurn means that a newer frame was asked for.
var errTurn = errors.New("preview: a newer frame is wanted")

// frame returns one of the clip's pictures as lines of exactly the size that was asked for. It
// reads the disk and draws: call it in a command. Of several turns only the newest counts.
func (c *Clip) frame(i int, turn int64) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.turn.Load() != turn {
		return nil, errTurn
	}
	if c.buf == nil {
		c.buf = make([]byte, 3*c.size.X*c.size.Y)
	}
	if _, err := c.src.ReadAt(c.buf, int64(i)*int64(len(c.buf))); err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	m := c.key.Mode.drawn()
	px := c.px
	if px == nil {
		px = image.NewRGBA(image.Rectangle{Max: c.show})
	}
	if c.canvas == nil || !m.Surface.Exact { // nobody keeps it
		c.px = px
	}
	enlarge(px, c.buf, c.size)
	if c.canvas == nil {
		return framed(cells(px, m), c.cols, c.key.Width, c.key.Height), nil
	}
	if c.number > 0 && c.canvas.Replace(c.number, px) == nil {
		return c.lines, nil
	}
	c.drop()
	number, lines, err := c.canvas.Put(px, c.cols, c.rows)
	if err != nil {
		return nil, err
	}
	c.number, c.lines = number, framed(lines, c.cols, c.key.Width, c.key.Height)
	return c.lines, nil
}

func (c *Clip) drop() {
	if c.number > 0 {
		c.canvas.Drop(c.number)
		c.number = 0
	}
}

// close releases the pictures. It may wait for a frame that is being drawn.
func (c *Clip) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		c.drop()
		_ = c.src.Close()
	}
}

// ClipMsg is the answer to [Loader.Clip]. Err says why the video cannot be played.
type ClipMsg struct {
	Slot string
	Key  Key
	Clip *Clip
	Err  error
}

// Clip is a command that decodes a video for a place, and answers with a [ClipMsg], or with
// nothing when it was cancelled. Slots and workers are those of [Loader.Load].
func (l *Loader) Clip(r Request) tea.Cmd {
	return l.begin(r.Slot, false, func(ctx context.Context) tea.Msg {
		c, err := l.clip(ctx, r)
		if ctx.Err() != nil {
			if c != nil {
				c.close()
			}
			return nil
		}
		return ClipMsg{Slot: r.Slot, Key: r.Key(), Clip: c, Err: err}
	})
}

// Moves reports whether videos can be decoded here at all: that takes ffmpeg.
func (l *Loader) Moves() bool { return l != nil && l.o.Tool != nil }

func (l *Loader) clip(ctx context.Context, r Request) (*Clip, error) {
	if l.o.Tool == nil {
		return nil, errors.New("that takes ffmpeg, which is not installed")
	}
	info, err := probe(ctx, r.Path)
	if err != nil {
		return nil, err
	}
	if info.Kind != mediainfo.Video {
		return nil, errors.New("it is not a video")
	}
	info.Cover = nil
	c := &Clip{Info: info, key: r.Key()}
	m := r.Mode.drawn()
	if c.cols, c.rows = fit(info.Width, info.Height, r.Width, r.Height, m.Surface.Cell); c.cols == 0 {
		return nil, errors.New("there is no picture in it")
	}
	if m.Surface != (Surface{}) {
		c.canvas = l.o.Canvas
	}
	c.size, c.show = clipSize(image.Pt(info.Width, info.Height), c.cols, c.rows, m)
	if err := l.decodeClip(ctx, r, c); err != nil {
		return nil, err
	}
	return c, nil
}

// clipSize returns the size in which frames are kept, and that in which they are shown.
func clipSize(source image.Point, cols, rows int, m Mode) (kept, shown image.Point) {
	shown = pixels(source, cols, rows, m, maxScaled)
	if m.Surface == (Surface{}) {
		return shown, shown
	}
	kept = shown
	if n := kept.X * kept.Y; n > clipPixels {
		by := math.Sqrt(float64(clipPixels) / float64(n))
		kept = image.Pt(max(1, int(float64(kept.X)*by)), max(1, int(float64(kept.Y)*by)))
	}
	if !m.Surface.Exact {
		shown = kept
	}
	return kept, shown
}

// plan says how much of a video is decoded: every frame if there is room for that, else fewer a
// second, and only the beginning of a long one.
func (c *Clip) plan(room int64) FrameSpec {
	cell := c.key.Mode.Surface.Cell
	if cell == (image.Point{}) {
		cell = image.Pt(1, 2)
	}
	s := FrameSpec{Size: c.size, Shape: float64(c.cols*cell.X) / float64(c.rows*cell.Y), Rate: c.Info.FPS, Most: int(max(1, room/int64(3*c.size.X*c.size.Y)))}
	if !(s.Rate > 0.1) {
		s.Rate = clipRate
	}
	s.Rate = min(s.Rate, clipMost)
	if d := c.Info.Duration.Seconds(); d*s.Rate > float64(s.Most) {
		s.Rate = max(min(clipRate, s.Rate), float64(s.Most)/d)
	}
	c.Whole = c.Info.Duration.Seconds()*s.Rate <= float64(s.Most)+1
	return s
}

// decodeClip finds the frames on the disk, or makes them.
func (l *Loader) decodeClip(ctx context.Context, r Request, c *Clip) error {
	room := int64(clipMemory)
	if l.o.Disk != nil {
		room = min(clipBytes, l.o.Disk.most/4)
	}
	s := c.plan(room)
	c.Rate = s.Rate
	defer func() {
		if c.Info.Duration == 0 { // not told: then the frames tell
			c.Whole = c.Whole && c.Frames < s.Most
		}
	}()
	name := diskName(r.Path, r)
	frame := int64(3 * s.Size.X * s.Size.Y)
	if c.src, c.Frames = l.o.Disk.clip(name, frame, s.Most); c.src != nil {
		return nil
	}
	store, err := l.o.Disk.newFrames(int64(s.Most) * frame)
	if err != nil {
		return err
	}
	err = l.o.Tool.Frames(ctx, r.Path, c.Info, s, store)
	c.Frames = int(store.Len() / frame)
	if c.Frames == 0 || ctx.Err() != nil {
		_ = store.Close()
		if err == nil {
			err = errors.New("preview: ffmpeg found nothing to show")
		}
		return err
	}
	if err != nil { // damaged further on, or too long for the time: what came plays
		c.Whole = false
	} else {
		l.o.Disk.keepFrames(store, name)
	}
	c.src = store
	return nil
}

// frames are where the pictures of a clip lie.
type frames interface {
	ReadAt(p []byte, off int64) (int, error)
	Close() error
}

// frameFile keeps frames in a file, or in memory where there is none.
type frameFile struct {
	file *os.File
	got  bounded
	n    int64
	most int64
	kept bool // the file has a name of the cache
}

// Write implements io.Writer.
func (f *frameFile) Write(p []byte) (n int, err error) {
	if f.n+int64(len(p)) > f.most {
		return 0, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, f.most)
	}
	if f.file == nil {
		n, err = f.got.Write(p)
	} else {
		n, err = f.file.Write(p)
	}
	f.n += int64(n)
	return n, err
}

// Len is how many bytes were written.
func (f *frameFile) Len() int64 { return f.n }

// ReadAt implements io.ReaderAt.
func (f *frameFile) ReadAt(p []byte, off int64) (int, error) {
	if f.file != nil {
		return f.file.ReadAt(p, off)
	}
	if off < 0 || off+int64(len(p)) > int64(len(f.got.got)) {
		return 0, errors.New("damaged")
	}
	return copy(p, f.got.got[off:]), nil
}

// Close implements io.Closer.
func (f *frameFile) Close() error {
	if f.file == nil {
		return nil
	}
	if !f.kept {
		_ = os.Remove(f.file.Name())
	}
	return f.file.Close()
}
