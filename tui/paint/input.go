//go:build unix

package paint

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// ErrGone means that the terminal was closed or lost.
var ErrGone = errors.New("the terminal is gone")

const (
	// keyWait is how long Alt with a character that begins a sequence waits for
	// the rest of the sequence. A lone Escape does not wait.
	keyWait = 25 * time.Millisecond
	// answerWait is how long either waits while answers are expected.
	answerWait = 60 * time.Millisecond
	// answersWithin is how long answers are expected at most.
	answersWithin = 2 * time.Second
	// inputRoom is kept free in the reader's buffer, for what the filter held
	// or puts in the place of a paste.
	inputRoom = maxCSI + 32
)

// input is the reader that bubbletea's loop reads keys from. It embeds the file
// so that reads stay cancellable, and takes the terminal's answers out.
type input struct {
	*os.File
	filter  filter
	deliver func(tea.Msg) // must not block
	buf     [4096]byte
	over    []byte // let through, but did not fit

	// until is when answers stop being expected, in Unix nanoseconds; 0 when
	// none are.
	until atomic.Int64
}

func newInput(file *os.File, pastes *shelf, deliver func(tea.Msg)) *input {
	in := &input{File: file, deliver: deliver}
	in.filter = filter{reply: in.take, pastes: pastes, most: maxPaste}
	return in
}

// expect says that the terminal was asked something.
func (in *input) expect() { in.until.Store(time.Now().Add(answersWithin).UnixNano()) }

// expecting says whether answers may still come.
func (in *input) expecting() bool {
	until := in.until.Load()
	return until != 0 && time.Now().UnixNano() < until
}

func (in *input) take(r reply) {
	if msg := answer(r); msg != nil {
		in.deliver(msg)
	}
}

// answered says that no more answers are expected.
func (in *input) answered() { in.until.Store(0) }

// Read returns whole keys, mouse reports and runes only, and may return 0 bytes
// without an error. It blocks no longer than a read of the file does, plus the
// short wait for the rest of a sequence.
func (in *input) Read(p []byte) (int, error) {
	if len(in.over) > 0 {
		n := copy(p, in.over)
		in.over = in.over[n:]
		return n, nil
	}
	// Everything that is read must be returned now: the loop waits for the file
	// to be readable, and does not know of bytes that wait here.
	room := max(len(p)-inputRoom, 1)
	out, err := in.more(nil, room)
	for err == nil && in.filter.undecided() && len(out) < room {
		if !readable(in.File, in.patience()) {
			out = in.filter.giveUp(out)
			break
		}
		out, err = in.more(out, room-len(out))
	}
	n := copy(p, out)
	in.over = append(in.over[:0], out[n:]...)
	if n > 0 {
		return n, nil // an error comes again at the next read
	}
	return n, err
}

func (in *input) patience() time.Duration {
	switch {
	case in.expecting():
		return answerWait
	case in.filter.loneEscape():
		return 0
	}
	return keyWait
}

// more reads once, at most room bytes, and appends what is let through.
func (in *input) more(out []byte, room int) ([]byte, error) {
	n, err := in.File.Read(in.buf[:min(room, len(in.buf))])
	out = in.filter.feed(out, in.buf[:n])
	if errors.Is(err, io.EOF) || errors.Is(err, unix.EIO) || n == 0 && err == nil {
		err = ErrGone
	}
	return out, err
}

// drain reads and drops answers that are still expected, for at most the given
// time, so that they do not reach whoever reads the terminal next. Nobody else
// may be reading.
func (in *input) drain(most time.Duration) {
	for end := time.Now().Add(most); in.expecting(); {
		left := time.Until(end)
		if left <= 0 || !readable(in.File, left) {
			return
		}
		if _, err := in.more(nil, len(in.buf)); err != nil {
			return
		}
	}
}

// readable waits until the file can be read, for at most the given time.
func readable(file *os.File, most time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLIN}} //nolint:gosec // a file descriptor fits
	for end := time.Now().Add(most); ; {
		n, err := unix.Poll(fds, int(max(time.Until(end), 0).Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n > 0
		}
	}
}
