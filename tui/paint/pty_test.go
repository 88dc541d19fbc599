package paint

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"darkroom/tui/paint/internal/tty"
)

func TestEveryWayOutRestoresTheTerminal(t *testing.T) {
	for _, tt := range []struct {
		name, keys string
		status     int
		says       string // on the terminal that was given back
	}{
		{"quit", "q", 0, "keys: q"},
		{"panic in Update", "u", 1, "panic: boom"},
		{"panic in View", "w", 1, "panic: boom"},
		{"panic in a command", "c", 1, "panic: boom"},
		{"panic in a batch", "b", 1, "panic: boom"},
		{"panic in a sequence", "s", 1, "panic: boom"},
		{"panic in a goroutine", "g", 1, "panic: boom"},
		{"context", "C", 1, "error: context canceled"},
		{"printing", "pq", 0, "strayprint\r\nkeys: pq"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := play(t)
			s.await(0, "80x24")
			s.press(tt.keys)
			assert.Equal(t, tt.status, s.status())
			after := s.restored()
			assert.Contains(t, after, tt.says)
			assert.NotContains(t, after, "\x1b")
			assert.NotContains(t, after, "\x07")
		})
	}
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(unix.SignalName(sig), func(t *testing.T) {
			t.Parallel()
			s := play(t)
			s.await(0, "80x24")
			require.NoError(t, s.cmd.Process.Signal(sig))
			assert.Equal(t, 128+int(sig), s.status())
			assert.Empty(t, s.restored())
		})
	}
}

// hangs presses keys that make the loop hang, and waits until it does.
func (s *stage) hangs(keys string) {
	s.t.Helper()
	s.await(0, "80x24")
	s.press(keys)
	_, err := io.ReadFull(s.told, make([]byte, len("hangs")))
	require.NoError(s.t, err)
}

func TestSignalEndsAnUpdateThatHangs(t *testing.T) {
	t.Parallel()
	s := play(t)
	s.hangs("D")
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, 128+int(syscall.SIGTERM), s.status())
	assert.Equal(t, "hung\r\n", s.restored())
}

// TestSecondInterruptEndsALoopThatHangs: whatever hangs, and whether it deals with the first
// one or not.
func TestSecondInterruptEndsALoopThatHangs(t *testing.T) {
	for name, keys := range map[string][2]string{
		"Update":                  {"D", "\x03\x03"},
		"View":                    {"V", "\x03\x03"},
		"after the first one":     {"\x03D", "\x03\x03"},
		"behind keys":             {"D", strings.Repeat("typed ", 2000) + "\x03j\x03"},
		"behind a paste":          {"D", "\x1b[200~" + strings.Repeat("pasted\x03", 1000) + "\x1b[201~\x03\x03"},
		"at the press of a mouse": {"V", "\x03\x1b[<0;10;5M\x03"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := play(t)
			s.hangs(keys[0])
			s.press(keys[1])
			assert.Equal(t, 128+int(syscall.SIGINT), s.status())
			assert.Equal(t, "hung\r\n", s.restored())
		})
	}
}

// TestInterruptsOfALoopThatRuns: they are keys like others.
func TestInterruptsOfALoopThatRuns(t *testing.T) {
	t.Parallel()
	s := play(t)
	s.await(0, "80x24")
	s.press("\x03\x03")
	at := s.await(0, "ctrl+c")
	s.await(at, "ctrl+c")
	s.press("\x03q")
	assert.Equal(t, 0, s.status())
	assert.Contains(t, s.restored(), "keys: ctrl+cctrl+cctrl+cq")
}

func TestGuardianHealsWhatTheProgramCannot(t *testing.T) {
	for _, tt := range []struct {
		name, key string
		status    int
		says      string
	}{
		{"panic in a foreign goroutine", "f", 2, "panic: boom"},
		{"exit", "x", 3, ""},
		{"kill", "K", -9, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := play(t)
			s.await(0, "80x24")
			s.guarded()
			s.press(tt.key)
			assert.Equal(t, tt.status, s.status())
			end := s.await(0, left)
			s.await(end, tt.says)
			require.Eventually(t, func() bool { return tty.Modes(s.slave) == s.before }, patience, time.Millisecond)
			assert.NotContains(t, s.restored(), "\x1b")
		})
	}
}

func TestLostTerminalEndsTheProgram(t *testing.T) {
	s := playUnread(t) // a read that is under way would keep the terminal open
	var out []byte
	for !bytes.Contains(out, []byte("80x24")) {
		b := make([]byte, 1<<12)
		n, err := s.master.Read(b)
		require.NoError(t, err)
		out = append(out, b[:n]...)
	}
	require.NoError(t, s.slave.Close())
	require.NoError(t, s.master.Close())
	assert.NotZero(t, s.status())
}

