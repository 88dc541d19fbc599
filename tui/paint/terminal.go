//go:build unix

package paint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/term"

	"darkroom/tui/paint/internal/input"
	"darkroom/tui/paint/internal/tty"
)

// ErrNotTerminal means that input or output is not a terminal.
var ErrNotTerminal = errors.New("not a terminal")

// ErrGone means that the terminal was closed or lost.
var ErrGone = input.ErrGone

// leaveWait is how long Leave waits for a terminal that does not read.
const leaveWait = 500 * time.Millisecond

// Options say which terminal to use, and how.
type Options struct {
	In, Out *os.File            // default: os.Stdin, os.Stdout; both must be terminals
	Mouse   bool                // report clicks, the wheel and drags
	Title   string              // window title while running; "" leaves it alone
	Env     func(string) string // default: os.Getenv; asked for TERM
	// Environ returns the environment of the programs that are started (the editor, tmux, what
	// shows notifications), without secrets. Default: os.Environ.
	Environ func() []string
	Ask     Ask // what to ask the terminal after the first paint
	// Before is done when a signal came before Run began to listen for signals, and perhaps when
	// one comes later; its cause is a [Signaled] that tells which. nil for never.
	Before context.Context //nolint:containedctx // it is asked for its cause, and passed on to nobody
	// Pictures says how to show pictures as pixels; AutoPictures asks the terminal.
	Pictures Protocol
}

// Signaled is the cause of a context that a signal ended.
type Signaled interface {
	error
	Signal() syscall.Signal
}

// Terminal is a terminal that is, or can be, painted on. Its methods are safe for use by several
// goroutines; call Run once.
type Terminal struct {
	opts Options
	in   *input.Reader
	out  *output
	post chan tea.Msg // answers and focus reports on their way to the loop

	tty     *os.File // a duplicate of Out: standard output is captured meanwhile
	modes   modes
	program atomic.Pointer[tea.Program]
	child   atomic.Pointer[os.Process] // has the terminal while we have left it
	outside atomic.Bool                // somebody else has the terminal
	guard   atomic.Pointer[guardian]
	capture *tty.Capture
	failure chan error    // capacity 1: what ended the program from outside
	ended   chan struct{} // closed when Run is over
	painted chan struct{} // closed when the first frame was sent
	stuck   chan error    // capacity 1: what ended the program, whose loop hangs
	heard   *listening
	insists interrupts
	behind  atomic.Bool // what was typed does not show yet

	looks   sync.Mutex // guards surface and told
	surface surface
	told    PicturesMsg // the last one
}

// Open takes the terminal but changes nothing on it yet, and begins to hear signals. It fails with
// [ErrNotTerminal] when input or output is redirected.
func Open(opts Options) (*Terminal, error) {
	if opts.In == nil {
		opts.In = os.Stdin
	}
	if opts.Out == nil {
		opts.Out = os.Stdout
	}
	if opts.Environ == nil {
		opts.Environ = os.Environ
	}
	if opts.Env == nil {
		opts.Env = os.Getenv
	}
	for name, file := range map[string]*os.File{"input": opts.In, "output": opts.Out} {
		if !tty.Is(file) {
			return nil, fmt.Errorf("%s: %w", name, ErrNotTerminal)
		}
	}
	ours, err := tty.Duplicate(opts.Out)
	if err != nil {
		return nil, fmt.Errorf("opening the terminal: %w", err)
	}
	out, err := openOutput(ours)
	if err != nil {
		_ = ours.Close()
		return nil, fmt.Errorf("opening the terminal: %w", err)
	}
	t := &Terminal{
		opts:    opts,
		tty:     ours,
		out:     out,
		modes:   modes{in: opts.In, env: opts.Env, title: opts.Title},
		post:    make(chan tea.Msg, 64),
		failure: make(chan error, 1),
		ended:   make(chan struct{}),
		painted: make(chan struct{}),
		stuck:   make(chan error, 1),
		heard:   listen(),
	}
	t.modes.mouse.Store(opts.Mouse)
	t.out.acks.written = t.tmux().written
	inTmux := opts.Env("TMUX") != ""
	t.surface = surface{want: opts.Pictures, tmux: inTmux, local: inTmux}
	t.out.pics.set(&t.surface)
	t.in = input.New(opts.In, t.replied, t.interrupted)
	t.in.Rested = t.rested
	out.first = t.afterFirstPaint
	out.failed = func(error) { t.fail(ErrGone) }
	return t, nil
}

func (t *Terminal) env() environ { return t.opts.Env }

// rested is called when the loop has taken all that was typed: it shows now.
func (t *Terminal) rested() {
	if t.behind.Load() {
		t.send(paintMsg{})
	}
}

// Size returns the terminal's columns and rows, 80 and 24 if it does not know them.
func (t *Terminal) Size() (width, height int) {
	width, height, err := term.GetSize(tty.Fd(t.tty))
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// deliver hands a message to the loop without waiting. When the loop is far
// behind it is dropped: these messages are hints.
func (t *Terminal) deliver(msg tea.Msg) {
	select {
	case t.post <- msg:
	default:
	}
}

// Enter puts the terminal into the modes that painting needs. When it is in
// them already they are set anew. The next frame is painted in full.
func (t *Terminal) Enter() error {
	if !t.out.acquire(leaveWait) {
		return ErrGone
	}
	defer t.out.release()
	select {
	case <-t.ended: // by a loop that was left behind
		return ErrGone
	default:
	}
	if err := t.modes.raw(); err != nil {
		return fmt.Errorf("raw mode: %w", err)
	}
	t.guard.Load().note(true)
	if err := t.out.say(t.modes.enter(!t.out.active), leaveWait); err != nil {
		t.modes.restore()
		t.guard.Load().note(false)
		return fmt.Errorf("writing to the terminal: %w", err)
	}
	t.out.active = true
	t.out.screen.invalidate()
	return nil
}

// Leave gives the terminal back as it was found. It does nothing if that was done already, and can
// be called from any goroutine at any time. On a terminal that takes no bytes it gives up after
// about a second, but restores the input modes all the same.
func (t *Terminal) Leave() {
	if !t.out.acquire(leaveWait / 10) {
		t.out.kick()
		if !t.out.acquire(leaveWait) {
			t.modes.restore()
			return
		}
	}
	defer t.out.release()
	if !t.out.active {
		return
	}
	t.out.active = false
	_ = t.out.say(t.out.pics.leave()+t.modes.leave(), leaveWait)
	t.modes.restore()
	t.guard.Load().note(false)
}

// Painted is closed when the first frame was sent: what can wait for it waits. A terminal that takes
// nothing never gets there.
func (t *Terminal) Painted() <-chan struct{} { return t.painted }

// afterFirstPaint does what can wait until the user sees something.
func (t *Terminal) afterFirstPaint() {
	defer t.Recover()
	close(t.painted)
	t.askTerminal()
	t.startGuardian()
}
