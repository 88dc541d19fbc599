package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTroubleStays: what is wrong for good is said at once, is not forgotten when its
// message is gone, and is asked for until it is known.
func TestTroubleStays(t *testing.T) {
	t.Parallel()
	c := newConsole(t, 100, 24)
	trouble := ""
	asked := 0
	c.m.o.Trouble = func() string { asked++; return trouble }
	c.Send(newsMsg{})
	require.NotContains(t, c.View(), "no history")
	trouble = "the history can not be used: \x1b[31mdisk I/O error"
	c.Send(newsMsg{})
	require.Contains(t, c.View(), "✗ no history")
	require.Contains(t, c.View(), "disk I/O error")
	c.now = c.now.Add(time.Hour)
	c.Send(toastTick{})
	c.Send(newsMsg{})
	require.Contains(t, c.View(), "disk I/O error", "no timer takes it away")
	require.Equal(t, 2, asked)
	c.m.toasts.Clear()
	c.Send(newsMsg{})
	require.NotContains(t, c.View(), "disk I/O error")
	require.Contains(t, c.View(), "✗ no history")
}
