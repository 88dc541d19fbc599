package cli

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// typist is a person at a terminal.
type typist struct {
	t        *testing.T
	pty, tty *os.File
	mu       sync.Mutex
	seen     bytes.Buffer
	more     chan struct{}
}

func newTypist(t *testing.T) *typist {
	t.Helper()
	p, tty, err := pty.Open()
	require.NoError(t, err)
	y := &typist{t: t, pty: p, tty: tty, more: make(chan struct{}, 1)}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = io.Copy(y, p)
	}()
	t.Cleanup(func() {
		_ = tty.Close()
		_ = p.Close()
		<-over
	})
	return y
}

// Write takes what the terminal shows.
func (y *typist) Write(b []byte) (int, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	select {
	case y.more <- struct{}{}:
	default:
	}
	return y.seen.Write(b)
}

func (y *typist) screen() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.seen.String()
}

func (y *typist) shows(s string) {
	y.t.Helper()
	limit := time.After(time.Minute)
	for !strings.Contains(y.screen(), s) {
		select {
		case <-y.more:
		case <-limit:
			y.t.Fatalf("never seen: %q in %q", s, y.screen())
		}
	}
}

func (y *typist) echo() bool {
	y.t.Helper()
	m, err := unix.IoctlGetTermios(int(y.tty.Fd()), unix.TCGETS)
	require.NoError(y.t, err)
	return m.Lflag&unix.ECHO != 0
}

// hidden waits until what is typed is not shown.
func (y *typist) hidden() {
	y.t.Helper()
	require.Eventually(y.t, func() bool { return !y.echo() }, time.Minute, time.Millisecond)
}

func (y *typist) types(s string) {
	y.t.Helper()
	_, err := y.pty.WriteString(s)
	require.NoError(y.t, err)
}

func (y *typist) ends(code <-chan int) int {
	y.t.Helper()
	select {
	case c := <-code:
		return c
	case <-time.After(time.Minute):
		y.t.Fatalf("it does not end: %q", y.screen())
		return -1
	}
}
