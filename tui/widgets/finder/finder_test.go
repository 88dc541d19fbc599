package finder_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/keys"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/finder"
	"darkroom/tui/widgets/zone"
)

func press(t *testing.T, m *finder.Model, names ...string) (last finder.Event) {
	t.Helper()
	for _, n := range names {
		msg, ok := keys.Parse(n)
		require.True(t, ok, n)
		last = m.Update(msg)
	}
	return last
}

func filled(n int) *finder.Model {
	m := finder.New("Prompts", "words …")
	for i := range n {
		m.Add(finder.Item{ID: fmt.Sprint(i), Text: fmt.Sprintf("kite %d over 塩の平原\nsecond line", i), Detail: "famA3  2 h"})
	}
	return m
}

func TestMovingAndPicking(t *testing.T) {
	m := filled(50)
	assert.Equal(t, finder.None, press(t, m, "down", "down"))
	it, ok := m.Current()
	require.True(t, ok)
	assert.Equal(t, "2", it.ID)
	assert.Equal(t, finder.Picked, press(t, m, "enter"))
	assert.Equal(t, finder.Cancelled, press(t, m, "esc"))
	press(t, m, "up", "up", "up")
	it, _ = m.Current()
	assert.Equal(t, "0", it.ID, "it stops at the ends")
	assert.Equal(t, finder.None, m.Click(zone.Click{Zone: "find:3"}))
	assert.Equal(t, finder.Picked, m.Click(zone.Click{Zone: "find:3"}), "the second click picks")
	assert.Equal(t, finder.Picked, m.Click(zone.Click{Zone: "find:4", Double: true}))
	assert.Equal(t, finder.None, m.Click(zone.Click{Zone: "find:99", Double: true}))
}

func TestMoreIsWantedNearTheEnd(t *testing.T) {
	m := filled(50)
	assert.Equal(t, finder.None, m.Wheel(10))
	assert.Equal(t, finder.Wanting, m.Wheel(30))
	m.Busy = true
	assert.Equal(t, finder.None, m.Wheel(1), "it is on its way")
	m.Busy, m.Done = false, true
	assert.Equal(t, finder.None, m.Wheel(1), "there is no more")
}

func TestTypingIsAQuery(t *testing.T) {
	m := filled(3)
	assert.Equal(t, finder.Changed, press(t, m, "k", "i"))
	assert.Equal(t, "ki", m.Query())
	assert.Equal(t, finder.None, press(t, m, " "), "a blank at the end looks for nothing else")
	assert.Equal(t, finder.None, press(t, m, "left"))
	m.Reset()
	assert.Zero(t, m.Len())
	assert.Equal(t, finder.None, press(t, m, "enter"), "there is nothing to pick")
}

func TestDrawing(t *testing.T) {
	st := tuitest.Styles(t)
	for w := 1; w < 90; w += 7 {
		for h := 1; h < 30; h += 3 {
			for _, m := range []*finder.Model{filled(0), filled(2), filled(60)} {
				m.Keys = "enter takes it"
				press(t, m, "o")
				frame, _ := zone.Scan(m.View(st, w, h))
				tuitest.CheckFrame(t, frame, w, h)
			}
		}
	}
	m := finder.New("Prompts", "words …")
	m.Add(finder.Item{ID: "x", Text: strings.Repeat("salt ", 100) + "kite at the end"})
	press(t, m, "k", "i", "t", "e")
	assert.Contains(t, ansi.Strip(m.View(st, 60, 10)), "kite at the end", "the line begins where the word shows")
	empty := finder.New("Prompts", "")
	empty.Note = "the history did not open"
	assert.Contains(t, empty.View(st, 60, 10), "did not open")
}
