package tuitest_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"

	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// torn is a screen that draws a line too many once it was told something of its own.
type torn struct {
	*probe
	told bool
}

func (s *torn) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	if m, ok := msg.(note); ok && m == "own" {
		s.told = true
	}
	_, cmd := s.probe.Update(msg)
	return s, cmd
}

func (s *torn) View() string {
	if s.told {
		return s.probe.View() + "\n"
	}
	return s.probe.View()
}

// TestMonkey: it does everything that it says, the same at each run, and sees a frame that
// is not as large as the screen.
func TestMonkey(t *testing.T) {
	use := func(tb testing.TB, s screen.Screen, p *probe, own string) string {
		k := tuitest.Monkey{Seed: 1, Steps: 200, Keys: []tea.KeyType{tea.KeyTab}, Text: []string{"x"}, Wheel: []string{"go"}}
		k.Own = func(*rand.Rand) tea.Msg { return note(own) }
		k.Use(tb, s)
		return strings.Join(p.log, "\n")
	}
	p := newProbe()
	did := use(t, p, p, "mine")
	for _, what := range []string{"init one", "tea.KeyMsg tab", "tea.KeyMsg x", "tea.KeyMsg [x]", "zone.Click {go", "WheelMsg", "mine"} {
		assert.Contains(t, did, what)
	}
	again := newProbe()
	assert.Equal(t, did, use(t, again, again, "mine"))
	assert.Contains(t, failure(t, func(tb testing.TB) {
		p := newProbe()
		use(tb, &torn{probe: p}, p, "own")
	}), "lines, wanted")
}
