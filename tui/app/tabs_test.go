package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/screen"
)

// TestEveryTabShows has as many screens as the console has: where their names do not fit
// beside each other, their digits do.
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
