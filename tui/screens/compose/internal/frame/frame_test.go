package frame

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/screens/compose/internal/pens"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

func TestTheRequestStandsBesideTheFormWhereThereIsRoom(t *testing.T) {
	wide := Room{W: 120, H: 34}
	left, right := wide.Sizes()
	assert.Equal(t, 120, left+right)
	assert.Equal(t, 52, right)
	wide.Request = true
	assert.False(t, wide.Alone(), "one format has room beside the form")
	wide.Wire = true
	assert.True(t, wide.Alone())
	w, h := wide.FormSize()
	assert.Equal(t, []int{64, 30}, []int{w, h}, "as it comes back")

	narrow := Room{W: 80, H: 24}
	left, right = narrow.Sizes()
	assert.Equal(t, []int{80, 0}, []int{left, right})
	narrow.Request = true
	left, right = narrow.Sizes()
	assert.Equal(t, []int{0, 80}, []int{left, right})
	assert.Equal(t, []int{0, 1, 2}, []int{Room{H: 6}.HelpLines(), Room{H: 19}.HelpLines(), Room{H: 20}.HelpLines()})
}

func TestTheBoxHasItsSize(t *testing.T) {
	st := tuitest.Styles(t)
	p := pens.New(st)
	var d Draft
	for _, h := range []int{1, 2, 3, 10} {
		help := Help(&p, "what it is for", form.Warn, true, 36, 2)
		lines := d.Lines(st, &p, Edge{Title: "Draft", Right: "↓", Footer: "draft saved", Focus: true}, help, 40, h)
		assert.Len(t, lines, h)
		for _, l := range lines {
			assert.Equal(t, 40, widgets.Width(l))
		}
	}
}
