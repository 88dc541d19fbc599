package scroll_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/scroll"
	"darkroom/tui/widgets/zone"
)

func lines(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("line %d of 你好 %s", i, strings.Repeat("x", i%50))
	}
	return out
}

func TestViewHasTheSizeAsked(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	st := tuitest.Styles(t)
	var m scroll.Model
	for range 600 {
		w, h := 1+r.IntN(60), 1+r.IntN(20)
		m.SetLines(lines(r.IntN(60)))
		m.SetSize(w, h)
		for range 3 {
			m.Update(tuitest.KeyMsg(t, []string{"pgdown", "right", "end", "up", "left"}[r.IntN(5)]))
		}
		tuitest.CheckFrame(t, m.View(st), w, h)
	}
}

func TestMoving(t *testing.T) {
	var m scroll.Model
	m.SetLines(lines(100))
	m.SetSize(40, 10)
	for _, step := range []struct {
		key string
		top int
	}{
		{"up", 0}, {"down", 1}, {"j", 2}, {"pgdown", 11}, {" ", 20}, {"ctrl+d", 25}, {"ctrl+u", 20}, {"G", 90}, {"j", 90}, {"b", 81}, {"g", 0},
	} {
		require.True(t, m.Update(tuitest.KeyMsg(t, step.key)))
		assert.Equal(t, step.top, m.Top(), step.key)
	}
	assert.False(t, m.Update(tuitest.KeyMsg(t, "x")))
	m.Wheel(2)
	assert.Equal(t, 6, m.Top())
	assert.InDelta(t, 6.0/90, m.Position(), 0.001)
	m.SetTop(1000)
	assert.InDelta(t, 1, m.Position(), 0)
	m.SetLines([]string{"one", "two"})
	assert.Equal(t, 0, m.Top())
	assert.Equal(t, 2, m.Len())
	assert.InDelta(t, 1, m.Position(), 0)
}

func TestSideways(t *testing.T) {
	st := tuitest.Styles(t)
	var m scroll.Model
	m.SetLines([]string{"0123456789abcdefghij", "short"})
	m.SetSize(10, 2)
	m.View(st)
	require.True(t, m.Update(tuitest.KeyMsg(t, "right")))
	assert.Contains(t, m.View(st), "89abcdefg…")
	m.Update(tuitest.KeyMsg(t, "left"))
	assert.Contains(t, m.View(st), "012345678…")
	for range 20 {
		m.Update(tuitest.KeyMsg(t, "right"))
	}
	assert.Contains(t, m.View(st), "j", "one cannot go beyond the end")
}

func TestZone(t *testing.T) {
	m := scroll.Model{Zone: "pane"}
	m.SetSize(10, 4)
	_, zones := zone.Scan(m.View(tuitest.Styles(t)))
	z, ok := zones.Find("pane")
	require.True(t, ok)
	assert.Equal(t, zone.Rect{W: 10, H: 4}, z.Rect)
}

func BenchmarkView(b *testing.B) {
	var m scroll.Model
	m.SetLines(lines(100_000))
	m.SetSize(200, 60)
	st := tuitest.Styles(b)
	for b.Loop() {
		m.View(st)
	}
}
