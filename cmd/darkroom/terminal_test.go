package main_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	main "darkroom/cmd/darkroom"
)

// patience is how long a test waits for something to show; it only passes when
// something is broken.
const patience = 3 * time.Minute

// binary is the program under test: this test binary, by a name under which it is the program.
// Building it beside would compile most of it again, with other flags than make test has.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "darkroom-e2e-")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // #nosec G302 -- a test runs it as somebody else
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	in, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }()
	path := filepath.Join(dir, name)
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755) // #nosec G302 -- as above
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, in)
	return path, errors.Join(err, out.Close())
})

// name is the program's; the test binary's own ends in ".test".
const name = "darkroom"

// TestMain is the tests', or the program.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == name {
		main.Main()
	}
	if signal.Ignored(syscall.SIGHUP) { // as under nohup: what we start would ignore it, too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	code := m.Run()
	if path, err := binary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// home is an empty HOME, and the environment of a fresh login in it.
type home struct {
	dir string
	env []string
	// within are the words before a command that runs it in a world of its own, see smallDisk.
	within []string
	as     *syscall.Credential // the user that runs the commands; nil for the test's own
}

// command is the program in this home.
func (h *home) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	words := append(append(slices.Clone(h.within), path), args...)
	cmd := exec.Command(words[0], words[1:]...) // #nosec G204 -- ours
	cmd.Env = h.env
	if h.as != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: h.as}
	}
	return cmd
}

func newHome(t *testing.T, extra ...string) *home {
	t.Helper()
	dir := t.TempDir()
	// The tour of the first start is over: what is tested here is what comes after it.
	tour := filepath.Join(dir, ".local", "state", "darkroom", "tour")
	require.NoError(t, os.MkdirAll(filepath.Dir(tour), 0o700))
	require.NoError(t, os.WriteFile(tour, []byte("over\n"), 0o600))
	return &home{dir: dir, env: append([]string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=" + filepath.Join(dir, "no-bus"), // no keyring but a file
		"GORACE=atexit_sleep_ms=0", // a program with the race detector ends a second late without it
	}, extra...)}
}

// run runs a command to its end.
func (h *home) run(t *testing.T, stdin string, args ...string) (out, errOut string, code int) {
	t.Helper()
	cmd := h.command(t, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	require.NoError(t, cmd.Start())
	defer time.AfterFunc(patience, func() { _ = cmd.Process.Kill() }).Stop()
	err := cmd.Wait()
	if _, exited := err.(*exec.ExitError); err != nil && !exited { //nolint:errorlint // Wait wraps nothing
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// files are the regular files below the home, by path relative to it.
func (h *home) files(t *testing.T) map[string]os.FileInfo {
	t.Helper()
	out := map[string]os.FileInfo{}
	require.NoError(t, filepath.Walk(h.dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			rel, _ := filepath.Rel(h.dir, path)
			out[rel] = info
		}
		return nil
	}))
	return out
}

// find returns the absolute path of the one file below a folder of the home whose name
// ends so.
func (h *home) find(t *testing.T, folder, suffix string) string {
	t.Helper()
	var found []string
	for f := range h.files(t) {
		if strings.HasPrefix(f, folder) && strings.HasSuffix(f, suffix) {
			found = append(found, filepath.Join(h.dir, f))
		}
	}
	require.Len(t, found, 1, "files ending in %q", suffix)
	return found[0]
}

// terminal is the console in a pty, with an emulator as its screen.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	mu   sync.Mutex // guards emu and raw
	emu  *vt.Emulator
	raw  bytes.Buffer
	seen chan struct{} // something came; capacity one
	over chan struct{} // the output has ended
	gone chan struct{} // the program has ended
}

func (h *home) open(t *testing.T, cols, rows int, args ...string) *terminal {
	t.Helper()
	cmd := h.command(t, args...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	require.NoError(t, err)
	x := &terminal{t: t, cmd: cmd, pty: f, emu: vt.NewEmulator(cols, rows), seen: make(chan struct{}, 1), over: make(chan struct{}), gone: make(chan struct{})}
	go func() { _ = cmd.Wait(); close(x.gone) }()
	go x.read()
	go x.answer()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = f.Close()
		<-x.over
		_ = x.emu.InputPipe().(io.Closer).Close() // its Close writes what its Read reads
		<-x.gone
	})
	return x
}

// answer sends what the terminal answers to questions. The emulator waits until an answer is
// taken, so they are taken also when nobody hears them any more, or read would never end.
func (x *terminal) answer() {
	_, _ = io.Copy(x.pty, x.emu)
	_, _ = io.Copy(io.Discard, x.emu)
}

func (x *terminal) read() {
	defer close(x.over)
	buf := make([]byte, 64<<10)
	for {
		n, err := x.pty.Read(buf)
		if n > 0 {
			x.mu.Lock()
			x.raw.Write(buf[:n])
			_, _ = x.emu.Write(buf[:n]) // its answers are read by another goroutine
			x.mu.Unlock()
			select {
			case x.seen <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// text is the screen as a person reads it.
func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var b strings.Builder
	for y := range x.emu.Height() {
		var line strings.Builder
		for c := 0; c < x.emu.Width(); {
			cell := x.emu.CellAt(c, y)
			if cell == nil || cell.Width == 0 {
				c++
				line.WriteByte(' ')
				continue
			}
			line.WriteString(cell.Content)
			c += cell.Width
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func (x *terminal) bytes() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.raw.String()
}

// until waits until the screen meets a condition.
func (x *terminal) until(what string, met func(string) bool) {
	x.t.Helper()
	limit := time.After(patience)
	for {
		if met(x.text()) {
			return
		}
		select {
		case <-x.seen:
		case <-x.over:
			if met(x.text()) {
				return
			}
			x.t.Fatalf("the program ended before: %s\n%s", what, x.text())
		case <-limit:
			x.t.Fatalf("never seen: %s\n%s", what, x.text())
		}
	}
}

// shows waits for texts on the screen.
func (x *terminal) shows(texts ...string) {
	x.t.Helper()
	for _, s := range texts {
		x.until(s, func(screen string) bool { return strings.Contains(screen, s) })
	}
}

// keys sends what keys send.
func (x *terminal) keys(s string) {
	x.t.Helper()
	_, err := x.pty.WriteString(s)
	require.NoError(x.t, err)
}

// exit waits for the end of the program and returns its exit code.
func (x *terminal) exit() int {
	x.t.Helper()
	select {
	case <-x.gone:
		select { // what it wrote last is still to be read
		case <-x.over:
		case <-time.After(patience):
			x.t.Fatalf("the terminal does not end\n%s", x.text())
		}
		return x.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		x.t.Fatalf("the program does not end\n%s", x.text())
		return -1
	}
}

// resize changes the terminal's size.
func (x *terminal) resize(cols, rows int) {
	x.t.Helper()
	x.mu.Lock()
	x.emu.Resize(cols, rows)
	x.mu.Unlock()
	require.NoError(x.t, pty.Setsize(x.pty, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}))
}

const (
	ctrlC  = "\x03"
	ctrlP  = "\x10"
	ctrlS  = "\x13"
	escape = "\x1b"
	enter  = "\r"
	alt    = "\x1b"
	altS   = alt + "s"
)
