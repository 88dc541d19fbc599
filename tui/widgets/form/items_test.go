package form

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/widgets/zone"
)

func itemsForm(t *testing.T, n, w, h int) *Form {
	t.Helper()
	f := New("f:", styles(t))
	f.SetSize(w, h)
	d := Field{ID: "content", Label: "Content", Kind: Items, MaxRows: 3, Add: "+ add", Hint: "nothing yet", Detail: "alt+i"}
	for i := range n {
		d.Entries = append(d.Entries, Entry{Text: fmt.Sprintf("%d 凧 of many words", i+1), Mark: []Mark{Fine, Info, Warn, Bad}[i%4]})
	}
	f.SetFields([]Field{{ID: "a", Label: "A", Kind: Text}, d, {ID: "b", Label: "B", Kind: Text}})
	f.SetText("content", "[1,2]")
	return f
}

func TestItemsAreShownAndOpened(t *testing.T) {
	f := itemsForm(t, 5, 50, 8)
	plain, zones := zone.Scan(strings.Join(f.Lines(), "\n"))
	assert.Contains(t, plain, "1 凧 of many words")
	assert.Contains(t, plain, "⚠ 3 凧 of many words")
	assert.NotContains(t, plain, "4 凧")
	assert.Contains(t, plain, "+ add  2 more  alt+i")
	for id, value := range map[string]string{"f:content/i2": "2", "f:content/+": "+", "f:content": ""} {
		_, ok := zones.Find(id)
		require.True(t, ok, id)
		ev := f.Click(zone.Click{Zone: id, X: 1})
		assert.Equal(t, Event{Kind: Opened, ID: "content", Value: value, Left: ev.Left}, ev)
		assert.False(t, f.Capturing(), "nothing is typed into it")
	}
	f.Focus("a")
	assert.Equal(t, "content", f.Update(key(tea.KeyTab)).ID)
	assert.Equal(t, Event{Kind: Opened, ID: "content"}, f.Update(key(tea.KeyEnter)))
	assert.Equal(t, Ignored, f.Update(typed("x")).Kind)
	assert.Equal(t, "b", f.Update(key(tea.KeyDown)).ID)
	assert.Equal(t, "[1,2]", f.Text("content"), "the text is the caller's")
}

func TestItemsAtAnySize(t *testing.T) {
	for n := range 7 {
		for w := 24; w < 70; w += 5 {
			for h := 1; h < 9; h++ {
				exact(t, itemsForm(t, n, w, h))
			}
		}
	}
	plain, _ := zone.Scan(strings.Join(itemsForm(t, 0, 50, 8).Lines(), "\n"))
	assert.Contains(t, plain, "nothing yet  + add  alt+i")
}

// TestTextBecomesItemsAndBack keeps the text when a field is shown the other way.
func TestTextBecomesItemsAndBack(t *testing.T) {
	f := itemsForm(t, 2, 50, 8)
	f.SetFields([]Field{{ID: "content", Label: "Content", Kind: Lines}})
	require.True(t, f.Focus("content"))
	f.Update(typed("x"))
	assert.Equal(t, "[1,2]x", f.Text("content"))
	f.SetFields([]Field{{ID: "content", Label: "Content", Kind: Items, Entries: []Entry{{Text: "1"}}}})
	assert.Equal(t, "[1,2]x", f.Text("content"))
	exact(t, f)
}
