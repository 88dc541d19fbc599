package queue

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"

	"darkroom/tui/screens/queue/internal/lag"
	"darkroom/tui/tuitest"
)

// TestTheDetailFollowsWhenTheKeysRest: a single key shows all at once, and of a key that is held the
// list alone is drawn until it is let go.
func TestTheDetailFollowsWhenTheKeysRest(t *testing.T) {
	f := newFake(many(300)...)
	d := deps(t, f)
	d.Rest = time.Hour
	b := openDeps(t, d, f, 120, 34)
	clock := time.Now()
	b.m.detail.lag.Clock = func() time.Time { return clock }
	down := func() tea.Cmd {
		_, cmd := b.m.Update(tea.KeyMsg{Type: tea.KeyDown})
		return cmd
	}
	clock = clock.Add(2 * time.Hour)
	down()
	assert.Contains(t, b.View(), "Job 00000299", "a single key")
	for range 5 {
		clock = clock.Add(30 * time.Millisecond)
		down()
	}
	assert.Equal(t, jobID(294), b.row())
	assert.Contains(t, b.View(), "Job 00000299", "what was there stays")
	assert.Contains(t, b.View(), "7 of 200+")
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
	b.m.Update(lag.Msg{})
	assert.Contains(t, b.View(), "Job 00000299", "the cursor moved since the timer was set")
	clock = clock.Add(time.Hour)
	b.m.Update(lag.Msg{})
	assert.Contains(t, b.View(), "Job 00000294")
	b.m.Update(tea.KeyMsg{Type: tea.KeyDown})
	assert.Contains(t, b.View(), "Job 00000293", "a single key again")
}
