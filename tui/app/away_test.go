package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// TestAwayIsSaid: a history that does not answer is told of at once, in the title as long
// as that lasts, and that it history is back is told too.
func TestAwayIsSaid(t *testing.T) {
	t.Parallel()
	for _, width := range []int{60, 80, 140} {
		c := newConsole(t, width, 24)
		set := func(f jobs.Flow) {
			c.m.o.Jobs = counter{counts: jobs.Counts{Running: 3, Flow: f}}
			c.Send(newsMsg{})
		}
		set(jobs.Flow{})
		require.NotContains(t, c.View(), "away")
		gone := jobs.Flow{Away: c.now, Why: "the history postgres://db: \x1b[31mrefused", Paused: true}
		set(gone)
		require.Contains(t, c.View(), "✗ history away")
		require.Contains(t, c.View(), "has not answered since")
		require.NotContains(t, c.View(), "\x1b[31mrefused")
		c.now = c.now.Add(time.Minute)
		c.Send(toastTick{})
		set(gone)
		require.NotContains(t, c.View(), "has not answered since", "it is said once")
		require.Contains(t, c.View(), "✗ history away", "and the title goes on")
		set(jobs.Flow{})
		require.NotContains(t, c.View(), "✗ history away")
		require.Contains(t, c.View(), "history is back")
		c.m.toasts.Clear()
		set(gone)
		require.Contains(t, c.View(), "has not answered since", "a second time is told, too")
		set(jobs.Flow{})
		require.NotContains(t, c.View(), "has not answered since", "what is not true any more does not stay")
		require.Contains(t, c.View(), "history is back")
	}
}
