//go:build unix

package paint

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	"darkroom/tui/paint/internal/tty"
)

// maxReplay bounds what is replayed of the captured output, in bytes.
const maxReplay = 64 << 10

// stuckWait is how long the loop has to end after a failure before it is left behind.
const stuckWait = 2 * time.Second

// PanicError is a panic that was caught and ended the program in order.
type PanicError struct {
	Text  string // the panic's value, made printable
	Stack string // the stack of the goroutine, made printable
}

func (e *PanicError) Error() string { return "panic: " + e.Text }

// HungError says that the loop hung, and was left behind.
type HungError struct{ Why error }

func (e *HungError) Error() string { return "the console hung and was ended: " + e.Why.Error() }

func (e *HungError) Unwrap() error { return e.Why }

// SignalError says that a signal ended the program. A shell expects the exit
// status 128 plus the signal's number.
type SignalError struct{ Signal syscall.Signal }

func (e *SignalError) Error() string { return "ended by signal: " + e.Signal.String() }

func newPanic(value any) *PanicError {
	return &PanicError{Text: printable(fmt.Sprint(value)), Stack: cleaned(string(debug.Stack()))}
}

// Go runs f in a goroutine. A panic in it ends the program in order: the
// terminal is given back, and Run returns a [*PanicError].
func (t *Terminal) Go(f func()) {
	go func() {
		defer t.Recover()
		f()
	}()
}

// Recover does the same for a goroutine that is not started with [Terminal.Go]: defer it at the
// goroutine's top.
func (t *Terminal) Recover() {
	if value := recover(); value != nil {
		t.fail(newPanic(value))
	}
}

// fail ends the program from any goroutine. The first failure counts. A loop that does
// not end in time (an Update that hangs) is left behind.
func (t *Terminal) fail(err error) { t.failWithin(err, stuckWait) }

// failWithin is fail for a loop that has only so long to end.
func (t *Terminal) failWithin(err error, wait time.Duration) {
	select {
	case t.failure <- err:
	default:
		return
	}
	if p := t.program.Load(); p != nil {
		// Not Kill: it closes bubbletea's reader without waiting for it.
		go p.Quit()
	}
	time.AfterFunc(wait, func() { t.endStuck(err) })
}

// endStuck ends the program if the loop has not ended by itself. While a child has the terminal,
// the loop has as much time as it needs.
func (t *Terminal) endStuck(err error) {
	if t.child.Load() != nil {
		time.AfterFunc(stuckWait, func() { t.endStuck(err) })
		return
	}
	t.stuck <- err
}

// explain writes what was captured, and a panic with its stack, to standard error. The terminal has
// been left. A terminal that takes no bytes cannot hold up the end of the program.
func (t *Terminal) explain(err error) {
	text := cleaned(t.capture.End(maxReplay))
	if p, ok := errors.AsType[*PanicError](err); ok {
		text += "panic: " + p.Text + "\n\n" + p.Stack + "\n"
	}
	switch {
	case text == "":
	case tty.Is(os.Stderr):
		if t.out.acquire(leaveWait) {
			_ = t.out.say(text, leaveWait)
			t.out.release()
		}
	default:
		_, _ = os.Stderr.WriteString(text)
	}
}
