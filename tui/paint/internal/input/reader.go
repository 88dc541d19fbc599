//go:build unix

// Package input reads the terminal: it tells what was typed from what the terminal answers, keeps
// pastes apart from keys, and sees ctrl+c whatever the program does.
package input

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/muesli/cancelreader"
	"golang.org/x/sys/unix"

	"darkroom/tui/paint/internal/tty"
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
	// pieceRoom is how much is read at once. With what the filter held, or puts in the
	// place of a paste, it fits into the buffer of bubbletea's reader.
	pieceRoom = 256 - maxCSI - 32
	// maxBehind is how much is kept for a loop that does not take it; the rest is dropped.
	maxBehind = maxPaste
)

// Reader reads the terminal by itself, whatever the loop does: a ctrl+c is seen while the loop
// hangs. It takes the terminal's answers out and keeps the keys until bubbletea's reader takes
// them, in pieces that end with a whole key.
//
// bubbletea's reader waits for it in Go. If it were a file, such as a pipe, each key would have to
// wake one more thread in the kernel, which takes half a millisecond on a busy machine.
type Reader struct {
	file        *os.File
	filter      filter
	pastes      shelf
	interrupted func() // told of each ctrl+c; must not block
	// Rested is called when the loop has taken all that was typed; nil for nothing. It may wait for
	// the loop.
	Rested func()
	buf    [pieceRoom]byte

	mu     sync.Mutex // guards all up to err
	more   sync.Cond  // there may be something to take
	pieces [][]byte
	closed bool // nothing is to be joined to the last piece
	behind int  // bytes in pieces
	err    error
	rests  bool // somebody waits in Read

	life   sync.Mutex                // guards all up to over
	reader cancelreader.CancelReader // nil while the terminal is not read
	done   chan struct{}             // closed when reader is used no more
	over   bool                      // it is not read again

	// until is when answers stop being expected, in Unix nanoseconds; 0 when
	// none are.
	until atomic.Int64
}

// New makes a reader of a terminal. It calls replied for each answer and each report of the
// terminal, and interrupted for each ctrl+c; neither may block.
func New(terminal *os.File, replied func(Reply), interrupted func()) *Reader {
	in := &Reader{file: terminal, interrupted: interrupted}
	in.more.L = &in.mu
	in.filter = filter{reply: replied, pastes: &in.pastes, most: maxPaste}
	return in
}

// Pasted returns the text of the paste that has this number in its place among the keys, once.
func (in *Reader) Pasted(number int) ([]byte, bool) { return in.pastes.take(number) }

// Expect says that the terminal was asked something.
func (in *Reader) Expect() { in.until.Store(time.Now().Add(answersWithin).UnixNano()) }

// expecting reports whether answers may still come.
func (in *Reader) expecting() bool {
	until := in.until.Load()
	return until != 0 && time.Now().UnixNano() < until
}

// Answered says that no more answers are expected.
func (in *Reader) Answered() { in.until.Store(0) }

// Start begins to read the terminal.
func (in *Reader) Start() error {
	in.life.Lock()
	defer in.life.Unlock()
	if in.over {
		return ErrGone
	}
	r, err := cancelreader.NewReader(in.file)
	if err != nil {
		return fmt.Errorf("reading the terminal: %w", err)
	}
	in.reader, in.done = r, make(chan struct{})
	go in.run(r, in.done)
	return nil
}

// Stop ends the reading, perhaps for good. When it returns, nothing here reads the terminal any
// more.
func (in *Reader) Stop(forGood bool) {
	in.life.Lock()
	defer in.life.Unlock()
	if forGood {
		in.over = true
		defer in.put(nil, true, ErrGone) // for whoever waits in Read
	}
	if in.reader == nil {
		return
	}
	in.reader.Cancel()
	<-in.done
	_ = in.reader.Close()
	in.reader = nil
}

// run reads until it is stopped, or the terminal is gone.
func (in *Reader) run(r io.Reader, done chan<- struct{}) {
	defer close(done)
	for {
		out, whole, err := in.piece(r)
		if errors.Is(err, cancelreader.ErrCanceled) {
			return
		}
		// A thread that returns from a long read goes on with the slice of time that it had before, and
		// the runtime would stop it in the middle of the key, as one that has run for all that while.
		runtime.Gosched()
		for ; in.filter.interrupts > 0; in.filter.interrupts-- {
			in.interrupted()
		}
		in.put(out, whole, err)
		if err != nil {
			return
		}
		// The loop goes first, on this thread. Else another one would have to be woken for it while
		// this one only waits for the next key.
		runtime.Gosched()
	}
}

// piece reads whole keys, mouse reports and runes, or nothing. It blocks no longer than a read
// does, plus the short wait for the rest of a sequence. whole is false if that wait was given up.
func (in *Reader) piece(r io.Reader) (out []byte, whole bool, err error) {
	out, err = in.read(r, nil, pieceRoom)
	for err == nil && in.filter.undecided() && len(out) < pieceRoom {
		if !tty.Readable(in.file, in.patience()) {
			return in.filter.giveUp(out), false, nil
		}
		out, err = in.read(in.file, out, pieceRoom-len(out))
	}
	return out, true, err
}

// put keeps a piece until it is taken. What comes while the loop is busy is joined, so that
// it is painted once.
func (in *Reader) put(out []byte, whole bool, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if last := len(in.pieces) - 1; len(out) > 0 && in.behind < maxBehind {
		in.behind += len(out)
		if last >= 0 && !in.closed && len(in.pieces[last])+len(out) <= pieceRoom {
			in.pieces[last] = append(in.pieces[last], out...)
		} else {
			in.pieces = append(in.pieces, out)
		}
		in.closed = !whole
	}
	in.err = err
	in.more.Signal()
}

// Read waits for one piece and takes it, for bubbletea's reader, which has handed to the loop all
// that it took before.
func (in *Reader) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.pieces) == 0 {
		if in.err != nil {
			return 0, in.err
		}
		if !in.rests && in.Rested != nil {
			in.rests = true
			in.mu.Unlock()
			in.Rested()
			in.mu.Lock()
			continue
		}
		in.more.Wait()
	}
	in.rests = false
	n := copy(p, in.pieces[0])
	in.behind -= n
	if in.pieces[0] = in.pieces[0][n:]; len(in.pieces[0]) == 0 {
		in.pieces = in.pieces[1:]
	}
	return n, nil
}

// Rests reports whether the loop has taken all that was typed.
func (in *Reader) Rests() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.rests && len(in.pieces) == 0
}

func (in *Reader) patience() time.Duration {
	switch {
	case in.expecting():
		return answerWait
	case in.filter.loneEscape():
		return 0
	}
	return keyWait
}

// read reads once, at most room bytes, and appends what is let through.
func (in *Reader) read(r io.Reader, out []byte, room int) ([]byte, error) {
	n, err := r.Read(in.buf[:min(room, len(in.buf))])
	out = in.filter.feed(out, in.buf[:n])
	if errors.Is(err, io.EOF) || errors.Is(err, unix.EIO) || n == 0 && err == nil {
		err = ErrGone
	}
	return out, err
}

// Drain reads and drops answers that are still expected, for at most the given
// time, so that they do not reach whoever reads the terminal next. Nobody else
// may be reading.
func (in *Reader) Drain(most time.Duration) {
	defer func() { in.filter.interrupts = 0 }()
	for end := time.Now().Add(most); in.expecting(); {
		left := time.Until(end)
		if left <= 0 || !tty.Readable(in.file, left) {
			return
		}
		if _, err := in.read(in.file, nil, len(in.buf)); err != nil {
			return
		}
	}
}
