//go:build unix

package paint

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// How long tmux has to answer: at once, and after the first paint or between pictures.
const (
	tmuxWait  = time.Second
	outerWait = 2 * time.Second
)

// tmux asks the tmux around this process, by starting its program.
type tmux func(ctx context.Context, name string, args ...string) *exec.Cmd

func (t *Terminal) tmux() tmux { return t.beside }

func (t tmux) ask(wait time.Duration, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	out, err := t(ctx, "tmux", args...).Output()
	return strings.TrimSpace(string(out)), err
}

// passes reports whether tmux passes sequences on.
func (t tmux) passes() bool {
	said, err := t.ask(tmuxWait, "show-options", "-Apv", "allow-passthrough")
	return err == nil && (said == "on" || said == "all")
}

// written returns how many bytes tmux has written to its terminal.
func (t tmux) written() (int64, bool) {
	out, err := t.ask(outerWait, "display-message", "-p", "#{client_written}")
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(out, 10, 64)
	return n, err == nil
}

// outer returns the name of the terminal that tmux runs in.
func (t tmux) outer() (string, error) {
	out, err := t.ask(outerWait, "display-message", "-p", "#{client_termtype} #{client_termname}")
	return printable(out), err
}

// passthrough wraps a sequence so that tmux passes it on to the terminal that it runs in.
func passthrough(seq string) string {
	return "\x1bPtmux;" + strings.ReplaceAll(seq, "\x1b", "\x1b\x1b") + "\x1b\\"
}
