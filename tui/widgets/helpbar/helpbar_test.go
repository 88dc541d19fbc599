package helpbar_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	"github.com/stretchr/testify/assert"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/helpbar"
)

type keyMap struct{}

func bind(k, desc string) key.Binding {
	return key.NewBinding(key.WithKeys(k), key.WithHelp(k, desc))
}

func (keyMap) ShortHelp() []key.Binding {
	off := bind("x", "gone")
	off.SetEnabled(false)
	return []key.Binding{bind("^P", "palette"), off, bind("?", "help"), bind("tab", "next"), bind("^S", "submit")}
}

func (k keyMap) FullHelp() [][]key.Binding {
	return [][]key.Binding{k.ShortHelp(), {bind("enter", "open"), bind("d", "download 你好")}, {}, {bind("g", "first row")}}
}

func TestLine(t *testing.T) {
	st := tuitest.Styles(t)
	assert.Equal(t, " ^P palette  ? help  tab next  ^S submit      saved ", helpbar.Line(st, keyMap{}, "saved", 52))
	assert.Equal(t, " ^P palette  ? help      ", helpbar.Line(st, keyMap{}, "a note that is long", 25))
	for w := range 80 {
		assert.Equal(t, w, widgets.Width(helpbar.Line(st, keyMap{}, "note", w)))
	}
}

func TestFull(t *testing.T) {
	st := tuitest.Styles(t)
	groups := helpbar.Groups(keyMap{}, "Everywhere", "Queue")
	for _, w := range []int{80, 40, 20} {
		out := strings.Join(helpbar.Full(st, groups, w), "\n")
		tuitest.CheckWithin(t, out, w, 20)
		for _, want := range []string{"palette", "download", "first row", "Everywhere", "Queue"} {
			assert.Contains(t, out, want, "at %d", w)
		}
		assert.NotContains(t, out, "gone")
	}
	assert.Len(t, helpbar.Full(st, groups, 80), 5)
	assert.Nil(t, helpbar.Full(st, nil, 80))
	tuitest.Golden(t, "full-60", strings.Join(helpbar.Full(st, groups, 60), "\n"))
}
