package app

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/screen"
)

func TestTheTour(t *testing.T) {
	for name, c := range map[string]struct {
		key  string
		ends bool
	}{
		"escape": {"esc", true}, "submitting": {"ctrl+s", true}, "the palette": {"ctrl+p", true}, "Queue": {"alt+2", true}, "help": {"f1", true},
		"a letter": {"a", false}, "another key": {"ctrl+e", false},
	} {
		t.Run(name, func(t *testing.T) {
			c2, ended := newConsole(t, 80, 24), 0
			c2.m.o.EndTour = func() error { ended++; return nil }
			c2.Resize(80, 24)
			assert.Contains(t, c2.View(), "To get started")
			assert.Equal(t, 16, c2.one.h, "the form keeps its room to itself")
			c2.Key(c.key)
			assert.Equal(t, c.ends, ended == 1)
			if c.ends {
				c2.Key("esc")
				c2.Send(screen.OpenMsg{Screen: screen.Compose})
				assert.NotContains(t, c2.View(), "To get started", "never again")
				assert.Equal(t, 22, c2.one.h)
			}
		})
	}
}

func TestTheTourAtEachSize(t *testing.T) {
	for size, s := range map[string][2]int{"40x12": {40, 12}, "80x24": {80, 24}, "120x34": {120, 34}, "200x60": {200, 60}} {
		c := newConsole(t, s[0], s[1])
		c.m.o.EndTour = func() error { return nil }
		c.Resize(s[0], s[1])
		c.Golden("tour-" + size)
		c.Key("alt+2")
		assert.NotContains(t, c.View(), "To get started")
	}
}
