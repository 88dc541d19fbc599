package app

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// quits reports whether a key ends the console at once.
func (c *console) quits(k tea.KeyType) bool {
	cmd := c.m.key(tea.KeyMsg{Type: k})
	if cmd == nil {
		return false
	}
	_, is := cmd().(tea.QuitMsg)
	return is
}

// TestSecondInterruptQuits: two ctrl+c in a row end the console, whatever lies over it; another
// key between them begins anew.
func TestSecondInterruptQuits(t *testing.T) {
	t.Parallel()
	c := newConsole(t, 100, 24)
	for name, over := range map[string]overlayKind{"nothing": noOverlay, "help": helpOverlay, "palette": paletteOverlay, "quit": quitOverlay} {
		c.m.overlay = over
		require.False(t, c.quits(tea.KeyCtrlC), name)
		require.False(t, c.quits(tea.KeyDown), name)
		require.False(t, c.quits(tea.KeyCtrlC), name)
		c.m.overlay = over
		require.True(t, c.quits(tea.KeyCtrlC), name)
		c.m.interrupted = false
	}
	require.False(t, c.quits(tea.KeyCtrlC))
	c.m.key(tea.KeyMsg{Type: tea.KeyCtrlC, Paste: true})
	require.False(t, c.quits(tea.KeyCtrlC), "a paste is no key")
}

// TestQuitAsksForWhatIsUnsaved: what the gateway accepted and the history has not is named.
func TestQuitAsksForWhatIsUnsaved(t *testing.T) {
	t.Parallel()
	c := newConsole(t, 100, 24)
	c.m.o.Unsaved = func() []string { return []string{"job 1: the gateway accepted it as the task video_7."} }
	c.Send(quitCheck{})
	require.Equal(t, quitOverlay, c.m.overlay)
	require.Contains(t, c.View(), "video_7")
	c.m.o.Unsaved = func() []string { return nil }
	c.m.overlay = noOverlay
	c.Send(quitCheck{})
	require.Equal(t, noOverlay, c.m.overlay)
}
