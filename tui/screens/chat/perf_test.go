package chat

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/themes"
	"darkroom/tui/talk"
)

// huge is a screen in colour, as wide as it gets, with a long conversation or answer.
func huge(b testing.TB, c kept.Conversation) *Model {
	b.Helper()
	th, err := themes.Get(themes.Dark)
	if err != nil {
		b.Fatal(err)
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	m, _, _ := newModel(b)
	m.SetStyles(themes.Make(th, r, false))
	m.SetSize(200, 58)
	m.show(c)
	_ = m.View()
	return m
}

func long(n int) kept.Conversation {
	var list []kept.Message
	for i := range n / 2 {
		list = append(list, question(fmt.Sprintf("question %d", i)), reply(markdown))
	}
	return aTalk(list...)
}

func megabyte() string { return strings.Repeat(markdown+"\n\n", 1<<20/len(markdown)) }

func press(b *testing.B, m *Model, keys ...tea.KeyMsg) {
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		_, _ = m.Update(keys[n%len(keys)])
		_ = m.View()
		n++
	}
}

var (
	letter   = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a")}
	erase    = tea.KeyMsg{Type: tea.KeyBackspace}
	pageUp   = tea.KeyMsg{Type: tea.KeyPgUp}
	pageDown = tea.KeyMsg{Type: tea.KeyPgDown}
)

func BenchmarkKey2000Messages(b *testing.B)  { press(b, huge(b, long(2000)), letter, erase) }
func BenchmarkPage2000Messages(b *testing.B) { press(b, huge(b, long(2000)), pageUp, pageUp, pageDown) }
func BenchmarkKeyMegabyte(b *testing.B) {
	press(b, huge(b, aTalk(question("x"), reply(megabyte()))), letter, erase)
}
func BenchmarkPageMegabyte(b *testing.B) {
	press(b, huge(b, aTalk(question("x"), reply(megabyte()))), pageUp, pageUp, pageDown)
}

// BenchmarkOpenMegabyte is the first look at an answer of 1 MB.
func BenchmarkOpenMegabyte(b *testing.B) {
	m := huge(b, aTalk())
	c := aTalk(question("x"), reply(megabyte()))
	for b.Loop() {
		m.show(c)
		m.fresh = false
		_ = m.View()
	}
}

// BenchmarkPart is one look at what came, at the end of an answer of 1 MB: of many lines,
// and of one line without an end.
func BenchmarkPart(b *testing.B) {
	for name, text := range map[string]string{"lines": megabyte(), "line": strings.Repeat("word ", 1<<20/5)} {
		b.Run(name, func(b *testing.B) {
			m := huge(b, aTalk(question("x")))
			m.read.say(kept.Message{Role: client.RoleAssistant, State: kept.Arriving, At: now})
			m.talk.stream, _ = talk.New()
			m.talk.stream.Put(text)
			m.talk.take(m.talk.stream.Look())
			b.ReportAllocs()
			for b.Loop() {
				m.talk.stream.Put("some more words ")
				m.talk.take(m.talk.stream.Look())
				m.talk.beat++
				m.fresh = false
				_ = m.View()
			}
		})
	}
}

// TestTheHugeStaysFast fails when something outside of what shows is laid out at a key.
// The fastest key counts: the others may have waited for a busy machine.
func TestTheHugeStaysFast(t *testing.T) {
	for name, c := range map[string]kept.Conversation{"messages": long(2000), "answer": aTalk(question("x"), reply(megabyte()))} {
		m := huge(t, c)
		fastest := time.Hour
		for range 20 {
			begun := time.Now()
			_, _ = m.Update(pageUp)
			_ = m.View()
			_, _ = m.Update(letter)
			_ = m.View()
			fastest = min(fastest, time.Since(begun)/2)
		}
		assert.Less(t, fastest, 100*time.Millisecond, name)
		made := 0
		for _, s := range m.read.laid {
			if s != nil {
				for i := range s.text.pieces {
					if s.text.pieces[i].lines != nil {
						made++
					}
				}
			}
		}
		assert.Less(t, made, 4000, "only what showed was laid out")
	}
}
