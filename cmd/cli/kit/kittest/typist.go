// Package kittest is for tests of commands.
package kittest

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

// Typist is a person at a terminal.
type Typist struct {
	t        *testing.T
	pty, TTY *os.File
	mu       sync.Mutex
	seen     bytes.Buffer
	more     chan struct{}
}

// NewTypist opens a terminal.
func NewTypist(t *testing.T) *Typist {
	t.Helper()
	p, tty, err := pty.Open()
	require.NoError(t, err)
	y := &Typist{t: t, pty: p, TTY: tty, more: make(chan struct{}, 1)}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = io.Copy(y, p)
	}()
	t.Cleanup(func() {
		_, _ = p.WriteString("\n\n") // who still reads, after a failure, would keep both ends open
		_ = tty.Close()
		_ = p.Close()
		<-over
	})
	return y
}

// Write takes what the terminal shows.
func (y *Typist) Write(b []byte) (int, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	select {
	case y.more <- struct{}{}:
	default:
	}
	return y.seen.Write(b)
}

// Screen is all that the terminal has shown.
func (y *Typist) Screen() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.seen.String()
}

// Shows waits for a text on the terminal.
func (y *Typist) Shows(s string) {
	y.t.Helper()
	limit := time.After(time.Minute)
	for !strings.Contains(y.Screen(), s) {
		select {
		case <-y.more:
		case <-limit:
			y.t.Fatalf("never seen: %q in %q", s, y.Screen())
		}
	}
}

// Echo reports whether what is typed is shown.
func (y *Typist) Echo() bool {
	y.t.Helper()
	m, err := unix.IoctlGetTermios(int(y.TTY.Fd()), unix.TCGETS)
	require.NoError(y.t, err)
	return m.Lflag&unix.ECHO != 0
}

// Hidden waits until what is typed is not shown.
func (y *Typist) Hidden() {
	y.t.Helper()
	require.Eventually(y.t, func() bool { return !y.Echo() }, time.Minute, time.Millisecond)
}

// Types types a text.
func (y *Typist) Types(s string) {
	y.t.Helper()
	_, err := y.pty.WriteString(s)
	require.NoError(y.t, err)
}

// Ends waits for the exit code of a command.
func (y *Typist) Ends(code <-chan int) int {
	y.t.Helper()
	select {
	case c := <-code:
		return c
	case <-time.After(time.Minute):
		y.t.Fatalf("it does not end: %q", y.Screen())
		return -1
	}
}
