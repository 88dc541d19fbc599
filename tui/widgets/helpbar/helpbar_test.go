package helpbar_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
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

func TestTheSheetHasOneColumnOfKeys(t *testing.T) {
	st := tuitest.Styles(t)
	s := helpbar.NewSheet(helpbar.Groups(keyMap{}, "Everywhere", "Queue"))
	for _, size := range [][2]int{{80, 30}, {40, 10}, {20, 5}, {4, 3}} {
		tuitest.CheckWithin(t, s.View(st, size[0], size[1]), size[0], size[1])
	}
	out := tuitest.Plain(s.View(st, 60, 30))
	tuitest.Golden(t, "sheet-60", out)
	assert.NotContains(t, out, "gone", "what is disabled")
	at := map[int]bool{}
	for _, line := range strings.Split(out, "\n") {
		for _, what := range []string{"palette", "next", "download", "first row", "Queue"} {
			if before, _, ok := strings.Cut(line, what); ok {
				at[widgets.Width(before)] = true
			}
		}
	}
	assert.Len(t, at, 1, "all begin in one column:\n%s", out)
}

func TestTypingFiltersTheSheet(t *testing.T) {
	st := tuitest.Styles(t)
	s := helpbar.NewSheet(helpbar.Groups(keyMap{}, "Everywhere", "Queue"))
	view := func() string { return tuitest.Plain(s.View(st, 60, 30)) }
	high := widgets.Height(view())
	for _, r := range "Queue DOWN" {
		assert.False(t, s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
	assert.Contains(t, view(), "download")
	assert.NotContains(t, view(), "submit")
	assert.Equal(t, high, widgets.Height(view()), "the box stays as it is")
	s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")})
	assert.Contains(t, view(), "no key for this")
	assert.False(t, s.Update(tea.KeyMsg{Type: tea.KeyEsc}), "the first esc clears what was typed")
	assert.Contains(t, view(), "submit")
	assert.True(t, s.Update(tea.KeyMsg{Type: tea.KeyEsc}))
}
