package form

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/widgets"
)

func TestEditorUndo(t *testing.T) {
	e := NewEditor(true)
	for _, c := range "abc" {
		e.Insert(string(c))
	}
	e.Insert(" pasted text")
	e.Update(key(tea.KeyCtrlW), 40)
	assert.Equal(t, "abc pasted ", e.Value())
	require.True(t, e.Undo())
	assert.Equal(t, "abc pasted text", e.Value())
	require.True(t, e.Undo())
	assert.Equal(t, "abc", e.Value())
	require.True(t, e.Undo())
	assert.Empty(t, e.Value(), "a run of typing is one step")
	assert.False(t, e.Undo())
	for e.Redo() {
	}
	assert.Equal(t, "abc pasted ", e.Value())
}

func TestEditorWrapsAndMovesByVisualLines(t *testing.T) {
	e := NewEditor(true)
	e.SetValue("the quick brown fox jumps")
	assert.Equal(t, 3, e.Rows(11)) // "the quick " "brown fox " "jumps"
	e.SetCursor(2)
	e.Update(key(tea.KeyDown), 11)
	row, col := e.at(11)
	assert.Equal(t, []int{1, 2}, []int{row, col})
	e.Update(key(tea.KeyEnd), 11)
	assert.Equal(t, 25, e.cur)
	used, _ := e.Update(key(tea.KeyDown), 11)
	assert.False(t, used, "below the last line is another field")
}

func TestEditorJoinsWhatBelongsTogether(t *testing.T) {
	e := NewEditor(false)
	e.Insert("e")
	e.Insert("\u0301")
	assert.Equal(t, 1, e.Len())
	e.SetValue("🇩🇪🇫🇷")
	e.SetCursor(0)
	e.Insert("🇮")
	assert.Equal(t, "🇮🇩🇪🇫🇷", e.Value())
	assert.Equal(t, clusters(e.Value()), e.cells, "flags pair up from the left")
}

func FuzzEditor(f *testing.F) {
	f.Add("hello", "世界", uint8(3), uint8(8))
	f.Add("🇩🇪🇫🇷x\u0301", "🇮", uint8(0), uint8(2))
	f.Add("a\u202eb\u200bc\td", "\n\r\n\x1b", uint8(2), uint8(5))
	f.Fuzz(func(t *testing.T, text, more string, at, width uint8) {
		e := NewEditor(true)
		e.SetValue(text)
		e.SetCursor(int(at))
		e.Insert(more)
		e.Update(key(tea.KeyBackspace), 10)
		require.Equal(t, clusters(e.Value()), append([]string{}, e.cells...))
		require.LessOrEqual(t, e.cur, len(e.cells))
		w := 2 + int(width)%60
		for _, l := range e.render(w, 4, paper{focus: true, bar: width%2 == 0}) {
			require.Equal(t, w, ansi.StringWidth(l), "%q", l)
		}
		for e.Undo() {
		}
		require.Empty(t, e.Value())
	})
}

func BenchmarkKeyToLines(b *testing.B) {
	f := New("f:", styles(b))
	f.SetSize(100, 56)
	f.SetFields(sample())
	f.Focus("prompt")
	f.SetText("prompt", strings.Repeat("a red kite over a salt flat ", 20))
	b.ReportAllocs()
	for b.Loop() {
		f.Update(typed("x"))
		_ = f.Lines()
		f.Update(key(tea.KeyBackspace))
	}
}

func TestInkIsPlainInTests(t *testing.T) {
	assert.Equal(t, widgets.Ink{}, newInks(styles(t)).cursor)
}
