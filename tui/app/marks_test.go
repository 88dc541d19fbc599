package app

import (
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
)

func TestTheTitleShowsWhoseGatewayItIs(t *testing.T) {
	for w, want := range map[int]string{40: "[PROD] ⊘ ▶3", 80: "[PROD work] ⊘ read-only ▶3", 200: "[PROD work] ⊘ read-only ▶3"} {
		c := newConsole(t, w, 12)
		c.m.o.Sandbox, c.m.o.Profile, c.m.o.Banner, c.m.o.Color, c.m.o.Forbidden = false, "work", "PROD", "red", "read-only"
		c.m.fresh = false
		line, _, _ := strings.Cut(c.View(), "\n")
		assert.Contains(t, line, want, w)
	}
	c := newConsole(t, 120, 34)
	c.m.o.Sandbox, c.m.o.Profile, c.m.o.Color = false, "work", "red"
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	c.m.st, c.m.fresh = themes.Make(th, r, false), false
	line, _, _ := strings.Cut(c.m.View(), "\n")
	assert.Contains(t, line, "48;2;198;40;40m work ", "the name stands on the colour")
}

// Whatever creates is off in every screen, and says why.
func TestAReadOnlyGatewayTurnsCreatesOff(t *testing.T) {
	const why = "read-only (--read-only): nothing that creates, changes or deletes is sent"
	d := newDesk(t, newHostile(t))
	o := d.model.o
	o.Forbidden = why
	off := map[string]string{}
	m := New(o, Screens())
	for i := range m.slots {
		for _, a := range made(m, i).screen.Actions() {
			off[a.ID] = a.Off
		}
	}
	for _, id := range []string{"compose.submit", "compose.improve", "compose.batch", "chat.send", "chat.again", "compare.run"} {
		assert.Equal(t, why, off[id], id)
	}
	assert.Empty(t, off["compose.clear"])
}
