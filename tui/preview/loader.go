package preview

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/mediainfo"
)

// Request asks for a preview. Width and height are cells.
type Request struct {
	// Slot is the place on the screen that it is for: a newer request for the same slot
	// cancels an older one that is not done.
	Slot string
	// Path is the media file; it may be "" when there is only a picture of it.
	Path string
	// Poster is a picture that stands for a video, such as its cover; "" for none. Spare stands in
	// if that one cannot be shown; without both, the file itself is looked into.
	Poster, Spare string
	Width, Height int
	Mode          Mode
	Part          Part
	// Pixels bounds what a canvas that scales by itself is given, so that many pictures can
	// be kept; 0 is the usual bound.
	Pixels int
	// Low marks one of many, such as a thumbnail: at least one worker stays free for other
	// requests. It is not part of the key.
	Low bool
	// Once marks a file that will be gone before it is asked for in another run: nothing of it is kept on
	// the disk, where it would take the room of others. It is not part of the key.
	Once bool
}

// Key tells previews apart; it is a Request without its slot.
type Key struct {
	Path, Poster  string
	Spare         string
	Width, Height int
	Mode          Mode
	Part          Part
	Pixels        int
}

// Key is the key of what the request asks for.
func (r Request) Key() Key {
	return Key{r.Path, r.Poster, r.Spare, r.Width, r.Height, r.Mode, r.Part, r.Pixels}
}

// ReadyMsg is the answer to a request. Lines are exactly Key.Width x Key.Height cells,
// and nil when there is no picture to show: then draw [Card] of Info. Err says what went
// wrong; Info holds what could be read nevertheless.
type ReadyMsg struct {
	Slot  string
	Key   Key
	Lines []string
	Info  mediainfo.Info
	// Size is the size of the picture in its own pixels if Key.Part asked for more than a small
	// copy; else zero.
	Size image.Point
	Err  error
}

// Loader makes previews in commands. It makes a few at a time, and keeps what was made, up to a
// number of bytes. It is safe for concurrent use.
type Loader struct {
	o      Options
	work   chan struct{} // holds a token for each preview being made
	low    chan struct{} // and for each of those whose request is Low
	limits Limits

	mu      sync.Mutex
	slots   map[string]*job // the request of each slot that counts
	kept    lru
	sources []source // pictures of which parts are looked at, the newest last
	surface Surface
	closed  bool
}

type job struct {
	ctx  context.Context //nolint:containedctx // the job is what can be cancelled
	stop context.CancelFunc
}

// New makes a loader.
func New(o Options) *Loader {
	if o.Bytes <= 0 {
		o.Bytes = 8 << 20
	}
	l := &Loader{
		o:      o,
		work:   make(chan struct{}, max(1, o.Workers)),
		low:    make(chan struct{}, max(1, o.Workers-1)),
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

// Peek returns what is kept for a request, without checking whether the file has changed: to draw
// at once while the command of [Loader.Load] runs.
func (l *Loader) Peek(r Request) (ReadyMsg, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.kept.latest(r.Key())
	if !ok {
		return ReadyMsg{}, false
	}
	return e.ready(r), true
}

// Lost reports whether the canvas has dropped a picture whose lines were handed out: they are
// blanks now, and the picture has to be asked for again. It reports each loss once.
func (l *Loader) Lost(k Key) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	lost := l.kept.lost[k]
	delete(l.kept.lost, k)
	return lost
}

// Load returns a command that answers with a [ReadyMsg], or with nothing if it was cancelled. The
// call itself does no I/O and does not wait; it cancels the slot's older request at once.
func (l *Loader) Load(r Request) tea.Cmd {
	return l.begin(r.Slot, r.Low, func(ctx context.Context) tea.Msg { return l.make(ctx, r) })
}

// begin returns a command for a slot, whose work waits for its turn; low work leaves a worker free.
func (l *Loader) begin(slot string, low bool, work func(context.Context) tea.Msg) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	j := &job{ctx: ctx, stop: stop}
	l.mu.Lock()
	if old := l.slots[slot]; old != nil {
		old.stop()
	}
	l.slots[slot] = j
	if l.closed {
		stop()
	}
	l.mu.Unlock()
	return func() tea.Msg {
		defer l.done(slot, j)
		if low {
			if !take(j.ctx, l.low) {
				return nil
			}
			defer func() { <-l.low }()
		}
		if !take(j.ctx, l.work) {
			return nil
		}
		defer func() { <-l.work }()
		msg := work(j.ctx)
		if j.ctx.Err() != nil {
			return nil
		}
		return msg
	}
}

// take waits for a token until ctx ends.
func take(ctx context.Context, tokens chan struct{}) bool {
	if ctx.Err() != nil { // select could still choose a free token
		return false
	}
	select {
	case tokens <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
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
type stamp struct{ media, poster, spare state }

// state is the state of a file; zero for a missing one.
type state struct {
	at   time.Time
	size int64
}

func stampOf(r Request) stamp { return stamp{stateOf(r.Path), stateOf(r.Poster), stateOf(r.Spare)} }

func stateOf(path string) state {
	if path == "" {
		return state{}
	}
	st, err := os.Stat(path)
	if err != nil {
		return state{}
	}
	return state{st.ModTime(), st.Size()}
}

// probe returns what a file says of itself.
func probe(ctx context.Context, path string) (mediainfo.Info, error) {
	info, err := mediainfo.Read(ctx, path)
	if err != nil {
		err = fmt.Errorf("preview: %w", err)
	}
	return info, err
}

func (l *Loader) make(ctx context.Context, r Request) ReadyMsg {
	at := stampOf(r)
	l.mu.Lock()
	e, ok := l.kept.get(r.Key(), at)
	l.mu.Unlock()
	if ok {
		return e.ready(r)
	}
	got := entry{}
	if r.Path != "" {
		got.info, got.err = probe(ctx, r.Path)
	}
	if ctx.Err() == nil {
		got.err = errors.Join(got.err, l.look(ctx, r, &got))
	}
	return l.keep(ctx, r, at, got).ready(r)
}

// keep keeps what was made, and returns what to show. An error is kept only if there is something
// to see beside it. Lines of the canvas are valid as long as it has their picture, which is as long
// as they are kept.
func (l *Loader) keep(ctx context.Context, r Request, at stamp, got entry) entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil || got.err != nil && got.lines == nil {
		l.drop(got)
		got.lines, got.number = nil, 0
		return got
	}
	if e, ok := l.kept.get(r.Key(), at); ok { // made meanwhile for another place, and shown there
		l.drop(got)
		return e
	}
	l.kept.put(r.Key(), at, got)
	return got
}

// drop has the canvas forget a picture whose lines nobody has.
func (l *Loader) drop(e entry) {
	if e.number > 0 {
		l.o.Canvas.Drop(e.number)
	}
}
