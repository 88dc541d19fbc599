package form_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/zone"
)

// numbered is a form with a prompt and a list of references.
func numbered(t *testing.T, text string) *form.Form {
	t.Helper()
	f := form.New("t/", tuitest.Styles(t))
	f.SetSize(50, 30)
	f.SetFields([]form.Field{{ID: "prompt", Label: "Prompt", Kind: form.Lines}, {ID: "refs", Label: "Refs", Kind: form.List, Numbered: true, Paths: true, MaxRows: 40}})
	f.SetText("refs", text)
	require.True(t, f.Focus("refs"))
	return f
}

func drawn(f *form.Form) string {
	text, _ := zone.Scan(strings.Join(f.Lines(), "\n"))
	return ansi.Strip(text)
}

func TestItemsAreNumbered(t *testing.T) {
	f := numbered(t, "file:///a/kite.png\nhttps://x.invalid/塩")
	assert.Contains(t, drawn(f), "② https://x.invalid/塩")
	f.Release()
	assert.Contains(t, drawn(f), "① /a/kite.png")
	assert.NotContains(t, drawn(numbered(t, "https://x.invalid/1")), "①", "one alone is not numbered")
	many := drawn(numbered(t, strings.TrimSuffix(strings.Repeat("https://x.invalid/1\n", 23), "\n")))
	assert.Contains(t, many, "⑳ ")
	assert.Contains(t, many, "23 https")
	for w := 24; w < 60; w += 5 {
		g := numbered(t, strings.Repeat("https://x.invalid/a/long/way 塩\n", 25))
		g.SetSize(w, 20)
		for _, l := range strings.Split(drawn(g), "\n") {
			assert.LessOrEqual(t, ansi.StringWidth(l), w)
		}
	}
}

func TestItemsMove(t *testing.T) {
	f := numbered(t, "a\n塩の平原\nc")
	item, at, ok := f.Item()
	require.True(t, ok)
	assert.Equal(t, "c", item)
	assert.Equal(t, 2, at)
	assert.Equal(t, form.Ignored, f.MoveItem(1).Kind, "it is the last one")
	assert.Equal(t, form.Event{Kind: form.Changed, ID: "refs"}, f.MoveItem(-1))
	assert.Equal(t, "a\nc\n塩の平原", f.Text("refs"))
	f.MoveItem(-1)
	assert.Equal(t, "c\na\n塩の平原", f.Text("refs"))
	item, at, _ = f.Item()
	assert.Equal(t, "c", item, "the cursor goes along")
	assert.Zero(t, at)
	f.Update(tea.KeyMsg{Type: tea.KeyCtrlUnderscore})
	assert.Equal(t, "a\nc\n塩の平原", f.Text("refs"), "undo takes one step back")
	f.SetText("refs", "a\n")
	_, _, ok = f.Item()
	assert.False(t, ok, "nothing stands there")
	require.True(t, f.Focus("prompt"))
	assert.Equal(t, form.Ignored, f.MoveItem(-1).Kind, "that is no list")
}

func TestTextIsPutIn(t *testing.T) {
	f := numbered(t, "")
	f.SetText("prompt", "fly")
	assert.Equal(t, "y", f.Before("prompt"))
	assert.True(t, f.Insert("prompt", " kite"))
	assert.Equal(t, "fly kite", f.Text("prompt"))
	assert.False(t, f.Insert("none", "x"))
	assert.Empty(t, f.Before("none"))
	assert.False(t, f.Insert("prompt", ""))
}
