//go:build unix

package paint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
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
	// Environ is what programs that are started get as their environment: the editor, tmux,
	// what shows notifications, without what is secret in it. Default: os.Environ.
	Environ func() []string
	Ask     Ask // what to ask the terminal after the first paint
	// Before is done when a signal came before Run began to listen for signals, and perhaps
	// when one came later: its cause is a [Signaled] that tells which. nil for never.
	Before context.Context //nolint:containedctx // it is asked for its cause, and passed on to nobody
	// Pictures is how pictures are shown as pixels; AutoPictures asks the terminal.
	Pictures Protocol
}

// Signaled is the cause of a context that a signal ended.
type Signaled interface {
	error
	Signal() syscall.Signal
}

// Terminal is a terminal that is, or can be, painted on. Its methods are safe
// for use by several goroutines; Run is to be called once.
type Terminal struct {
	opts Options
	in   *input.Reader
	out  *output
	post chan tea.Msg // answers and focus reports on their way to the loop

	tty     *os.File    // a duplicate of Out: standard output is captured meanwhile
	saved   *term.State // the modes that were found; set by the first Enter
	modes   string      // the same, for the guardian
	program atomic.Pointer[tea.Program]
	child   atomic.Pointer[os.Process] // has the terminal while we have left it
	outside atomic.Bool                // somebody else has the terminal
	guard   atomic.Pointer[guardian]
	capture *tty.Capture
	failure chan error    // capacity 1: what ended the program from outside
	ended   chan struct{} // closed when Run is over
	stuck   chan error    // capacity 1: what ended the program, whose loop hangs
	signals chan os.Signal
	insists interrupts

	looks   sync.Mutex // guards surface and told
	surface surface
	told    PicturesMsg // the last one
}

// Open takes the terminal but changes nothing on it yet. It fails with
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
		post:    make(chan tea.Msg, 64),
		failure: make(chan error, 1),
		ended:   make(chan struct{}),
		stuck:   make(chan error, 1),
		signals: make(chan os.Signal, 8),
	}
	t.out.toll.written = t.tmuxWritten
	inTmux := opts.Env("TMUX") != ""
	t.surface = surface{want: opts.Pictures, tmux: inTmux, local: inTmux}
	t.out.pics.set(&t.surface)
	t.in = input.New(opts.In, t.replied, t.interrupted)
	out.first = t.afterFirstPaint
	out.failed = func(error) { t.fail(ErrGone) }
	return t, nil
}

// Size returns the terminal's columns and rows, 80 and 24 where it does not
// know them.
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
	if t.saved == nil {
		t.modes = tty.Modes(t.opts.In)
	}
	found, err := term.MakeRaw(tty.Fd(t.opts.In))
	if err != nil {
		return fmt.Errorf("raw mode: %w", err)
	}
	if t.saved == nil {
		t.saved = found
	}
	t.guard.Load().note(true)
	if err := t.out.say(t.enterSequence(!t.out.active), leaveWait); err != nil {
		t.restoreModes()
		t.guard.Load().note(false)
		return fmt.Errorf("writing to the terminal: %w", err)
	}
	t.out.active = true
	t.out.screen.invalidate()
	return nil
}

// Leave gives the terminal back as it was found. It does nothing when it has
// been given back already, and can be called from any goroutine at any time;
// on a terminal that takes no bytes it gives up after about a second, with the
// input modes restored all the same.
func (t *Terminal) Leave() {
	if !t.out.acquire(leaveWait / 10) {
		t.out.kick()
		if !t.out.acquire(leaveWait) {
			t.restoreModes()
			return
		}
	}
	defer t.out.release()
	if !t.out.active {
		return
	}
	t.out.active = false
	_ = t.out.say(t.out.pics.leave()+t.leaveSequence(), leaveWait)
	t.restoreModes()
	t.guard.Load().note(false)
}

// restoreModes sets the input modes as they were found.
func (t *Terminal) restoreModes() {
	if saved := t.saved; saved != nil {
		_ = term.Restore(tty.Fd(t.opts.In), saved)
	}
}

// enterSequence saves the title only when coming in: the terminal stacks them.
func (t *Terminal) enterSequence(comingIn bool) string {
	var b strings.Builder
	if t.opts.Title != "" && !t.dumb() {
		if comingIn {
			b.WriteString("\x1b[22;0t")
		}
		b.WriteString("\x1b]2;" + printable(t.opts.Title) + "\x1b\\")
	}
	b.WriteString("\x1b[?1049h\x1b[m\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1004h")
	if t.opts.Mouse {
		b.WriteString("\x1b[?1002h\x1b[?1006h")
	}
	if t.xterm() {
		b.WriteString("\x1b[?1036;1039s\x1b[?1036;1039h")
	}
	return b.String()
}

func (t *Terminal) leaveSequence() string {
	var b strings.Builder
	b.WriteString("\x1b[?2026l\x1b[m")
	if t.xterm() {
		b.WriteString("\x1b[?1036;1039r")
	}
	if t.taskbar() {
		b.WriteString(taskbarSequence(TaskbarNone))
	}
	if t.opts.Mouse {
		b.WriteString("\x1b[?1006l\x1b[?1002l")
	}
	b.WriteString("\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l")
	if t.opts.Title != "" && !t.dumb() {
		b.WriteString("\x1b[23;0t")
	}
	return b.String()
}

// xterm says whether it is xterm itself, which as it comes sends alt and a key as another
// letter. It is told to send escape before the key, and given back as it was: it saves
// and restores modes. Whoever else runs in it (tmux, ssh) translates by itself.
func (t *Terminal) xterm() bool {
	return t.opts.Env("XTERM_VERSION") != "" && strings.HasPrefix(t.opts.Env("TERM"), "xterm")
}

// dumb says whether the terminal would show an OSC sequence as text, or never
// answer one.
func (t *Terminal) dumb() bool {
	switch name := t.opts.Env("TERM"); name {
	case "", "dumb", "linux", "cons25", "vt52":
		return true
	}
	return false
}

// afterFirstPaint does what can wait until the user sees something.
func (t *Terminal) afterFirstPaint() {
	defer t.Recover()
	t.askTerminal()
	t.startGuardian()
}
