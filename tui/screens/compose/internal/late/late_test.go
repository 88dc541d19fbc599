package late

import (
	"strconv"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
)

func TestTheFormIsTheSameUntilSomebodyTouchesIt(t *testing.T) {
	at := State{Edits: 1, Fills: 1}
	for name, x := range map[string]struct {
		at, now             State
		untouched, replaced bool
	}{
		"nothing":              {at, at, true, false},
		"a word":               {at, State{Edits: 2, Fills: 1}, false, false},
		"another form":         {at, State{Edits: 1, Fills: 2}, false, true},
		"a dialog":             {at, State{Edits: 1, Fills: 1, Dialog: true}, false, false},
		"from a dialog":        {State{Dialog: true}, State{}, true, false},
		"from one, in one":     {State{Dialog: true}, State{Dialog: true}, true, false},
		"from one, in a paste": {State{Dialog: true}, State{Pasting: true}, false, false},
	} {
		assert.Equal(t, x.untouched, x.at.untouched(x.now), name)
		assert.Equal(t, x.replaced, x.at.replaced(x.now), name)
	}
}

func TestTheNewestIsTakenFirst(t *testing.T) {
	now := State{}
	b := New("alt+t", func() State { return now })
	assert.NotEmpty(t, b.Off())
	assert.Empty(t, b.Hint())
	took := ""
	put := func(what string) {
		b.Offer(what, func() tea.Cmd { took += what; return nil })
	}
	put("one")
	assert.Equal(t, "the form was changed and stays as it is; kept is one: alt+t takes it", b.Hint())
	put("two")
	assert.Contains(t, b.Hint(), "two and 1 other")
	assert.Empty(t, b.Off())
	b.Take()
	b.Take()
	assert.Equal(t, "twoone", took)
	assert.NotEmpty(t, b.Off())

	at := b.Now()
	b.Put(at, "at once", func() tea.Cmd { took = "put"; return nil })
	assert.Equal(t, "put", took)
	now.Edits++
	assert.False(t, b.Replaced(at))
	b.Put(at, "a third", nil)
	assert.Contains(t, b.Hint(), "kept is a third")
	now.Dialog = true
	assert.Equal(t, OverForm, b.Off())
	for i := range most + 5 {
		put(strconv.Itoa(i))
	}
	assert.Len(t, b.list, most)
}
