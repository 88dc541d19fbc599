package preview

import (
	"context"
	"errors"
	"os"
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

// Loader makes previews in commands. A few work at a time, and what was made is kept up
// to a number of bytes. It is safe for concurrent use.
type Loader struct {
	work   chan struct{} // holds a token for each preview being made
	limits Limits

	mu    sync.Mutex
	slots map[string]*job // the request of each slot that counts
	kept  lru
}

type job struct {
	ctx  context.Context //nolint:containedctx // the job is what can be cancelled
	stop context.CancelFunc
}

// NewLoader makes a loader for workers (at least 1) at a time that keeps previews of
// cacheBytes in all (8 MB for 0).
func NewLoader(workers int, cacheBytes int64) *Loader {
	if cacheBytes <= 0 {
		cacheBytes = 8 << 20
	}
	return &Loader{
		work:   make(chan struct{}, max(1, workers)),
		limits: DefaultLimits(),
		slots:  map[string]*job{},
		kept:   newLRU(cacheBytes),
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
	file := r.Poster
	if file == "" && msg.Info.Kind == Picture {
		file = r.Path
	}
	if file != "" && ctx.Err() == nil {
		lines, err := l.draw(ctx, file, r)
		msg.Lines, msg.Err = lines, errors.Join(msg.Err, err)
	}
	if msg.Err == nil && ctx.Err() == nil {
		l.mu.Lock()
		l.kept.put(r.Key(), at, entry{lines: msg.Lines, info: msg.Info})
		l.mu.Unlock()
	}
	return msg
}

func (l *Loader) draw(ctx context.Context, file string, r Request) (lines []string, err error) {
	// A decoder that panics on hostile bytes costs its picture, not the console.
	defer func() {
		if p := recover(); p != nil {
			lines, err = nil, errors.New("preview: the picture is damaged")
		}
	}()
	f, _, err := openRegular(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	img, err := Decode(f, l.limits)
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	return Lines(img, r.Width, r.Height, r.Mode), nil
}
