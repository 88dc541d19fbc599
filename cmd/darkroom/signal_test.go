package main_test

import (
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// envSignals is set by a person: how many starts TestSignalWhileTheConsoleStarts interrupts with
// each signal, instead of signalled.
const envSignals = "DARKROOM_TEST_SIGNALS"

const signalled = 4

// TestSignalWhileTheConsoleStarts sends a signal at any moment from the start of the program to
// some time after the first frame: none is swallowed, and the terminal is given back.
func TestSignalWhileTheConsoleStarts(t *testing.T) {
	t.Parallel()
	times := signalled
	if s := os.Getenv(envSignals); s != "" {
		var err error
		times, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	began := time.Now()
	first := newHome(t).open(t, 80, 24)
	first.shows("Draft")
	warm := time.Since(began)
	first.keys(ctrlC)
	require.Equal(t, 0, first.exit(), "nothing is unsaved, so nothing is asked")
	for name, sig := range map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP, "SIGINT": syscall.SIGINT} {
		for i := range times {
			x := newHome(t).open(t, 80, 24)
			swallowed := time.AfterFunc(patience/2, func() {
				t.Errorf("%s was swallowed at start %d", name, i)
				_ = x.cmd.Process.Signal(syscall.SIGQUIT) // tells where it is
			})
			<-time.After(warm * time.Duration(i) / time.Duration(times) * 5 / 4) // any moment will do
			require.NoError(t, x.cmd.Process.Signal(sig))
			code := x.exit()
			swallowed.Stop()
			ws, ok := x.cmd.ProcessState.Sys().(syscall.WaitStatus)
			require.True(t, ok)
			require.True(t, code == 128+int(sig) || ws.Signal() == sig, "%s, start %d: exit code %d\n%s", name, i, code, x.text())
		}
	}
}

// TestSecondCtrlCEndsIt: the first ctrl+c asks where something is unsaved, the second one ends
// it whatever is asked.
func TestSecondCtrlCEndsIt(t *testing.T) {
	t.Parallel()
	g := newTaker(t)
	hold := make(chan struct{})
	wait := func() { <-hold }
	g.before.Store(&wait)
	defer close(hold)
	x := newHome(t, g.env()...).open(t, 120, 34)
	x.shows("Prompt")
	x.keys("a kite")
	x.shows(`"prompt": "a kite"`)
	x.keys(ctrlS)
	require.Eventually(t, func() bool { return g.creates.Load() == 1 }, patience, time.Millisecond)
	x.keys(ctrlC)
	x.shows("Quit anyway")
	x.keys(ctrlC)
	require.Equal(t, 0, x.exit())
	require.Contains(t, x.bytes(), "\x1b[?1049l")
}
