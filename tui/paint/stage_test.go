package paint

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/paint/internal/tty"
)

const (
	patience = time.Minute
	// left is the end of every Leave, with the title given back.
	left = "\x1b[?7h\x1b[?25h\x1b[?1049l\x1b[23;0t"
)

// stage is a pty with a program on it. The test plays the terminal.
type stage struct {
	t      *testing.T
	master *os.File
	slave  *os.File
	cmd    *exec.Cmd
	told   *os.File // what the program writes to its file 3
	before string   // the terminal's modes before the program started

	mu      sync.Mutex
	out     bytes.Buffer
	changed chan struct{}
}

// play starts the program, or another command with it as $PROGRAM.
func play(t *testing.T, command ...string) *stage {
	s := playUnread(t, command...)
	go s.read()
	return s
}

// playUnread is play on a terminal whose output nobody takes.
func playUnread(t *testing.T, command ...string) *stage {
	t.Helper()
	master, slave, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(master, &pty.Winsize{Cols: 80, Rows: 24}))
	read, write, err := os.Pipe()
	require.NoError(t, err)
	self, err := os.Executable()
	require.NoError(t, err)
	if len(command) == 0 {
		command = []string{self}
	}
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec // the test's own binary
	// Neither the race detector nor coverage is to write on the terminal or wait.
	cmd.Env = []string{programEnv + "=1", "GORACE=atexit_sleep_ms=0", "GOCOVERDIR=" + t.TempDir(), "PROGRAM=" + self, "TERM=xterm-256color", "PATH=" + os.Getenv("PATH"), "PS1=READY$ "}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.ExtraFiles = []*os.File{write}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	s := &stage{t: t, master: master, slave: slave, cmd: cmd, told: read, changed: make(chan struct{}, 1)}
	s.before = tty.Modes(slave)
	require.NoError(t, cmd.Start())
	_ = write.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = master.Close()
		_ = slave.Close()
		_ = read.Close()
	})
	return s
}

func (s *stage) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := s.master.Read(buf)
		s.mu.Lock()
		s.out.Write(buf[:n])
		s.mu.Unlock()
		select {
		case s.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// output is everything written so far.
func (s *stage) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// await waits until the output from the given offset contains want, and returns
// the offset behind it.
func (s *stage) await(from int, want string) int {
	s.t.Helper()
	deadline := time.After(patience)
	for {
		out := s.output()
		if i := strings.Index(out[from:], want); i >= 0 {
			return from + i + len(want)
		}
		select {
		case <-s.changed:
		case <-deadline:
			require.Failf(s.t, "never painted", "%q in %q after %q", want, out[from:], out[:from])
		}
	}
}

func (s *stage) press(keys string) {
	s.t.Helper()
	_, err := io.WriteString(s.master, keys)
	require.NoError(s.t, err)
}

// status waits for the program's end and returns its exit status, or minus the
// number of the signal that ended it.
func (s *stage) status() int {
	s.t.Helper()
	done := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		require.Failf(s.t, "does not end", "%q", s.output())
	}
	ws, _ := s.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ws.Signaled() {
		return -int(ws.Signal())
	}
	return ws.ExitStatus()
}

// restored checks, after the program's end, that the terminal is as it was, and
// returns what was written after it was given back.
func (s *stage) restored() string {
	s.t.Helper()
	const end = "=THE=END="
	_, err := io.WriteString(s.slave, end)
	require.NoError(s.t, err)
	at := s.await(0, end)
	assert.Equal(s.t, s.before, tty.Modes(s.slave), "modes")
	all := s.output()[:at-len(end)]
	for _, mode := range []string{"1049", "2004", "1004", "1002", "1006"} {
		on, off := strings.LastIndex(all, "\x1b[?"+mode+"h"), strings.LastIndex(all, "\x1b[?"+mode+"l")
		assert.GreaterOrEqual(s.t, on, 0, "mode %s was set", mode)
		assert.Greater(s.t, off, on, "mode %s", mode)
	}
	i := strings.LastIndex(all, left)
	require.GreaterOrEqual(s.t, i, 0, "never given back: %q", all)
	return all[i+len(left):]
}

// guarded waits until the guardian is there.
func (s *stage) guarded() {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		s.press("h")
		return strings.Contains(s.output(), "guarded")
	}, patience, 20*time.Millisecond)
}
