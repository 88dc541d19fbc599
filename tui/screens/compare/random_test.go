package compare

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// TestAnythingAtAnySize presses keys, types in many scripts, clicks and resizes at
// random while jobs go through every state: the frame always has the exact size.
func TestAnythingAtAnySize(t *testing.T) {
	types := []tea.KeyType{tea.KeyTab, tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyEnter, tea.KeyEsc,
		tea.KeyBackspace, tea.KeyCtrlS, tea.KeyCtrlS, tea.KeyPgDown, tea.KeyPgUp, tea.KeyEnd, tea.KeyHome, tea.KeyCtrlU, tea.KeyCtrlG}
	text := strings.Split("a|n|y| |c|i|G|世|🇩🇪|👩\u200d🚀|\u200d|e\u0301|ש|\u202e|\u200b|☺\ufe0f|1\ufe0f|#\ufe0f\u20e3|\ufe0f|a\u0903|x\U0001F3FB|\ue000|\t|\n|~", "|")
	states := jobs.States()
	path := picture(t)
	for seed := range uint64(4) {
		m, e := newModel(t)
		k := tuitest.Monkey{Seed: seed, Steps: 100, Keys: types, Text: text, Wheel: []string{"", "row:0", "cell:0"}}
		k.Own = func(r *rand.Rand) tea.Msg {
			if r.IntN(2) == 0 {
				d := aDraft()
				d.Prompt += text[r.IntN(len(text))] + strings.Repeat("長い", r.IntN(60))
				return screen.CompareDraft{Draft: d}
			}
			for _, c := range m.run.Trials {
				j := jobs.Job{ID: c.JobID, Draft: c.Draft, State: states[r.IntN(len(states))], RawStatus: text[r.IntN(len(text))],
					Progress: float64(r.IntN(102) - 1), SubmittedAt: now, AcceptedAt: now, UpdatedAt: now, Note: text[r.IntN(len(text))]}
				if r.IntN(3) == 0 {
					j.Error = &client.TaskError{Message: strings.Repeat(text[r.IntN(len(text))]+"word ", 30)}
				}
				if r.IntN(2) == 0 {
					j.Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: path}}
				}
				e.tell(j)
			}
			return screen.JobsMsg{}
		}
		k.Use(t, m)
	}
}

// TestTinySizes draws what no one can use, without a broken line.
func TestTinySizes(t *testing.T) {
	b := start(t, 80, 24)
	five(t, b)
	for w := 1; w < 60; w += 3 {
		for h := 1; h < 20; h++ {
			b.m.SetSize(w, h)
			tuitest.CheckFrame(t, b.m.View(), w, h)
		}
	}
}

func BenchmarkView(b *testing.B) {
	m, e := newModel(b)
	x := &bench{Driver: tuitest.NewScreen(b, m, 200, 60), m: m, e: e}
	five(b, x)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = m.Update(screen.TickMsg{Now: now})
		_ = m.View()
	}
}

func BenchmarkKeyInThePrompt(b *testing.B) {
	m, _ := newModel(b)
	m.SetSize(200, 60)
	m.take(screen.CompareDraft{Draft: aDraft()})
	m.setFocus(promptPane)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}})
		_ = m.View()
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyBackspace})
		_ = m.View()
	}
}
