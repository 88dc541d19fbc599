//go:build unix

package paint

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/child"
	"darkroom/tui/paint/internal/tty"
)

// stopWait is how long a suspension may take to happen. In an orphaned process
// group, where nobody could resume us, it never does.
const stopWait = 200 * time.Millisecond

// execMsg asks to run a command on the terminal, or to suspend when cmd is nil.
type execMsg struct {
	cmd  *exec.Cmd
	done func(error) tea.Msg
}

// Exec returns a command that gives the terminal to cmd, waits for it to end, and paints again.
// Streams that cmd does not set are the terminal's, and without an environment it gets that of
// [Options]. done, if not nil, makes the message that tells the model of the end; the error is
// cmd's, or that of taking the terminal back.
func Exec(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg { return execMsg{cmd, done} }
}

// Suspend returns a command that gives the terminal back and stops the process
// group, as ctrl+z does elsewhere. When it is continued everything is painted
// anew.
func Suspend() tea.Cmd {
	return func() tea.Msg { return execMsg{} }
}

// exec runs or suspends, in the loop, and returns what the model is told of the end.
func (t *Terminal) exec(x execMsg) tea.Msg {
	defer t.Recover()
	run := t.suspend
	if x.cmd != nil {
		run = func() error { return t.runChild(x.cmd) }
	}
	err := run()
	go t.send(t.sizeMsg())
	if x.done == nil {
		return nil
	}
	return x.done(err)
}

// beside returns a command that runs a program beside us, in the environment that programs get.
func (t *Terminal) beside(ctx context.Context, name string, args ...string) *exec.Cmd {
	return child.Command(ctx, t.opts.Environ(), name, args...)
}

// runChild runs cmd between Leave and Enter.
func (t *Terminal) runChild(cmd *exec.Cmd) error {
	if cmd.Env == nil {
		cmd.Env = child.Environ(t.opts.Environ())
	}
	if cmd.Stdin == nil {
		cmd.Stdin = t.opts.In
	}
	if cmd.Stdout == nil {
		cmd.Stdout = t.tty
	}
	if cmd.Stderr == nil {
		cmd.Stderr = t.capture.Real(os.Stderr)
	}
	return t.away(func() error {
		err := cmd.Start()
		if err != nil {
			return err
		}
		t.child.Store(cmd.Process)
		defer t.child.Store(nil)
		return cmd.Wait()
	})
}

// suspend stops the process group, and returns when it is continued.
func (t *Terminal) suspend() error {
	return t.away(func() error {
		continued := make(chan os.Signal, 1)
		signal.Notify(continued, syscall.SIGCONT)
		defer signal.Stop(continued)
		if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
			return err
		}
		timer := time.NewTimer(stopWait)
		defer timer.Stop()
		select {
		case <-continued:
		case <-timer.C:
		}
		return nil
	})
}

// away calls f between Leave and Enter. Nobody here reads the terminal meanwhile.
func (t *Terminal) away(f func() error) error {
	// A stop typed at the child must stop us too, or the shell would wait for a
	// job that never stops. A quit typed at the child must not end us.
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	defer signal.Stop(quit)
	defer tty.DefaultStop()()
	t.outside.Store(true)
	defer t.outside.Store(false)
	t.in.Stop(false)
	t.in.Drain(drainWait)
	t.Leave()
	err := f()
	if len(t.failure) > 0 { // a signal came meanwhile: the loop ends now
		return err
	}
	back := t.Enter()
	if back == nil {
		back = t.in.Start()
	}
	if back != nil {
		t.fail(ErrGone)
		return fmt.Errorf("taking the terminal back: %w", back)
	}
	return err
}
