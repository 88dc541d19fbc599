package toast_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/toast"
	"darkroom/tui/widgets/zone"
)

var t0 = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

func TestMessagesGoAtTheirTime(t *testing.T) {
	var s toast.Stack
	_, ok := s.Next()
	assert.False(t, ok)
	s.Push(toast.Info, "one", t0.Add(3*time.Second))
	s.Push(toast.Bad, "two", t0.Add(time.Second))
	at, ok := s.Next()
	require.True(t, ok)
	assert.Equal(t, t0.Add(time.Second), at)
	assert.False(t, s.Expire(t0))
	assert.True(t, s.Expire(t0.Add(time.Second)))
	assert.Equal(t, 1, s.Len())
	assert.True(t, s.Expire(t0.Add(time.Hour)))
	assert.Empty(t, s.View(tuitest.Styles(t), 40, 20))
}

func TestTheSameMessageIsNotDoubled(t *testing.T) {
	var s toast.Stack
	s.Push(toast.Info, "one", t0.Add(time.Second))
	s.Push(toast.Info, "one", t0.Add(9*time.Second))
	s.Push(toast.Info, "one", t0.Add(2*time.Second))
	require.Equal(t, 1, s.Len())
	at, _ := s.Next()
	assert.Equal(t, t0.Add(9*time.Second), at)
	s.Push(toast.Bad, "one", t0)
	assert.Equal(t, 2, s.Len(), "of another level it is another message")
	for i := range 20 {
		s.Push(toast.Info, fmt.Sprint(i), t0)
	}
	assert.Equal(t, 5, s.Len(), "the oldest go")
	s.Clear()
	assert.Zero(t, s.Len())
}

func TestClickDismisses(t *testing.T) {
	var s toast.Stack
	s.Push(toast.Good, "kept kite.mp4", t0)
	s.Push(toast.Bad, "failed", t0)
	_, zones := zone.Scan(s.View(tuitest.Styles(t), 40, 20))
	require.Len(t, zones, 2)
	assert.True(t, s.Dismiss(zones[0].ID))
	assert.False(t, s.Dismiss(zones[0].ID))
	assert.False(t, s.Dismiss("toast:99"))
	assert.Equal(t, 1, s.Len())
	assert.Contains(t, tuitest.Plain(s.View(tuitest.Styles(t), 40, 20)), "failed")
}

func TestViewFits(t *testing.T) {
	st := tuitest.Styles(t)
	var s toast.Stack
	for _, text := range []string{"short", strings.Repeat("long words 你好 ", 30), "👩‍👩‍👧👩‍👩‍👧", ""} {
		s.Push(toast.Warn, text, t0)
	}
	for w := 1; w < 90; w++ {
		for h := 1; h < 24; h++ {
			tuitest.CheckWithin(t, s.View(st, w, h), w, h)
		}
	}
	tuitest.Golden(t, "toasts", s.View(st, 44, 20))
}

func TestOverCoversNothingButTheMessages(t *testing.T) {
	st := tuitest.Styles(t)
	var s toast.Stack
	frame := strings.TrimSuffix(strings.Repeat(strings.Repeat("f", 60)+"\n", 12), "\n")
	assert.Equal(t, frame, s.Over(st, frame, 1))
	s.Push(toast.Info, "short", t0)
	s.Push(toast.Info, "a message that is longer", t0)
	got := s.Over(st, frame, 1)
	tuitest.CheckFrame(t, got, 60, 12)
	tuitest.Golden(t, "over", got)
	for h := 1; h < 12; h++ {
		small := strings.Join(strings.Split(frame, "\n")[:h], "\n")
		tuitest.CheckFrame(t, s.Over(st, small, 1), 60, h)
	}
}
