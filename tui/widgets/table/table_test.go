package table_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
	"darkroom/tui/widgets/zone"
)

func columns() []table.Column {
	return []table.Column{
		{Title: "State", Min: 11},
		{Title: "Model", Min: 8, Weight: 1, Max: 20, Drop: 1},
		{Title: "Prompt", Min: 10, Weight: 4},
		{Title: "Age", Min: 4, Right: true, Drop: 2},
		{Title: "Took", Min: 6, Right: true, Drop: 3},
	}
}

func rows(n int) table.Func {
	return table.Func{N: n, At: func(i int) table.Row {
		return table.Row{Marked: i%5 == 1, Cells: []table.Cell{
			{Text: "✓ completed"}, {Text: "famA-video"}, {Text: fmt.Sprintf("kite %d 你好 over a salt flat", i)}, {Text: "12 m"}, {Text: "4.2 s"},
		}}
	}}
}

func TestViewHasTheSizeAskedAtEverySize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	st := tuitest.Styles(t)
	m := table.New(columns())
	for range 800 {
		w, h := 1+r.IntN(130), 1+r.IntN(30)
		m.SetSource(rows(r.IntN(40)))
		m.SetSize(w, h)
		m.SetCursor(r.IntN(40))
		m.Wheel(r.IntN(9) - 4)
		tuitest.CheckFrame(t, m.View(st, r.IntN(2) == 0), w, h)
	}
}

func TestHostileCellsStayInTheirColumn(t *testing.T) {
	m := table.New([]table.Column{{Title: "A", Min: 5}, {Title: "B", Min: 5, Right: true}})
	m.SetSource(table.Func{N: 1, At: func(int) table.Row {
		return table.Row{Cells: []table.Cell{{Text: "one\ntwo\tthree"}, {Text: "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧"}, {Text: "one too many"}}}
	}})
	m.SetSize(20, 3)
	got := m.View(tuitest.Styles(t), true)
	tuitest.CheckFrame(t, got, 20, 3)
	assert.Contains(t, tuitest.Plain(got), "one …")
}

func TestGoldens(t *testing.T) {
	st := tuitest.Styles(t)
	for _, size := range [][2]int{{100, 8}, {60, 8}, {40, 8}, {24, 5}} {
		m := table.New(columns())
		m.SetSource(rows(30))
		m.SetSize(size[0], size[1])
		m.SetCursor(6)
		tuitest.Golden(t, fmt.Sprintf("table-%dx%d", size[0], size[1]), m.View(st, true))
	}
	m := table.New(columns())
	m.Empty = "No jobs yet.\nPress 1 to compose one."
	m.SetSize(60, 9)
	tuitest.Golden(t, "table-empty", m.View(st, true))
}

func TestKeysMoveTheCursorAndStopAtTheEnds(t *testing.T) {
	m := table.New(columns())
	assert.Equal(t, -1, m.Cursor())
	m.SetSource(rows(100))
	m.SetSize(80, 11) // ten rows
	for _, step := range []struct {
		key         string
		cursor, top int
	}{
		{"up", 0, 0}, {"down", 1, 0}, {"j", 2, 0}, {"pgdown", 11, 2}, {"G", 99, 90}, {"j", 99, 90},
		{"k", 98, 90}, {"pgup", 89, 89}, {"ctrl+u", 85, 85}, {"ctrl+d", 89, 85}, {"g", 0, 0}, {"end", 99, 90}, {"home", 0, 0},
	} {
		require.True(t, m.Update(tuitest.KeyMsg(t, step.key)), step.key)
		assert.Equal(t, step.cursor, m.Cursor(), "cursor after %s", step.key)
		assert.Equal(t, step.top, m.Top(), "top after %s", step.key)
	}
	assert.False(t, m.Update(tuitest.KeyMsg(t, "x")))
}

func TestCursorSurvivesFewerRows(t *testing.T) {
	m := table.New(columns())
	m.SetSize(80, 11)
	m.SetSource(rows(100))
	m.SetCursor(99)
	m.SetSource(rows(3))
	assert.Equal(t, 2, m.Cursor())
	assert.Equal(t, 0, m.Top())
	m.SetSource(nil)
	assert.Equal(t, -1, m.Cursor())
	m.SetSource(rows(5))
	assert.Equal(t, 0, m.Cursor())
}

