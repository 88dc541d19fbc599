//go:build unix

package paint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"darkroom/client/stack"
	"darkroom/tui/paint/internal/tty"
)

// drainWait is how long the end of the program waits for answers of the
// terminal that are still on their way, so that they do not reach the shell.
const drainWait = 150 * time.Millisecond

// Run paints the model until it quits, and returns its last state. The terminal
// is given back whatever happens; what was written to standard output and
// standard error meanwhile is then written to standard error, cleaned.
//
// The error is nil after tea.Quit; a [*PanicError], a [*SignalError], [ErrGone], the context's
// error or tea.ErrInterrupted otherwise, and is wrapped in a [*HungError] if the loop did not end:
// the model is then the one that was given, and the loop may come back to it at any time. The
// options must not contain WithInput, WithOutput or WithFilter.
func (t *Terminal) Run(ctx context.Context, m tea.Model, opts ...tea.ProgramOption) (tea.Model, error) {
	// lipgloss decides once, at its first use, from what standard output is.
	// That must happen before standard output is a capture.
	_ = lipgloss.ColorProfile()
	s := newShell(t, m)
	p := tea.NewProgram(s, slices.Concat(opts, []tea.ProgramOption{
		tea.WithInput(t.in),
		tea.WithOutput(t.tty),
		tea.WithoutRenderer(),
		tea.WithoutSignalHandler(),
		tea.WithFilter(t.filter),
	})...)
	t.program.Store(p)
	defer t.watchSignals()()
	err := t.start()
	if err != nil {
		t.finish(err)
		return m, err
	}
	defer context.AfterFunc(ctx, func() { t.fail(ctx.Err()) })()
	go t.forward()
	over := make(chan error, 1)
	go func() {
		stack.Grow()
		_, err := p.Run()
		over <- err
	}()
	select {
	case err = <-over:
		err = t.verdict(err)
		m = s.inner
	case why := <-t.stuck:
		err = &HungError{why}
	}
	t.finish(err)
	return m, err
}

// start captures the output and enters.
func (t *Terminal) start() error {
	c, err := tty.StartCapture()
	if err != nil {
		return err
	}
	t.capture = c
	go func() {
		defer t.Recover()
		t.out.run()
	}()
	if err := t.Enter(); err != nil {
		return err
	}
	return t.in.Start()
}

// finish gives everything back.
func (t *Terminal) finish(err error) {
	t.in.Stop(true)
	if err == nil { // else something is wrong, and hurries
		t.in.Drain(drainWait)
	}
	t.Leave()
	close(t.ended)
	close(t.out.done)
	t.guard.Load().end()
	if t.capture != nil {
		t.capture.Stop()
		t.explain(err)
	}
	// The files are left to the garbage collector: the guardian may be about to
	// start with them.
}

// verdict says why the loop ended.
func (t *Terminal) verdict(err error) error {
	select {
	case failure := <-t.failure:
		return failure
	default:
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrGone):
		return ErrGone
	case errors.Is(err, tea.ErrInterrupted):
		return tea.ErrInterrupted
	}
	return fmt.Errorf("terminal: %w", err)
}

// send hands a message to the loop and waits until it is taken, or the loop has
// ended. It must not be called in Update.
func (t *Terminal) send(msg tea.Msg) {
	if p := t.program.Load(); p != nil {
		p.Send(msg)
	}
}

// forward passes on what the reader took out of the input.
func (t *Terminal) forward() {
	for {
		select {
		case <-t.ended:
			return
		case msg := <-t.post:
			t.send(msg)
		}
	}
}

// filter runs here, in the loop, what takes the terminal away; the loop waits meanwhile.
// bubbletea's own way would first cancel its reader, which must be a file for that, and would
// suspend with the terminal as it is.
func (t *Terminal) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch m := msg.(type) {
	case tea.SuspendMsg:
		return t.exec(execMsg{})
	case execMsg:
		return t.exec(m)
	}
	return msg
}

func (t *Terminal) sizeMsg() tea.WindowSizeMsg {
	w, h := t.Size()
	return tea.WindowSizeMsg{Width: w, Height: h}
}
