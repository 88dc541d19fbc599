//go:build unix

package paint

import (
	"context"
	"os"
	"syscall"

	"darkroom/client/child"
)

// guardian is a small shell that gives the terminal back when this process ends
// without having done so itself: a panic in a goroutine that nobody recovers, a
// call of os.Exit, SIGKILL. It reads a line at every Enter and Leave; at end of
// file the last line tells whether there is something to heal.
//
// It sits in a session of its own, so that neither the terminal's signals nor
// those sent to our process group reach it, and it sleeps in read.
type guardian struct{ notes *os.File }

// guardianScript gets the modes as $1, the sequence to write as $2, and as $3 what
// frees pictures, for a terminal that has some; file 3 is the terminal and file 4 what
// was captured, whose end may be a crash report.
const guardianScript = `trap '' HUP INT QUIT TERM
state=out
pictures=
while read -r line; do [ "$line" = pictures ] && pictures=$3 || state=$line; done
[ "$state" = in ] || exit 0
stty "$1" <&3 2>/dev/null || stty sane <&3
printf '%s' "$pictures$2" >&3
tail -c 65536 /dev/fd/4 | LC_ALL=C tr -cd '\11\12\40-\176' >&3
`

// startGuardian starts the guardian unless there is one. Where there is no shell
// the terminal has none, and only what this process can catch is healed. It
// returns when the guardian has ended.
func (t *Terminal) startGuardian() {
	if t.capture == nil || t.guard.Load() != nil {
		return
	}
	read, write, err := os.Pipe()
	if err != nil {
		return
	}
	cmd := child.Command(context.Background(), []string{"PATH=/usr/bin:/bin"},
		"/bin/sh", "-c", guardianScript, "sh", t.modes.stty, t.modes.leave(), t.out.pics.free(t.opts.Env("TMUX") != ""))
	cmd.Stdin = read
	cmd.ExtraFiles = []*os.File{t.tty, t.capture.File}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	_ = read.Close()
	if err != nil {
		_ = write.Close()
		return
	}
	g := &guardian{notes: write}
	// The Enter, and perhaps a Leave, came before there was anybody to tell.
	if t.out.acquire(leaveWait) {
		g.note(t.out.active)
		t.guard.Store(g)
		if t.out.pics.using() == KittyPictures {
			g.tell("pictures")
		}
		t.out.release()
	} else {
		g.end()
	}
	_ = cmd.Wait()
}

// note tells the guardian whether the terminal is ours. A nil guardian is told
// nothing.
func (g *guardian) note(entered bool) {
	if g == nil {
		return
	}
	if entered {
		g.tell("in")
	} else {
		g.tell("out")
	}
}

// tell writes a line for the script.
func (g *guardian) tell(line string) {
	if g != nil {
		_, _ = g.notes.WriteString(line + "\n")
	}
}

// end lets the guardian go. The last note stands.
func (g *guardian) end() {
	if g != nil {
		_ = g.notes.Close()
	}
}
