//go:build unix

package paint

import (
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"time"
)

// stuckWait is how long the loop has to end after a failure before the process
// is ended under it.
const stuckWait = 2 * time.Second

// PanicError is a panic that was caught and ended the program in order.
type PanicError struct {
	Text  string // the panic's value, made printable
	Stack string // the stack of the goroutine, made printable
}

func (e *PanicError) Error() string { return "panic: " + e.Text }

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

// Recover is to be deferred at the top of a goroutine that is not started with
// [Terminal.Go], to the same end.
func (t *Terminal) Recover() {
	if value := recover(); value != nil {
		t.fail(newPanic(value))
	}
}

// fail ends the program from any goroutine. The first failure counts. When the
// loop does not end in time (an Update that hangs), the terminal is given back
// and the process ended.
func (t *Terminal) fail(err error) {
	select {
	case t.failure <- err:
	default:
		return
	}
	if p := t.program.Load(); p != nil {
		// Not Kill: it closes bubbletea's reader without waiting for it.
		go p.Quit()
	}
	time.AfterFunc(stuckWait, func() { t.endStuck(err) })
}

// endStuck ends the process if the loop has not ended by itself. It has as much
// time as it needs while somebody is at the editor.
func (t *Terminal) endStuck(err error) {
	select {
	case <-t.ended:
		return
	default:
	}
	if t.child.Load() != nil {
		time.AfterFunc(stuckWait, func() { t.endStuck(err) })
		return
	}
	t.Leave()
	t.capture.stop()
	t.explain(err)
	os.Exit(exitStatus(err))
}

func exitStatus(err error) int {
	if s, ok := err.(*SignalError); ok { //nolint:errorlint // made by fail's caller, never wrapped
		return 128 + int(s.Signal)
	}
	return 2
}

// explain writes what was captured, and a panic with its stack, to standard
// error. The terminal has been left. A terminal that takes no bytes cannot hold
// the end of the program up.
func (t *Terminal) explain(err error) {
	text := t.capture.text()
	if p, ok := err.(*PanicError); ok { //nolint:errorlint // made by fail's caller, never wrapped
		text += "panic: " + p.Text + "\n\n" + p.Stack + "\n"
	}
	switch {
	case text == "":
	case isTerminal(os.Stderr):
		if t.out.acquire(leaveWait) {
			_ = t.out.say(text, leaveWait)
			t.out.release()
		}
	default:
		_, _ = os.Stderr.WriteString(text)
	}
}
