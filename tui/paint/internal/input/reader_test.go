//go:build unix

package input

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInputKeepsWhatTheLoopDoesNotTake: in order, a part of a piece as well, and up to a limit.
func TestInputKeepsWhatTheLoopDoesNotTake(t *testing.T) {
	in := New(os.Stdin, func(Reply) {}, func() {})
	in.put([]byte("ab"), true, nil)
	in.put(nil, true, nil)
	in.put([]byte("\x1b"), false, nil) // Escape: what follows is no part of it
	in.put([]byte("[A"), true, nil)
	in.put([]byte("c"), true, nil)
	p := make([]byte, 256)
	for _, want := range []string{"ab\x1b", "[Ac"} {
		n, err := in.Read(p)
		require.NoError(t, err)
		assert.Equal(t, want, string(p[:n]))
	}
	long := strings.Repeat("x", pieceRoom)
	for range maxBehind/pieceRoom + 10 {
		in.put([]byte(long), true, nil)
	}
	in.put(nil, true, ErrGone)
	total := 0
	var err error
	for err == nil {
		var n int
		n, err = in.Read(p[:50])
		total += n
	}
	require.ErrorIs(t, err, ErrGone, "at the end")
	assert.InDelta(t, maxBehind, total, pieceRoom)
}

// TestInputTellsWhenAllIsTaken: once, each time that the loop comes for more and there is none.
func TestInputTellsWhenAllIsTaken(t *testing.T) {
	in := New(os.Stdin, func(Reply) {}, func() {})
	rested := 0
	more := []string{"c", "d"}
	in.Rested = func() {
		rested++
		require.True(t, in.Rests())
		in.put([]byte(more[0]), true, nil) // typed just then
		more = more[1:]
	}
	in.put([]byte("a\x1b"), false, nil)
	in.put([]byte("b"), true, nil)
	p := make([]byte, 256)
	for i, want := range []string{"a\x1b", "b", "c", "d"} {
		n, err := in.Read(p)
		require.NoError(t, err)
		assert.Equal(t, want, string(p[:n]))
		assert.Equal(t, max(0, i-1), rested)
		assert.False(t, in.Rests(), "the loop has not come back yet")
	}
}

// TestInputWakesItsReader: there is something to wait for exactly while there is something to
// take, and nothing is read once it was stopped.
func TestInputWakesItsReader(t *testing.T) {
	tty, terminal, err := os.Pipe()
	require.NoError(t, err)
	interrupts := make(chan struct{}, 3)
	in := New(tty, func(Reply) {}, func() { interrupts <- struct{}{} })
	require.NoError(t, in.Start())
	for range 3 {
		_, err = terminal.WriteString("a\x03")
		require.NoError(t, err)
		<-interrupts
		for got := ""; got != "a\x03"; {
			p := make([]byte, 256)
			n, err := in.Read(p)
			require.NoError(t, err)
			got += string(p[:n])
		}
		assert.Empty(t, in.pieces)
	}
	in.Stop(false)
	_, err = terminal.WriteString("the editor's")
	require.NoError(t, err)
	p := make([]byte, 256)
	n, err := tty.Read(p)
	require.NoError(t, err)
	assert.Equal(t, "the editor's", string(p[:n]))
	require.NoError(t, in.Start())
	require.NoError(t, terminal.Close())
	_, err = in.Read(p)
	require.True(t, errors.Is(err, ErrGone), "%v", err)
	in.Stop(true)
	require.ErrorIs(t, in.Start(), ErrGone)
}
