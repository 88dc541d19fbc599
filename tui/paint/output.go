//go:build unix

package paint

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"darkroom/tui/paint/internal/tty"
)

// output is the writing side of the terminal: a one-slot mailbox for the newest
// frame, and the screen that it is compared with.
//
// post never blocks: it paints at once when the terminal takes the bytes, and
// leaves the rest to the writer goroutine otherwise.
type output struct {
	file *os.File
	raw  syscall.RawConn // nil: the file blocks, only the writer may write

	mu   sync.Mutex // guards next
	next *frame     // newest frame not yet painted

	wake chan struct{} // capacity 1: there may be something to send
	done chan struct{} // closed when the writer is to end
	held chan struct{} // capacity 1: the lock of all below, with a timeout

	screen  screen
	pics    *pictures
	acks    tmuxAcks
	buf     []byte
	rest    []byte // of buf, not yet sent
	active  bool   // between Enter and Leave: only then are frames painted
	painted bool   // a frame has been sent in full
	cut     bool   // a write was broken off, perhaps within a sequence
	first   func() // called once, in a goroutine of its own, after the first paint
	failed  func(error)
}

// openOutput opens the terminal behind a file once more. The new description can be non-blocking
// without making anybody else's so. If that is not possible, a duplicate is used, which blocks.
func openOutput(ours *os.File) (*output, error) {
	o := &output{
		wake: make(chan struct{}, 1),
		done: make(chan struct{}),
		held: make(chan struct{}, 1),
		pics: newPictures(os.Getpid()),
	}
	o.screen.pics = o.pics
	if fd, err := tty.Reopen(ours); err == nil {
		o.file = os.NewFile(uintptr(fd), ours.Name()) //nolint:gosec // not negative
		if raw, err := o.file.SyscallConn(); err == nil && o.file.SetWriteDeadline(time.Time{}) == nil {
			o.raw = raw
		}
		return o, nil
	}
	var err error
	o.file, err = tty.Duplicate(ours)
	return o, err
}

// acquire takes the lock, for at most the given time.
func (o *output) acquire(most time.Duration) bool {
	select {
	case o.held <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case o.held <- struct{}{}:
		return true
	case <-timer.C:
		return false
	}
}

func (o *output) release() { <-o.held }

// post makes f the newest frame and paints it at once if it can.
func (o *output) post(f frame) {
	o.mu.Lock()
	o.next = &f
	o.mu.Unlock()
	if o.raw != nil {
		select {
		case o.held <- struct{}{}:
			err := o.flush(o.try)
			o.release()
			if !errors.Is(err, unix.EAGAIN) && (err != nil || !o.pics.pending()) {
				o.report(err)
				return
			}
		default:
		}
	}
	o.signal()
}

func (o *output) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run is the writer goroutine. It ends when done is closed.
func (o *output) run() {
	for {
		select {
		case <-o.done:
			return
		case <-o.wake:
		}
		count := o.acks.before(o.pics)
		o.held <- struct{}{}
		err := o.flush(o.file.Write)
		if err == nil && o.active && o.pics.pending() {
			var ask int
			o.buf, ask = o.pics.piece(o.screen.renew(o.buf[:0]), count.taken)
			o.rest = o.buf
			err = o.flush(o.file.Write)
			if ask > 0 {
				go o.verify(count, ask)
			}
			o.signal() // for the next piece; whoever waits for the lock comes first
		}
		o.release()
		o.report(err)
	}
}

func (o *output) report(err error) {
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		o.failed(err)
	}
}

// try writes what the terminal takes without waiting.
func (o *output) try(b []byte) (n int, err error) {
	rawErr := o.raw.Write(func(fd uintptr) bool {
		for {
			n, err = unix.Write(int(fd), b) //nolint:gosec // a file descriptor fits
			if !errors.Is(err, unix.EINTR) {
				return true
			}
		}
	})
	n = max(n, 0)
	if err == nil {
		err = rawErr
	}
	if err == nil && n < len(b) {
		err = unix.EAGAIN
	}
	return n, err
}

// flush sends what is left of the last frame, then the newest one. The lock
// must be held.
func (o *output) flush(write func([]byte) (int, error)) error {
	for o.active {
		if len(o.rest) > 0 {
			n, err := write(o.rest)
			o.rest = o.rest[n:]
			if err != nil && !errors.Is(err, unix.EAGAIN) {
				o.rest, o.cut = nil, true
				o.screen.invalidate()
				o.pics.resend()
			}
			if err != nil {
				return err
			}
			if !o.painted {
				o.painted = true
				go o.first()
			}
		}
		f := o.take()
		if f == nil {
			return nil
		}
		o.buf = o.screen.paint(o.buf[:0], *f)
		o.rest = o.buf
	}
	return nil
}

func (o *output) take() *frame {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := o.next
	o.next = nil
	return f
}

// say writes a control string that is not part of a frame, waiting for at most the given time. The
// lock must be held.
func (o *output) say(s string, most time.Duration) error {
	if len(o.rest) > 0 {
		o.rest, o.cut = nil, true
		o.redo()
	}
	if o.cut {
		s, o.cut = "\x18\x1b\\"+s, false // CAN and ST end whatever was begun
	}
	if o.raw != nil {
		_ = o.file.SetWriteDeadline(time.Now().Add(most))
		defer func() { _ = o.file.SetWriteDeadline(time.Time{}) }()
	}
	_, err := o.file.WriteString(s)
	if err != nil {
		o.cut = true
	}
	return err
}

// redo has the frame that was broken off painted again, in full, unless a newer
// one waits. The lock must be held.
func (o *output) redo() {
	o.mu.Lock()
	if o.next == nil {
		f := o.screen.shown
		o.next = &f
	}
	o.mu.Unlock()
	o.screen.invalidate()
	o.pics.resend()
	o.signal()
}

// kick breaks off a write that the terminal does not take, so that whoever
// waits for the lock gets it.
func (o *output) kick() {
	if o.raw != nil {
		_ = o.file.SetWriteDeadline(time.Now())
	}
}
