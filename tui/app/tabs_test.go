package app

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/screen"
)

// TestEveryTabShows has as many screens as the console has: where their names do not fit
// beside each other, their digits do.
// TestAScreenIsMadeWhenItIsNeeded, with the size and the theme of then, and told of what it is there
// for.
func TestAScreenIsMadeWhenItIsNeeded(t *testing.T) {
	c := newConsole(t, 80, 24)
	var made []*fake
	entries := []Entry{}
	for _, id := range []screen.ID{"first", "second", "third"} {
		entries = append(entries, Entry{ID: id, Title: string(id), New: func(s Services) screen.Screen {
			made = append(made, &fake{name: string(id), st: s.Styles})
			return made[len(made)-1]
		}})
	}
	o := c.m.o
	o.Start, o.Themes = "second", []string{"dark", "light"}
	m := New(o, entries)
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
	m.Update(newsMsg{})
	m.useTheme("light")
	m.View()
	require.Len(t, made, 1)
	assert.Equal(t, "second", made[0].name)
	m.Update(screen.OpenMsg{Screen: "third", Payload: "payload"})
	require.Len(t, made, 2)
	third := made[1]
	assert.Equal(t, "third", third.name)
	assert.Equal(t, [2]int{100, 28}, [2]int{third.w, third.h})
	assert.Equal(t, "light", third.st.Name)
	assert.Contains(t, third.got, any("payload"))
	m.openPalette()
	assert.Len(t, made, 3, "the palette has the actions of all")
}

func TestEveryTabShows(t *testing.T) {
	for _, w := range []int{60, 80, 90, 120} {
		c := newConsole(t, w, 24)
		for i := len(c.m.slots); i < 6; i++ {
			f := &fake{name: fmt.Sprintf("further%d", i)}
			c.m.slots = append(c.m.slots, slot{id: screen.ID(f.name), title: "Further", screen: f})
		}
		c.Key("alt+6")
		line, _, _ := strings.Cut(c.View(), "\n")
		for i := range 6 {
			assert.Contains(t, line, fmt.Sprint(i+1), "%d cells: %s", w, line)
		}
		assert.Contains(t, line, "6 Further", "%d cells: %s", w, line)
		assert.NotContains(t, line, "…", "%d cells: %s", w, line)
	}

	c := newConsole(t, 120, 24)
	c.m.o.Sandbox, c.m.o.Origin = false, "https://gateway.example.org:8443"
	c.Resize(121, 24)
	assert.Contains(t, c.View(), "gateway.example.org", "there is room for the address")
	for i := len(c.m.slots); i < 6; i++ {
		f := &fake{name: fmt.Sprintf("further%d", i)}
		c.m.slots = append(c.m.slots, slot{id: screen.ID(f.name), title: "Further name", screen: f})
	}
	c.Resize(120, 24)
	line, _, _ := strings.Cut(c.View(), "\n")
	assert.NotContains(t, line, "gateway.example.org")
	assert.Contains(t, line, "5 Further name", "names of screens go before the address")
}
