package chat

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/tuitest"
)

// TestAnythingAtAnySize presses keys, pastes many scripts, clicks and resizes at random
// while answers come in every way: the frame always has the exact size.
func TestAnythingAtAnySize(t *testing.T) {
	types := []tea.KeyType{tea.KeyTab, tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyEnter, tea.KeyEnter, tea.KeyEnter, tea.KeyEsc,
		tea.KeyBackspace, tea.KeyCtrlR, tea.KeyCtrlG, tea.KeyPgDown, tea.KeyPgUp, tea.KeyF2, tea.KeyF3, tea.KeyF4, tea.KeyF7, tea.KeyF9, tea.KeyHome, tea.KeyEnd, tea.KeyCtrlN}
	text := strings.Split("a|b|/|w|g|世|🇩🇪|👩\u200d🚀|\u200d|e\u0301|ש|\u202e|\u200b|☺\ufe0f|1\ufe0f|#\ufe0f\u20e3|\ufe0f|a\u0903|x\U0001F3FB|\ue000|\t|\n|```go\n|**b**|`c`|- item\n  - two|# h\n|> q\n|"+
		strings.Repeat("long 長い ", 40)+"|"+strings.Repeat("長", 200), "|")
	for seed := range uint64(3) {
		m, g, _ := newModel(t, aTalk(question("old"), reply(markdown)))
		k := tuitest.Monkey{Seed: seed, Steps: 100, Keys: types, Text: text}
		k.Before = func(r *rand.Rand) {
			g.deltas = []string{text[r.IntN(len(text))], text[r.IntN(len(text))], "\n", text[r.IntN(len(text))]}
			g.answer = client.ChatAnswer{Text: strings.Join(g.deltas, ""), Reasoning: text[r.IntN(len(text))]}
			g.err = nil
			if r.IntN(4) == 0 {
				g.err, g.answer.Refusal = errors.New(text[r.IntN(len(text))]), text[r.IntN(len(text))]
			}
		}
		k.Use(t, m)
	}
}

// TestTinySizes draws what no one can use, without a broken line.
func TestTinySizes(t *testing.T) {
	m, _, _ := newModel(t)
	m.show(aTalk(question("hi"), reply(markdown)))
	for w := 1; w < 60; w += 5 {
		for h := 1; h < 18; h++ {
			for p := range panes {
				m.setFocus(p)
				m.SetSize(w, h)
				tuitest.CheckFrame(t, m.View(), w, h)
			}
		}
	}
}

// TestScrollingVisitsEveryLineOnce walks from the end to the beginning and back.
func TestScrollingVisitsEveryLineOnce(t *testing.T) {
	var list []kept.Message
	for i := range 30 {
		list = append(list, question(fmt.Sprintf("question-%d", i)), reply(fmt.Sprintf("answer-%d\n\n%s", i, markdown)))
	}
	m, _, _ := newModel(t)
	m.SetSize(80, 24)
	m.show(aTalk(list...))
	all := tuitest.Plain(m.View())
	for m.read.first() != (place{}) {
		m.read.move(-5)
		m.fresh = false
		all += tuitest.Plain(m.View())
	}
	for i := range 30 {
		if !strings.Contains(all, fmt.Sprintf("question-%d ", i)) || !strings.Contains(all, fmt.Sprintf("answer-%d ", i)) {
			t.Fatalf("message %d was not seen", i)
		}
	}
	if m.read.follow {
		t.Fatal("scrolled up it does not follow the end")
	}
	before := m.read.first()
	m.read.say(reply("new"))
	m.read.follow = false
	m.SetSize(60, 24)
	m.fresh = false
	_ = m.View()
	if m.read.first().msg != before.msg {
		t.Fatal("what is read stays where it is")
	}
	for n := 0; !m.read.follow; n++ {
		if m.read.move(7); n > 1000 {
			t.Fatal("the end was not reached")
		}
	}
}

// FuzzSource: however a text comes, its pieces are the same, hold all of it, and can be
// laid out within any width.
func FuzzSource(f *testing.F) {
	f.Add(markdown, 3, 20)
	f.Add(hostileText, 1, 9)
	f.Add(strings.Repeat("x", 3*maxPiece), 100, 40)
	f.Add(strings.Repeat("長い ", maxPiece), 4097, 40)
	f.Fuzz(func(t *testing.T, text string, step, w int) {
		step, w = max(1, step), max(1, min(w, 300))
		if len(text) > 1<<16 || len(text)/step > 500 {
			return
		}
		whole, parts := source{marks: true}, source{marks: true}
		whole.set(text)
		for i := 0; i < len(text); i += step {
			parts.set(text[:min(len(text), i+step)])
		}
		if len(whole.pieces) != len(parts.pieces) {
			t.Fatalf("%d pieces at once, %d bit by bit: %q", len(whole.pieces), len(parts.pieces), text)
		}
		k := newInks(tuitest.Styles(t))
		at := 0
		for i := range whole.pieces {
			a, b := &whole.pieces[i], &parts.pieces[i]
			if a.kind != b.kind || a.from != b.from || a.to != b.to {
				t.Fatalf("piece %d is %v at once and %v bit by bit: %q", i, *a, *b, text)
			}
			if gap := strings.Trim(text[at:a.from], "\r\n"); gap != "" {
				t.Fatalf("%q is in no piece", gap)
			}
			at = a.to
			for _, l := range k.layPiece(&whole, a, w) {
				if w > 8 && ansi.StringWidth(l) > w || strings.ContainsAny(l, "\n\r\x1b\t") {
					t.Fatalf("a line of %d cells in %d: %q", ansi.StringWidth(l), w, l)
				}
			}
		}
		if rest := strings.Trim(text[at:], "\r\n"); rest != "" {
			t.Fatalf("%q is in no piece", rest)
		}
		for _, c := range codes(text) {
			if !strings.Contains(strings.ReplaceAll(text, "\r\n", "\n")+"\n", strings.TrimSuffix(c, "\n")) {
				t.Fatalf("%q is no code of %q", c, text)
			}
		}
	})
}
