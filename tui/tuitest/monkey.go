package tuitest

import (
	"math/rand/v2"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
	"darkroom/tui/widgets/zone"
)

// Monkey uses a screen at random: it presses keys, types and pastes, clicks and turns the wheel,
// and resizes it. Some of the commands that follow are dropped, as if they were slow.
type Monkey struct {
	Seed  uint64
	Steps int
	Keys  []tea.KeyType // those that are listed twice are pressed twice as often
	Text  []string
	Wheel []string // zones that the wheel is turned over; nil for none in particular
	// Before is called before each step, to change what the screen will be told.
	Before func(r *rand.Rand)
	// Own returns a message that only this screen gets; nil for none.
	Own func(r *rand.Rand) tea.Msg
}

// Use uses a screen for Steps steps. The test fails if a frame is not of the exact size.
func (k *Monkey) Use(t testing.TB, m screen.Screen) {
	t.Helper()
	r := rand.New(rand.NewPCG(k.Seed, 7)) //nolint:gosec // reproducible, not secret
	w, h := k.resize(r, m)
	RunAll(m, m.Init())
	for range k.Steps {
		if k.Before != nil {
			k.Before(r)
		}
		msg := k.step(r, m)
		if msg == nil {
			w, h = k.resize(r, m)
		}
		_, cmd := m.Update(msg)
		if r.IntN(4) > 0 {
			RunAll(m, cmd)
		}
		CheckFrame(t, m.View(), w, h)
	}
}

func (k *Monkey) resize(r *rand.Rand, m screen.Screen) (w, h int) {
	w, h = 40+r.IntN(161), 10+r.IntN(49)
	m.SetSize(w, h)
	return w, h
}

// step returns what happens next; nil for a change of the size.
func (k *Monkey) step(r *rand.Rand, m screen.Screen) tea.Msg {
	switch r.IntN(9) {
	case 0, 1, 2:
		return tea.KeyMsg{Type: k.Keys[r.IntN(len(k.Keys))]}
	case 3:
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k.Text[r.IntN(len(k.Text))]), Paste: r.IntN(2) == 0}
	case 4:
		if _, zones := zone.Scan(m.View()); len(zones) > 0 {
			return screen.ClickMsg{Zone: zones[r.IntN(len(zones))].ID, X: r.IntN(20), Double: r.IntN(3) == 0}
		}
		return nil
	case 5:
		over := ""
		if len(k.Wheel) > 0 {
			over = k.Wheel[r.IntN(len(k.Wheel))]
		}
		return screen.WheelMsg{Delta: r.IntN(3) - 1, Zone: over}
	case 6, 7:
		if k.Own != nil {
			return k.Own(r)
		}
		return tea.KeyMsg{Type: k.Keys[r.IntN(len(k.Keys))]}
	default:
		return nil
	}
}
