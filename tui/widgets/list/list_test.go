package list_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/list"
	"darkroom/tui/widgets/zone"
)

func TestTheCursorStaysInTheListAndInSight(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := list.New(5)
	for range 20_000 {
		switch r.IntN(8) {
		case 0:
			m.SetLen(r.IntN(30))
		case 1:
			m.SetRows(r.IntN(12))
		case 2:
			m.Move(r.IntN(21) - 10)
		case 3:
			m.Turn(r.IntN(3) - 1)
		case 4:
			m.Select(r.IntN(60) - 30)
		case 5:
			m.Scroll(r.IntN(9) - 4)
		case 6:
			m.SetTop(r.IntN(40) - 5)
		case 7:
			m.Reset(r.IntN(30))
		}
		from, to := m.Window()
		require.LessOrEqual(t, to-from, m.Rows())
		if m.Len() == 0 {
			require.Zero(t, m.Cursor())
			continue
		}
		require.GreaterOrEqual(t, m.Cursor(), 0)
		require.Less(t, m.Cursor(), m.Len())
		if m.Rows() > 0 {
			require.LessOrEqual(t, from, m.Cursor())
			require.Less(t, m.Cursor(), to)
			require.Equal(t, min(m.Len(), m.Rows()), to-from, "no line is left empty while there are items for it")
		}
	}
}

func TestMoving(t *testing.T) {
	m := list.New(3)
	m.SetLen(4)
	m.Move(9)
	assert.Equal(t, 3, m.Cursor())
	m.Turn(1)
	assert.Zero(t, m.Cursor(), "around the end")
	m.Turn(-1)
	assert.Equal(t, 3, m.Cursor())
	m.SetLen(2)
	assert.Equal(t, 1, m.Cursor())
	i, ok := m.Hit("row:1", "row:")
	assert.True(t, ok)
	assert.Equal(t, 1, i)
	for _, zone := range []string{"row:2", "row:-1", "row:x", "other:1", ""} {
		_, ok = m.Hit(zone, "row:")
		assert.False(t, ok, zone)
	}
}

func TestLines(t *testing.T) {
	m := list.New(3)
	m.SetLen(5)
	m.Select(4)
	st := tuitest.Styles(t)
	draw := func(i, w int) string { return widgets.Fit(strconv.Itoa(i), w, 1) }
	lines := m.Lines(st, 10, draw)
	require.Len(t, lines, 3)
	assert.Equal(t, "2       ", tuitest.Plain(lines[0])[:8])
	assert.Equal(t, 10, widgets.Width(lines[0]), "with the scroll bar")
	m.SetRows(8)
	lines = m.Lines(st, 10, draw)
	require.Len(t, lines, 5)
	assert.Equal(t, "0         ", tuitest.Plain(lines[0]), "all of them show")
	assert.Equal(t, 1, list.Window(5, 1, 2, 9, 4), "a heading above the cursor shows with it")
}

func TestTheSecondClickOpens(t *testing.T) {
	m := list.New(5)
	m.Reset(3)
	click := func(id string, double bool) [2]bool {
		again, ok := m.Click(zone.Click{Zone: id, Double: double}, "row:")
		return [2]bool{again, ok}
	}
	assert.Equal(t, [2]bool{false, true}, click("row:2", false))
	assert.Equal(t, 2, m.Cursor())
	assert.Equal(t, [2]bool{true, true}, click("row:2", false))
	assert.Equal(t, [2]bool{true, true}, click("row:1", true))
	assert.Equal(t, [2]bool{}, click("row:3", true))
	assert.Equal(t, [2]bool{}, click("cell:1", true))
	assert.Equal(t, 1, m.Cursor())
}
