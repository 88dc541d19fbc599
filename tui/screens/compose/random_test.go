package compose

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/zone"
)

// TestAnythingAtAnySize presses keys, types in many scripts, clicks and resizes at
// random: the frame always has the exact size.
func TestAnythingAtAnySize(t *testing.T) {
	keys := []tea.KeyType{tea.KeyTab, tea.KeyTab, tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyDown, tea.KeyLeft,
		tea.KeyRight, tea.KeyRight, tea.KeyEnter, tea.KeyEsc, tea.KeyBackspace, tea.KeyCtrlG, tea.KeyCtrlS, tea.KeyCtrlX,
		tea.KeyF2, tea.KeyF3, tea.KeyF5, tea.KeyPgDown, tea.KeyPgUp, tea.KeyCtrlU, tea.KeyCtrlUnderscore, tea.KeyCtrlO, tea.KeyF4,
		tea.KeyF4, tea.KeyCtrlR, tea.KeyF6, tea.KeyCtrlN}
	text := strings.Split("a|b| |1|2|世|界|🇩|🇪|👩\u200d🚀|\u200d|e|\u0301|ש|ל|ו|\u202e|\u200b|☺\ufe0f|1\ufe0f|#\ufe0f\u20e3|\ufe0f|a\u0903|x\U0001F3FB|\ue000|\t|{|}|[|]|\"|:|,|\n|/|~", "|")
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 11)) //nolint:gosec // reproducible, not secret
		m, _, _ := newModel(t, behind(&reading{all: pastJobs(50)}), func(d *Deps) { d.Shelf = &shelf{presets: somePresets()} })
		w, h := 40+r.IntN(161), 12+r.IntN(49)
		m.SetSize(w, h)
		for i := range 120 {
			var msg tea.Msg
			if open := []string{"compose.template", "compose.submit-many", "compose.batch", "compose.presets", "compose.save-preset"}; i%8 == 3 {
				_, cmd := m.Update(screen.ActionMsg{ID: open[r.IntN(len(open))]})
				drain(m, cmd, r.IntN(4) == 0)
				tuitest.CheckFrame(t, m.View(), w, h)
			}
			if i%20 == 7 {
				_, cmd := m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(pastedCurl), Paste: true})
				drain(m, cmd, false)
				tuitest.CheckFrame(t, m.View(), w, h)
			}
			switch r.IntN(8) {
			case 0, 1, 2:
				msg = tea.KeyMsg{Type: keys[r.IntN(len(keys))]}
			case 3, 4:
				var s []rune
				for range 1 + r.IntN(5) {
					s = append(s, []rune(text[r.IntN(len(text))])...)
				}
				msg = tea.KeyMsg{Type: tea.KeyRunes, Runes: s, Paste: r.IntN(2) == 0}
			case 5:
				_, zones := zone.Scan(m.View())
				if len(zones) > 0 {
					msg = screen.ClickMsg{Zone: zones[r.IntN(len(zones))].ID, X: r.IntN(20), Double: r.IntN(4) == 0}
				}
			case 6:
				msg = screen.WheelMsg{Delta: r.IntN(3) - 1}
			default:
				w, h = 40+r.IntN(161), 12+r.IntN(49)
				m.SetSize(w, h)
			}
			_, cmd := m.Update(msg)
			drain(m, cmd, r.IntN(4) == 0)
			tuitest.CheckFrame(t, m.View(), w, h)
		}
	}
}

// drain runs commands; some are left lying, as slow ones would be.
func drain(m *Model, cmd tea.Cmd, leave bool) {
	if cmd == nil || leave {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			drain(m, c, false)
		}
	case nil:
	default:
		_, next := m.Update(msg)
		drain(m, next, false)
	}
}

// TestTinySizes draws what no one can use, without a broken line.
func TestTinySizes(t *testing.T) {
	m, _, _ := newModel(t)
	for w := 1; w < 60; w += 3 {
		for h := 1; h < 14; h++ {
			m.SetSize(w, h)
			tuitest.CheckFrame(t, m.View(), w, h)
		}
	}
}

func BenchmarkKeyToView(b *testing.B) {
	m, _, _ := newModel(b)
	m.SetSize(200, 60)
	msg := request.Make(m.deps.Gateway, request.Source{Draft: m.sheet.Draft})()
	_, _ = m.Update(msg)
	m.sheet.Form.SetText("prompt", strings.Repeat("a red kite over a salt flat at dawn, ", 15))
	_ = m.View()
	b.ReportAllocs()
	for b.Loop() {
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}})
		_ = m.View()
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyBackspace})
		_ = m.View()
	}
}

func BenchmarkRender(b *testing.B) {
	m, _, _ := newModel(b)
	m.SetSize(200, 60)
	_, _ = m.Update(request.Make(m.deps.Gateway, request.Source{Draft: m.sheet.Draft})())
	require.NotEmpty(b, m.View())
	b.ReportAllocs()
	for b.Loop() {
		m.SetStyles(m.deps.Styles)
		_ = m.View()
	}
}
