package inspect

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/screen"
)

// TestAHoldCountsDown while something is asked, of one id and of many; esc ends it with what came.
func TestAHoldCountsDown(t *testing.T) {
	b := start(t, 120, 34)
	b.Limit = 10 * time.Millisecond
	at := now
	b.m.deps.Host, b.m.deps.Now = "gateway.example", func() time.Time { return at }
	b.gw.hold, b.gw.until = make(chan struct{}), now.Add(23*time.Second) // never closed: only the context ends it
	b.ask("vid_1")
	assert.Contains(t, b.View(), "gateway.example is on hold for 23 s; esc stops")
	b.Key("esc")
	b.Paste("a-1 \nb-2\n")
	assert.Equal(t, time.Second, b.m.NextTick())
	assert.Contains(t, b.View(), "gateway.example is on hold for 23 s · asking about 2 …")
	at = at.Add(time.Second)
	b.Send(screen.TickMsg{Now: at})
	assert.Contains(t, b.View(), "gateway.example is on hold for 22 s")
	b.Key("esc")
	assert.NotContains(t, b.View(), "on hold")
	assert.Contains(t, b.View(), "stopped")
	b.Settle(5*time.Second, "the routes have given up", func() bool { return b.Waiting() == 0 })
	assert.Zero(t, b.m.NextTick())
}
