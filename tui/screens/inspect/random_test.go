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
		m, g, h := newModel(t)
		j := aJob()
		j.Note, j.Draft.Prompt = "note\x1b[2J 世", "👩\u200d🚀\n\tמישור "+strings.Repeat("長い", 80)
		h.jobs, h.answer = []jobs.Job{j}, []byte(`{"a":[1,"`+strings.Repeat("世", 300)+`"]}`)
		k := tuitest.Monkey{Seed: seed, Steps: 100, Keys: types, Text: text, Wheel: []string{"", "facts", "answer", "row:0"}}
		k.Before = func(r *rand.Rand) {
			g.answers["videos"], g.answers["content"] = answers[r.IntN(len(answers))], answers[r.IntN(len(answers))]
		}
		k.Own = func(r *rand.Rand) tea.Msg {
			return screen.InspectID{ID: text[r.IntN(len(text))] + text[r.IntN(len(text))]}
		}
		k.Use(t, m)
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
