//go:build linux

package paint

import (
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A pipe stands for a terminal that takes bytes slowly, or not at all.
func pipeOutput(t *testing.T) (*output, *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	require.NoError(t, err)
	_, err = unix.FcntlInt(write.Fd(), unix.F_SETPIPE_SZ, 4096) // the least there is
	require.NoError(t, err)
	o, err := openOutput(write)
	require.NoError(t, err)
	require.NoError(t, write.Close())
	require.NotNil(t, o.raw, "writes must not block")
	o.active, o.painted = true, true
	o.failed = func(err error) { assert.NoError(t, err) }
	t.Cleanup(func() { _ = read.Close(); _ = o.file.Close() })
	return o, read
}

func TestLastFrameIsShownWhateverWasBrokenOff(t *testing.T) {
	for seed := range uint64(4) {
		o, read := pipeOutput(t)
		p := picker{rand.New(rand.NewPCG(seed, 3))} //nolint:gosec // a reproducible test
		go o.run()
		f := frame{width: 60, height: 16}
		for range 30 {
			f.lines = nil
			for range f.height {
				f.lines = append(f.lines, p.line())
			}
			o.post(f)
			if p.IntN(4) == 0 && o.acquire(time.Millisecond) {
				_ = o.say("\x1b]0;between two frames\x07", time.Millisecond)
				o.release()
			}
		}
		taken := make(chan []byte)
		go func() {
			b, _ := io.ReadAll(read)
			taken <- b
		}()
		require.Eventually(t, func() bool {
			o.held <- struct{}{}
			defer o.release()
			o.mu.Lock()
			defer o.mu.Unlock()
			return o.next == nil && len(o.rest) == 0
		}, patience, time.Millisecond)
		close(o.done)
		require.NoError(t, o.file.Close())

		e, fresh := emulator(t, f.width, f.height), emulator(t, f.width, f.height)
		send(t, e, string(<-taken))
		var full screen
		send(t, fresh, string(full.paint(nil, f)))
		require.Equal(t, grid(fresh), grid(e), "seed %d", seed)
	}
}

func TestPostNeverBlocks(t *testing.T) {
	o, _ := pipeOutput(t)     // nobody reads
	o.failed = func(error) {} // the writer ends when the pipe is closed under it
	go o.run()
	defer close(o.done)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 500 {
			o.post(benchFrame(i))
		}
	}()
	select {
	case <-done:
	case <-time.After(patience):
		require.Fail(t, "blocked")
	}
}
