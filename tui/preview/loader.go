package preview

import (
	"context"
	"errors"
	"image"
	"os"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Request asks for a preview. Width and height are cells.
type Request struct {
	// Slot is the place on the screen that it is for: a newer request for the same slot
	// cancels an older one that is not done.
	Slot string
	// Path is the media file; it may be "" when there is only a picture of it.
	Path string
	// Poster is a picture that stands for a video, as its cover; "" for none.
	Poster        string
	Width, Height int
	Mode          Mode
}

// Key tells previews apart; it is a Request without its slot.
type Key struct {
	Path, Poster  string
	Width, Height int
	Mode          Mode
}

// Key is the key of what the request asks for.
func (r Request) Key() Key { return Key{r.Path, r.Poster, r.Width, r.Height, r.Mode} }

// ReadyMsg is the answer to a request. Lines are exactly Key.Width x Key.Height cells,
// and nil when there is no picture to show: then draw [Card] of Info. Err says what went
// wrong; Info holds what could be read nevertheless.
type ReadyMsg struct {
	Slot  string
	Key   Key
	Lines []string
	Info  Info
	Err   error
}

// Canvas shows pictures as pixels: the terminal, where it can.
type Canvas interface {
	// Put takes a picture that is to fill cols x rows cells, and returns its number and
	// the lines of cells that show it.
	Put(img *image.RGBA, cols, rows int) (number int, lines []string, err error)
	// Drop forgets a picture.
	Drop(number int)
}

// Tool gets out of media files what this package can not: see [FFmpeg].
type Tool interface {
	// Poster is a picture of a video.
	Poster(ctx context.Context, path string, info Info, lim Limits) (image.Image, error)
	// Wave is the loudness of a sound over time, as in [Info].
	Wave(ctx context.Context, path string, info Info) ([]float64, error)
}

// Options say how a loader works. All of them may be left out.
type Options struct {
	Workers int   // previews that are made at a time; 1
	Bytes   int64 // what is kept in memory; 8 MB
	ASCII   bool  // draw in ASCII whatever the terminal can
	// Sextants draws cells in sixths: the person says that the font has them.
	Sextants bool
	Canvas   Canvas // shows pixels, once [Loader.SetSurface] says that it can
	Disk     *Disk  // keeps pictures from one run to the next
	Tool     Tool
}

// Loader makes previews in commands. A few work at a time, and what was made is kept up
// to a number of bytes. It is safe for concurrent use.
type Loader struct {
	o      Options
	work   chan struct{} // holds a token for each preview being made
	limits Limits

	mu      sync.Mutex
	slots   map[string]*job // the request of each slot that counts
	kept    lru
	surface Surface
	closed  bool
}

type job struct {
	ctx  context.Context //nolint:containedctx // the job is what can be cancelled
	stop context.CancelFunc
}

// NewLoader makes a loader for workers at a time that keeps previews of cacheBytes in all
// and draws in cells.
func NewLoader(workers int, cacheBytes int64) *Loader {
	return New(Options{Workers: workers, Bytes: cacheBytes})
}

// New makes a loader.
func New(o Options) *Loader {
	if o.Bytes <= 0 {
		o.Bytes = 8 << 20
	}
	l := &Loader{
		o:      o,
		work:   make(chan struct{}, max(1, o.Workers)),
		limits: DefaultLimits(),
		slots:  map[string]*job{},
		kept:   newLRU(o.Bytes),
	}
	if o.Canvas != nil {
		l.kept.dropped = o.Canvas.Drop
	}
	return l
}

// Close gives everything up and waits, for at most the given time, until nothing of it
// works any more: no program that it started is left behind.
func (l *Loader) Close(most time.Duration) {
	l.mu.Lock()
	l.closed = true
	for _, j := range l.slots {
		j.stop()
	}
	l.mu.Unlock()
	timer := time.NewTimer(most)
	defer timer.Stop()
	for range cap(l.work) {
		select {
		case l.work <- struct{}{}:
		case <-timer.C:
			return
		}
	}
}

// Peek is what is kept for a request, without looking whether the file has changed: to
// draw at once while the command of [Loader.Load] runs.
func (l *Loader) Peek(r Request) (ReadyMsg, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.kept.latest(r.Key())
	if !ok {
		return ReadyMsg{}, false
	}
	return ReadyMsg{Slot: r.Slot, Key: r.Key(), Lines: e.lines, Info: e.info}, true
}

// Lost says that the canvas does not have a picture any more whose lines were handed out:
// they are blanks now, and it is to be asked for again. It says so once.
func (l *Loader) Lost(k Key) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	lost := l.kept.lost[k]
	delete(l.kept.lost, k)
	return lost
}

