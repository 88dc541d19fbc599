package compare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// TestAnythingAtAnySize presses keys, types in many scripts, clicks and resizes at random while a run goes
// through every state: the frame always has the exact size.
func TestAnythingAtAnySize(t *testing.T) {
	types := []tea.KeyType{tea.KeyTab, tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyEnter, tea.KeyEsc, tea.KeyEsc,
		tea.KeyBackspace, tea.KeyCtrlS, tea.KeyCtrlS, tea.KeyPgDown, tea.KeyPgUp, tea.KeyEnd, tea.KeyHome, tea.KeyCtrlU, tea.KeyCtrlG, tea.KeyCtrlX}
	text := strings.Split("a|n|y| |c|i|G|r|R|v|F|D|b|f|O|x|w|E|世|🇩🇪|👩\u200d🚀|\u200d|e\u0301|ש|\u202e|\u200b|☺\ufe0f|1\ufe0f|#\ufe0f\u20e3|\ufe0f|a\u0903|x\U0001F3FB|\ue000|\t|\n|~", "|")
	states := jobs.States()
	path := picture(t)
	for seed := range uint64(4) {
		d, x := deps(t)
		m := New(d)
		k := tuitest.Monkey{Seed: seed, Steps: 100, Keys: types, Text: text, Wheel: []string{"", "row:0", "grid", "panel", "side", "zoom"}}
		k.Own = func(r *rand.Rand) tea.Msg {
			switch r.IntN(4) {
			case 0:
				dr := aDraft()
				dr.Prompt += text[r.IntN(len(text))] + strings.Repeat("長い", r.IntN(60))
				return screen.CompareDraft{Draft: dr}
			case 1:
				some := aRun(path)
				some.Name = strings.Repeat(text[r.IntN(len(text))], r.IntN(60))
				x.b.runs[some.ID] = some
				return m.results.Show(some.ID)()
			case 2:
				return screen.ClickMsg{Zone: []string{"tab:plan", "tab:results"}[r.IntN(2)]}
			}
			n := run.News{Run: aRun("").ID, Live: true, Trouble: text[r.IntN(len(text))]}
			for i, s := range aRun("").Order {
				tr := trial(i, s, path)
				tr.State, tr.Progress, tr.Message = states[r.IntN(len(states))], float64(r.IntN(102)-1), strings.Repeat(text[r.IntN(len(text))]+"word ", 30)
				n.Trials = append(n.Trials, tr)
			}
			x.b.tell(n)
			return screen.JobsMsg{}
		}
		k.Use(t, m)
	}
}

// TestTinySizes draws what no one can use, without a broken line.
func TestTinySizes(t *testing.T) {
	x := start(t, 80, 24)
	for _, page := range []string{"tab:plan", "tab:results", "zoom"} {
		if page == "zoom" {
			x.Key("enter")
		} else {
			x.b.runs[aRun("").ID] = aRun("")
			x.Send(screen.ClickMsg{Zone: page})
		}
		for w := 1; w < 60; w += 3 {
			for h := 1; h < 20; h++ {
				x.m.SetSize(w, h)
				tuitest.CheckFrame(t, x.m.View(), w, h)
			}
		}
		x.Resize(80, 24)
	}
}

// huge is a screen with a run of 500 cells, in colour as wide as Queue's in its benchmark.
func huge(b *testing.B) *Model {
	b.Helper()
	d, x := deps(b)
	d.Previews = nil
	m := New(d)
	m.SetSize(200, 60)
	r := &compare.Run{ID: "019515a0-0000-7000-8000-000000000009", Name: "huge", Repeats: 2, Status: compare.Ended}
	for p := range 25 {
		for k := range 10 {
			r.Cells = append(r.Cells, compare.Cell{Number: len(r.Cells) + 1, Model: fmt.Sprintf("famA%d", k), Format: "videos", Prompt: compare.Prompt{ID: fmt.Sprintf("p%d", p+1), Text: "a red kite over a salt flat"}})
		}
	}
	for repeat := 1; repeat <= 2; repeat++ {
		for i := range r.Cells {
			s := compare.Slot{Cell: i + 1, Repeat: repeat}
			r.Order = append(r.Order, s)
			r.Trials = append(r.Trials, trial(i%9, s, ""))
		}
	}
	x.b.runs[r.ID] = r
	tuitest.RunAll(m, m.results.Show(r.ID))
	_, _ = m.Update(screen.ClickMsg{Zone: "tab:results"})
	return m
}

// BenchmarkKey is a key and the frame after it, with 500 trials; compare it with Queue's.
func BenchmarkKey(b *testing.B) {
	m := huge(b)
	keys := []tea.KeyMsg{{Type: tea.KeyDown}, {Type: tea.KeyDown}, {Type: tea.KeyUp}, {Type: tea.KeyUp}}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		_, _ = m.Update(keys[n%len(keys)])
		_ = m.View()
		n++
	}
}

// BenchmarkView draws all of the frame anew.
func BenchmarkView(b *testing.B) {
	m := huge(b)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = m.Update(screen.TickMsg{Now: now})
		_ = m.View()
	}
}

func BenchmarkKeyInThePrompt(b *testing.B) {
	d, _ := deps(b)
	m := New(d)
	m.SetSize(200, 60)
	_, _ = m.Update(screen.CompareDraft{Draft: aDraft()})
	_, _ = m.Update(tea.KeyMsg{Type: tea.KeyShiftTab})
	b.ReportAllocs()
	for b.Loop() {
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}})
		_ = m.View()
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyBackspace})
		_ = m.View()
	}
}
