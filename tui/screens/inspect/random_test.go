package inspect

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/zone"
)

// TestAnythingAtAnySize presses keys, pastes many scripts, clicks and resizes at random
// while routes answer in every way: the frame always has the exact size.
func TestAnythingAtAnySize(t *testing.T) {
	types := []tea.KeyType{tea.KeyTab, tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyEnter, tea.KeyEnter, tea.KeyEsc,
		tea.KeyBackspace, tea.KeyCtrlF, tea.KeyCtrlR, tea.KeyCtrlG, tea.KeyPgDown, tea.KeyPgUp, tea.KeyLeft, tea.KeyRight, tea.KeyCtrlU, tea.KeyCtrlY}
	text := strings.Split("a|b|/|w|y|f|o|G|世|🇩🇪|👩\u200d🚀|\u200d|e\u0301|ש|\u202e|\u200b|☺\ufe0f|1\ufe0f|#\ufe0f\u20e3|\ufe0f|a\u0903|x\U0001F3FB|\ue000|\t|\n|vid_1|"+aJob().ID, "|")
	answers := []client.RouteResult{completed(), failed(), running(), hostile(), refusal(401, "a", "b"), refusal(404, "", ""),
		{Err: errors.New("dial\x1b[2J\ntcp")}, {Meta: client.Meta{HTTPStatus: 200}, Err: errors.New("x"), Raw: []byte("<html>\t\x00世\r\n")}}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 5)) //nolint:gosec // reproducible, not secret
		m, g, h := newModel(t)
		j := aJob()
		j.Note, j.Draft.Prompt = "note\x1b[2J 世", "👩\u200d🚀\n\tמישור "+strings.Repeat("長い", 80)
		h.jobs, h.answer = []jobs.Job{j}, []byte(`{"a":[1,"`+strings.Repeat("世", 300)+`"]}`)
		w, ht := 40+r.IntN(161), 10+r.IntN(49)
		m.SetSize(w, ht)
		for range 100 {
			g.answers["videos"], g.answers["content"] = answers[r.IntN(len(answers))], answers[r.IntN(len(answers))]
			var msg tea.Msg
			switch r.IntN(8) {
			case 0, 1, 2:
				msg = tea.KeyMsg{Type: types[r.IntN(len(types))]}
			case 3:
				msg = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text[r.IntN(len(text))]), Paste: r.IntN(2) == 0}
			case 4:
				msg = screen.InspectID{ID: text[r.IntN(len(text))] + text[r.IntN(len(text))]}
			case 5:
				if _, zones := zone.Scan(m.View()); len(zones) > 0 {
					msg = screen.ClickMsg{Zone: zones[r.IntN(len(zones))].ID, Double: r.IntN(3) == 0}
				}
			case 6:
				msg = screen.WheelMsg{Delta: r.IntN(3) - 1, Zone: []string{"", "facts", "answer", "row:0"}[r.IntN(4)]}
			default:
				w, ht = 40+r.IntN(161), 10+r.IntN(49)
				m.SetSize(w, ht)
			}
			_, cmd := m.Update(msg)
			if r.IntN(4) > 0 { // some commands are left lying, as slow ones would be
				tuitest.RunAll(m, cmd)
			}
			tuitest.CheckFrame(t, m.View(), w, ht)
		}
	}
}

// TestTinySizes draws what no one can use, without a broken line.
func TestTinySizes(t *testing.T) {
	m, g, _ := newModel(t)
	g.answers["videos"] = completed()
	_, cmd := m.Update(screen.InspectID{ID: "vid_1"})
	tuitest.RunAll(m, cmd)
	for w := 1; w < 60; w += 3 {
		for h := 1; h < 18; h++ {
			m.SetSize(w, h)
			tuitest.CheckFrame(t, m.View(), w, h)
		}
	}
}

func FuzzCleanID(f *testing.F) {
	for _, s := range []string{"vid_1", " \"x\" \n", "\x1b[31m\u202e", "a\u200bb", "世界 🪁", "\xff\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id := cleanID(s)
		if id != client.CleanLine(id) || strings.TrimSpace(id) != id && len([]rune(id)) < maxID {
			t.Fatalf("%q became %q", s, id)
		}
		if again := cleanID(id); again != id && len([]rune(id)) < maxID {
			t.Fatalf("%q became %q, and that %q", s, id, again)
		}
	})
}

func BenchmarkView(b *testing.B) {
	m, g, h := newModel(b)
	g.answers["videos"] = completed()
	h.jobs = []jobs.Job{aJob()}
	m.SetSize(200, 60)
	_, cmd := m.Update(screen.InspectID{ID: "vid_1"})
	tuitest.RunAll(m, cmd)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = m.Update(screen.TickMsg{Now: now})
		_ = m.View()
	}
}
