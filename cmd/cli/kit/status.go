package kit

import (
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
)

// How often a status is told: on a terminal, and where each one is a line more.
const (
	statusTick = time.Second
	statusLine = 5 * time.Second
)

// Status tells on standard error how far something is: on a terminal in a line that is rewritten each
// second, elsewhere in a line every few seconds.
type Status struct {
	io   *IO
	text func() string
	stop chan struct{}
	done sync.WaitGroup

	mu    sync.Mutex
	drawn bool
}

// Status starts one. Text is called by a goroutine of its own, and may be "" for nothing to tell.
func (s *IO) Status(text func() string) *Status {
	x := &Status{io: s, text: text, stop: make(chan struct{})}
	every := statusLine
	if s.TtyErr != nil {
		every = statusTick
	}
	x.done.Go(func() {
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				x.tell()
			case <-x.stop:
				return
			}
		}
	})
	return x
}

// Above prints something else, in the place of the line.
func (x *Status) Above(print func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.erase()
	print()
}

// Stop ends it, and erases its line. It may be called once.
func (x *Status) Stop() {
	close(x.stop)
	x.done.Wait()
	x.Above(func() {})
}

func (x *Status) tell() {
	text := client.CleanLine(x.text())
	x.mu.Lock()
	defer x.mu.Unlock()
	x.erase()
	switch {
	case text == "":
	case x.io.TtyErr == nil:
		x.io.Notef("darkroom: %s\n", text)
	default:
		w, _ := x.io.Size()
		x.io.Notef("%s", ansi.Truncate("darkroom: "+text, w-1, "…"))
		x.drawn = true
	}
}

func (x *Status) erase() {
	if x.drawn {
		x.io.Notef("\r\x1b[K")
		x.drawn = false
	}
}