func TestEditorHasTheTerminal(t *testing.T) {
	t.Parallel()
	s := play(t)
	s.await(0, "80x24")
	s.press("e")
	end := s.await(0, left)
	s.await(end, "EDITOR ")
	assert.Equal(t, s.before, tty.Modes(s.slave))
	require.NoError(t, pty.Setsize(s.master, &pty.Winsize{Cols: 70, Rows: 20}))
	s.press("qqq\n")
	at := s.await(end, "got:qqq")
	at = s.await(at, "home:/cleaned")
	at = s.await(at, "\x1b[?1049h")
	at = s.await(at, "70x20")
	s.await(at, "edited:exit status 4")
	s.press("jq")
	assert.Equal(t, 0, s.status())
	assert.Contains(t, s.restored(), "keys: ejq", "what was typed at the editor is not ours")
}

func TestSuspendAndResumeInAShell(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"\x1a", "Z"} {
		s := play(t, "/bin/sh", "-i")
		s.await(0, "READY")
		s.press("exec 3>&-; $PROGRAM\n")
		at := s.await(0, "80x24")
		s.press(key)
		at = s.await(at, left)
		at = s.await(at, "READY")
		s.press("echo in the $((40+2)) shell; fg\n")
		at = s.await(at, "in the 42 shell")
		at = s.await(at, "\x1b[?1049h")
		at = s.await(at, "80x24")
		s.press("q")
		at = s.await(at, left)
		at = s.await(at, "keys: ")
		s.await(at, "READY")
		s.press("exit\n")
		s.status()
	}
}

func TestStopSignalSuspends(t *testing.T) {
	t.Parallel()
	s := play(t)
	at := s.await(0, "80x24")
	// As the leader of its session it cannot be stopped, and comes back by itself.
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTSTP))
	at = s.await(at, left)
	s.await(at, "80x24")
	s.press("q")
	assert.Equal(t, 0, s.status())
	assert.Contains(t, s.restored(), "keys: q")
}

func TestResizeRepaints(t *testing.T) {
	t.Parallel()
	s := play(t)
	at := s.await(0, "80x24")
	require.NoError(t, pty.Setsize(s.master, &pty.Winsize{Cols: 33, Rows: 11}))
	s.await(at, "\x1b[2J\x1b[1H33x11")
}

func TestIdleWritesNothing(t *testing.T) {
	t.Parallel()
	s := play(t)
	s.await(0, "80x24")
	s.guarded()
	s.press("i") // the last key, after those that asked
	s.await(0, "i>")
	size := len(s.output())
	for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
		select {
		case <-s.changed: // the wake-up of what was written before
		case <-time.After(100 * time.Millisecond):
		}
	}
	assert.Equal(t, size, len(s.output()), "%q", s.output()[size:])
}

func TestTerminalThatTakesNothingBlocksNobody(t *testing.T) {
	t.Parallel()
	s := playUnread(t)
	s.press("l")
	require.NoError(t, s.told.SetReadDeadline(time.Now().Add(patience)))
	b := make([]byte, 7)
	_, err := io.ReadFull(s.told, b)
	require.NoError(t, err, "Update went on")
	go s.read()
	s.await(0, "\x1b[2H\x1b[K")
	s.press("q")
	assert.Equal(t, 0, s.status())
	assert.Contains(t, s.restored(), "keys: lq")
}

func TestTerminatedOnATerminalThatTakesNothing(t *testing.T) {
	t.Parallel()
	s := playUnread(t)
	s.press("l")
	b := make([]byte, 7)
	_, err := io.ReadFull(s.told, b)
	require.NoError(t, err)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, 128+int(syscall.SIGTERM), s.status())
	assert.Equal(t, s.before, tty.Modes(s.slave))
}

func TestSilentTerminalIsAskedAfterTheFirstPaint(t *testing.T) {
	t.Parallel()
	s := play(t)
	at := s.await(0, "80x24")
	assert.NotContains(t, s.output()[:at], "\x1b]11", "start-up waits for no answer")
	s.await(at, "\x1b]11;?\x1b\\\x1b[>q\x1b[c")
}

func TestAnswersAreNotKeys(t *testing.T) {
	t.Parallel()
	s := play(t)
	at := s.await(0, "\x1b[c")
	for _, piece := range []string{"\x1b", "]11;rgb:ffff/", "ffff/ffff\x1b", "\\\x1bP>|xterm\x1b\\", "\x1b[?62;4c"} {
		s.press(piece)
	}
	at = s.await(at, "dark=false")
	s.press("\x1b[I")
	at = s.await(at, "focused")
	s.press("\x1b")
	s.await(at, "esc")
	s.press("\x1b[200~" + strings.Repeat("pasted ", 500) + "\x1b[201~\x1b[Aq")
	assert.Equal(t, 0, s.status())
	want := fmt.Sprintf("keys: esc[%s]upq", strings.Repeat("pasted ", 500))
	assert.Contains(t, s.restored(), want)
}

func TestRedirectedIsNoTerminal(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer func() { _ = read.Close(); _ = write.Close() }()
	_, err = Open(Options{In: read, Out: write})
	assert.ErrorIs(t, err, ErrNotTerminal)
}