func TestMouse(t *testing.T) {
	m := table.New(columns())
	m.SetSize(80, 11)
	m.SetSource(rows(100))
	m.SetCursor(50)
	frame, zones := zone.Scan(m.View(tuitest.Styles(t), true))
	require.Len(t, zones, 10)
	z, ok := zones.Find("row:50")
	require.True(t, ok)
	assert.Equal(t, 1, z.Rect.H)
	assert.Contains(t, strings.Split(frame, "\n")[z.Rect.Y], "▸")

	require.True(t, m.Click(zone.Click{Zone: "row:44"}))
	assert.Equal(t, 44, m.Cursor())
	for _, bad := range []string{"row:100", "row:-1", "row:x", "btn:1", "row:"} {
		assert.False(t, m.Click(zone.Click{Zone: bad}), bad)
	}
	top := m.Top()
	m.Wheel(1)
	assert.Equal(t, top+3, m.Top())
	assert.GreaterOrEqual(t, m.Cursor(), m.Top(), "the cursor stays in sight")
	m.Wheel(-100)
	assert.Equal(t, 0, m.Top())
}

func TestOnlyRowsThatShowAreMade(t *testing.T) {
	made := 0
	m := table.New(columns())
	src := rows(100_000)
	m.SetSource(table.Func{N: src.N, At: func(i int) table.Row { made++; return src.At(i) }})
	m.SetSize(200, 60)
	m.SetCursor(70_000)
	m.View(tuitest.Styles(t), true)
	assert.Equal(t, 59, made)
}

func BenchmarkView(b *testing.B) {
	th, _ := themes.Get(themes.Dark)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	st := themes.Make(th, r, false)
	state, muted := widgets.NewInk(st.StateDone), widgets.NewInk(st.Muted)
	row := table.Row{Cells: []table.Cell{
		{Text: "✓ completed", Ink: state}, {Text: "famA-video"}, {Text: "a red kite over a salt flat at dawn, wide angle"},
		{Text: "12 m", Ink: muted}, {Text: "4.2 s", Ink: muted},
	}}
	m := table.New(columns())
	m.SetSource(table.Func{N: 100_000, At: func(int) table.Row { return row }})
	m.SetSize(200, 60)
	m.SetCursor(50_000)
	for b.Loop() {
		m.View(st, true)
	}
}

// tallRows are rows of three lines with a picture of six cells.
func tallRows(n int) table.Func {
	src := rows(n)
	return table.Func{N: n, At: func(i int) table.Row {
		r := src.At(i)
		r.Picture = []string{"<0000>", "<1111>", "<2222>"}
		r.Below = []table.Cell{{Text: "the rest of it", Tail: " · seed 42"}}
		return r
	}}
}

func TestTallRowsHaveTheSizeAskedAtEverySize(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	st := tuitest.Styles(t)
	m := table.New(columns())
	for range 800 {
		w, h := 1+r.IntN(130), 1+r.IntN(30)
		m.SetTall(table.Tall{Lines: 1 + r.IntN(4), Picture: 6 * r.IntN(2), From: r.IntN(3)})
		m.SetSource(tallRows(r.IntN(40)))
		m.SetSize(w, h)
		m.SetCursor(r.IntN(40))
		m.Wheel(r.IntN(9) - 4)
		tuitest.CheckFrame(t, m.View(st, r.IntN(2) == 0), w, h)
		if n := m.Cursor(); n >= 0 && m.Visible() > 0 {
			assert.True(t, m.Top() <= n && n < m.Top()+m.Visible(), "the cursor is in sight")
		}
	}
}

func TestTallRows(t *testing.T) {
	m := table.New(columns())
	m.SetTall(table.Tall{Lines: 3, Picture: 6, From: 2})
	m.SetSource(tallRows(20))
	m.SetSize(80, 12)
	m.SetCursor(4)
	st := tuitest.Styles(t)
	tuitest.Golden(t, "table-tall", m.View(st, true))
	_, zones := zone.Scan(m.View(st, true))
	z, ok := zones.Find("row:4")
	require.True(t, ok)
	assert.Equal(t, zone.Rect{X: 0, Y: 7, W: 78, H: 3}, z.Rect, "all lines of it")
	assert.Equal(t, 3, m.Visible())
	m.Update(tuitest.KeyMsg(t, "pgdown"))
	assert.Equal(t, 6, m.Cursor())
}