// Load is a command that answers with a [ReadyMsg], or with nothing when it was
// cancelled. The call itself does no I/O and does not wait; it cancels the slot's older
// request at once.
func (l *Loader) Load(r Request) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	j := &job{ctx: ctx, stop: stop}
	l.mu.Lock()
	if old := l.slots[r.Slot]; old != nil {
		old.stop()
	}
	l.slots[r.Slot] = j
	if l.closed {
		stop()
	}
	l.mu.Unlock()
	return func() tea.Msg {
		defer l.done(r.Slot, j)
		select {
		case l.work <- struct{}{}:
			defer func() { <-l.work }()
		case <-j.ctx.Done():
			return nil
		}
		msg := l.make(j.ctx, r)
		if j.ctx.Err() != nil {
			return nil
		}
		return msg
	}
}

// Cancel gives up what a slot has asked for.
func (l *Loader) Cancel(slot string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j := l.slots[slot]; j != nil {
		j.stop()
		delete(l.slots, slot)
	}
}

func (l *Loader) done(slot string, j *job) {
	j.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.slots[slot] == j {
		delete(l.slots, slot)
	}
}

// stamp says which state of the files a preview was made from.
type stamp struct {
	media, poster time.Time
	size, psize   int64
}

func stampOf(r Request) stamp {
	var s stamp
	if st, err := os.Stat(r.Path); err == nil {
		s.media, s.size = st.ModTime(), st.Size()
	}
	if r.Poster == "" {
		return s
	}
	if st, err := os.Stat(r.Poster); err == nil {
		s.poster, s.psize = st.ModTime(), st.Size()
	}
	return s
}

func (l *Loader) make(ctx context.Context, r Request) ReadyMsg {
	msg := ReadyMsg{Slot: r.Slot, Key: r.Key()}
	at := stampOf(r)
	l.mu.Lock()
	e, ok := l.kept.get(r.Key(), at)
	l.mu.Unlock()
	if ok {
		msg.Lines, msg.Info = e.lines, e.info
		return msg
	}
	if r.Path != "" {
		msg.Info, msg.Err = Probe(r.Path)
	}
	got := entry{info: msg.Info}
	if ctx.Err() == nil {
		err := l.look(ctx, r, &got)
		msg.Lines, msg.Info, msg.Err = got.lines, got.info, errors.Join(msg.Err, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case msg.Err == nil && ctx.Err() == nil:
		l.kept.put(r.Key(), at, got)
	case got.number > 0:
		l.o.Canvas.Drop(got.number)
	}
	return msg
}

// look draws the picture that there is, and has the tool look into what has none.
func (l *Loader) look(ctx context.Context, r Request, e *entry) (err error) {
	// A decoder that panics on hostile bytes costs its picture, not the console.
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("preview: the picture is damaged")
		}
	}()
	if tool := l.o.Tool; e.info.Kind == Audio && tool != nil && len(e.info.Wave) == 0 {
		if wave, err := tool.Wave(ctx, r.Path, e.info); err == nil {
			e.info.Wave = wave
		}
	}
	below := caption(e.info, r)
	r.Height -= len(below)
	file, read := r.Poster, l.decode
	switch tool := l.o.Tool; {
	case file != "":
	case e.info.Kind == Picture:
		file = r.Path
	case e.info.Kind == Video && tool != nil:
		file = r.Path
		read = func(ctx context.Context, path string) (image.Image, error) {
			return tool.Poster(ctx, path, e.info, l.limits)
		}
	default:
		return nil
	}
	f, err := l.fitted(ctx, file, r, read)
	if file == r.Path && e.info.Kind == Video {
		err = nil // there is the card
	}
	if err != nil || f.px == nil {
		return err
	}
	l.show(f, r, e)
	e.lines = append(e.lines, below...)
	return nil
}

// The lines of a waveform below the cover of a sound, and the least height that a preview
// has with them.
const (
	captionLines = 2
	captionFrom  = 9
)

// caption is what stands below a picture.
func caption(info Info, r Request) []string {
	w := min(r.Width-4, 60)
	if info.Kind != Audio || len(info.Wave) == 0 || r.Height < captionFrom || w < 8 {
		return nil
	}
	return append([]string{strings.Repeat(" ", r.Width)}, framed(bars(info.Wave, w, captionLines), w, r.Width, captionLines)...)
}

// show makes the lines of a picture: of the canvas, or in cells.
func (l *Loader) show(f fitted, r Request, e *entry) {
	m := r.Mode.drawn()
	if m.Surface != (Surface{}) && l.o.Canvas != nil {
		if number, lines, err := l.o.Canvas.Put(f.px, f.cols, f.rows); err == nil {
			e.number, e.pixels = number, int64(len(f.px.Pix))
			e.lines = framed(lines, f.cols, r.Width, r.Height)
			return
		}
		sx, sy := subcells(m.Blocks)
		f.px = scale(f.px, f.cols*sx, f.rows*sy)
	}
	e.lines = framed(cells(f.px, m), f.cols, r.Width, r.Height)
}

func (l *Loader) decode(_ context.Context, file string) (image.Image, error) {
	f, _, err := openRegular(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return Decode(f, l.limits)
}
