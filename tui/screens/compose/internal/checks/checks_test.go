package checks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/form"
)

func list(t *testing.T, n int) *List {
	l := &List{}
	l.SetStyles(tuitest.Styles(t))
	var items []Item
	for i := range n {
		items = append(items, Item{Mark: form.Warn, Text: fmt.Sprintf("finding %d", i), Zone: "z/", Number: i})
	}
	assert.True(t, l.Set(items, 30))
	assert.False(t, l.Set(items, 30), "the same again")
	return l
}

func show(l *List, n int) string { return tuitest.Plain(strings.Join(l.Shown(n, "down", "up"), "\n")) }

func TestFewFindingsAllShow(t *testing.T) {
	l := list(t, 3)
	assert.Equal(t, 3, l.Len())
	assert.Contains(t, show(l, 4), "⚠ finding 2")
	assert.NotContains(t, show(l, 4), "more lines")
	l.Scroll(5)
	assert.Zero(t, l.Top())
}

func TestManyFindingsAreScrolled(t *testing.T) {
	l := list(t, 10)
	assert.Contains(t, show(l, 4), "… 7 more lines · down")
	l.Scroll(l.Page())
	assert.Contains(t, show(l, 4), "more lines, 2 above · down")
	l.Scroll(100)
	assert.Contains(t, show(l, 4), "lines above · up")
	assert.Contains(t, show(l, 4), "finding 9")
	l.Reveal("z/", 0)
	assert.Contains(t, show(l, 4), "finding 0")
	l.Reveal("other/", 5)
	assert.Contains(t, show(l, 4), "finding 0", "no such item")
}

func TestALongFindingIsWrapped(t *testing.T) {
	l := &List{}
	l.SetStyles(tuitest.Styles(t))
	l.Set([]Item{{Text: strings.Repeat("word ", 100)}, {Mark: form.Bad, Text: "next"}}, 20)
	assert.Equal(t, maxLines+1, l.Len())
}
