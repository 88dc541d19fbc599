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
	trouble = "the history cannot be used: \x1b[31mdisk I/O error"
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

// TestNoticeIsSaidOnce: what works all the same is said once, and the title says nothing.
func TestNoticeIsSaidOnce(t *testing.T) {
	t.Parallel()
	c := newConsole(t, 100, 24)
	notice := ""
	c.m.o.Notice = func() string { return notice }
	c.Send(newsMsg{})
	notice = "the history was damaged; \x1b[31ma backup is in its place"
	c.Send(newsMsg{})
	require.Contains(t, c.View(), "a backup is in its place")
	require.NotContains(t, c.View(), "no history")
	c.m.toasts.Clear()
	c.Send(newsMsg{})
	require.NotContains(t, c.View(), "a backup")
}
