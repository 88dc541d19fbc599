package models

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/tuitest"
)

// TestAnythingAtAnySize presses keys, pastes many scripts, clicks and resizes at random
// while the lists answer in every way: the frame always has the exact size.
func TestAnythingAtAnySize(t *testing.T) {
	types := []tea.KeyType{tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyDown, tea.KeyEnter, tea.KeyEsc, tea.KeyBackspace,
		tea.KeyCtrlR, tea.KeyPgDown, tea.KeyPgUp, tea.KeyLeft, tea.KeyRight, tea.KeyCtrlU, tea.KeyEnd}
	text := strings.Split("a|b|/|y|c|m|t|n|N|D|L|C|A|r|G|g|世|🇩🇪|👩\u200d🚀|\u200d|e\u0301|ש|\u202e|\u200b|☺\ufe0f|#\ufe0f\u20e3|\ufe0f|İ|\t|\n|famK|i2v", "|")
	refusedList, refusedErr := refused()
	offlineList, offlineErr := offline()
	answers := []struct {
		list client.ModelList
		err  error
	}{{offered(t), nil}, {hostile(t), nil}, {halfway(t), nil}, {refusedList, refusedErr}, {offlineList, offlineErr}, {client.ModelList{}, nil}}
	for seed := range uint64(3) {
		m, g, _ := newModel(t)
		k := tuitest.Monkey{Seed: seed, Steps: 100, Keys: types, Text: text, Wheel: []string{"", "detail", "row:0"}}
		k.Before = func(r *rand.Rand) {
			a := answers[r.IntN(len(answers))]
			g.set(a.list, a.err)
		}
		k.Use(t, m)
	}
}

// TestTinySizes draws what no one can use, without a broken line.
func TestTinySizes(t *testing.T) {
	b := start(t, 40, 12, hostile(t), nil)
	for w := 1; w < 60; w += 3 {
		for h := 1; h < 20; h++ {
			for _, f := range []pane{tablePane, detailPane} {
				b.m.focus = f
				b.m.SetSize(w, h)
				tuitest.CheckFrame(t, b.m.View(), w, h)
			}
		}
	}
}

// FuzzBound holds names and texts of any kind to one safe line of a length.
func FuzzBound(f *testing.F) {
	for _, s := range []string{"famA3", "\x1b[31m\u202e", "世界 🪁", "\xff\xfe", "a\nb", strings.Repeat("長", 900)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := bound(s, 50)
		if client.CleanLine(got) != got || len([]rune(got)) > 51 {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

// FuzzRank matches what stands there as typed, and what has the letters in their order.
func FuzzRank(f *testing.F) {
	f.Add("famA3-fast i2v", "famA3")
	f.Add("İstanbul", "i")
	f.Add("塩", "塩 x")
	f.Fuzz(func(t *testing.T, text, query string) {
		r := row{name: text, words: strings.ToLower(text)}
		words := strings.Fields(strings.ToLower(query))
		strict, loose := rank(&r, words, false), rank(&r, words, true)
		if loose < strict {
			t.Fatalf("%q in %q: %d loosely, %d strictly", query, text, loose, strict)
		}
		all := true
		for _, w := range words {
			all = all && strings.Contains(r.words, w)
		}
		if all != (strict > 0) {
			t.Fatalf("%q in %q: %d", query, text, strict)
		}
	})
}
