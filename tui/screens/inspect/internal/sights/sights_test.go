package sights

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/sighting"
	"darkroom/tui/screen"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func saw(second int, state string) sighting.Look {
	return sighting.Look{At: at.Add(time.Duration(second) * time.Second), State: state}
}

// TestBook: what is watched is due again until it ends, and one watch takes the place of another.
func TestBook(t *testing.T) {
	t.Parallel()
	b := New()
	var waited []time.Duration
	b.Pause = func(_ context.Context, d time.Duration) bool {
		waited = append(waited, d)
		return true
	}
	assert.Nil(t, b.Saw("a", saw(0, "running")), "nobody watches it")
	assert.Nil(t, b.Saw("", saw(0, "running")))
	assert.Len(t, b.Seen("a"), 1)
	assert.Empty(t, b.Seen("b"))

	first, ok := b.Watch("a")().(Due)
	require.True(t, ok)
	assert.True(t, b.Watching("a"))
	assert.True(t, b.Take(first))
	second, ok := b.Saw("a", saw(1, "running"))().(Due)
	require.True(t, ok)
	assert.False(t, b.Take(first), "that was an earlier look")
	assert.True(t, b.Take(second))
	assert.Nil(t, b.Saw("b", saw(1, "running")))

	other := b.Watch("b")().(Due)
	assert.False(t, b.Watching("a"))
	assert.False(t, b.Take(second))
	assert.True(t, b.Take(other))
	toast, ok := b.Saw("b", saw(2, "failed"))().(screen.ToastMsg)
	require.True(t, ok)
	assert.Equal(t, screen.ToastMsg{Level: screen.Warn, Text: "watched to its end: failed"}, toast)
	assert.False(t, b.Watching("b"))
	assert.False(t, b.Take(other))
	assert.Equal(t, 3, len(waited))
	assert.Zero(t, waited[0], "the first look is due at once")
}

// TestStoppedWait: a wait that is given up brings nothing.
func TestStoppedWait(t *testing.T) {
	t.Parallel()
	b := New()
	b.Watch("a")
	cmd := b.Saw("a", saw(0, "running"))
	b.Stop()
	assert.Nil(t, cmd(), "the real pause ends with the watch")
}

// TestManyIDs: the oldest are forgotten, but not the one that is watched.
func TestManyIDs(t *testing.T) {
	t.Parallel()
	b := New()
	b.Saw("watched", saw(0, "running"))
	b.Watch("watched")
	for i := range 3 * most {
		b.Saw(fmt.Sprint(i), saw(i, "running"))
	}
	assert.Len(t, b.of, most)
	assert.Len(t, b.order, most)
	assert.NotEmpty(t, b.Seen("watched"))
	assert.Empty(t, b.Seen("0"))
	assert.NotEmpty(t, b.Seen(fmt.Sprint(3*most-1)))
}
