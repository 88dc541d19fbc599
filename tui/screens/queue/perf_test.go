package queue

import (
	"io"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"darkroom/jobs"
	"darkroom/themes"
)

// loaded is a screen with n jobs in colour, as wide as it gets.
func loaded(b testing.TB, n int) *Model {
	b.Helper()
	th, err := themes.Get(themes.Dark)
	if err != nil {
		b.Fatal(err)
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	d := deps(b, newFake())
	d.Styles = themes.Make(th, r, false)
	m := New(d)
	m.SetSize(200, 60)
	js := many(n)
	_, _ = m.Update(pageMsg{page: jobs.Page{Jobs: js}})
	return m
}

func BenchmarkView(b *testing.B) {
	m := loaded(b, 10_000)
	m.list.table.SetCursor(5000)
	b.ReportAllocs()
	for b.Loop() {
		m.fresh = false
		_ = m.View()
	}
}

func BenchmarkKey(b *testing.B) {
	m := loaded(b, 10_000)
	m.list.table.SetCursor(5000)
	keys := []tea.KeyMsg{{Type: tea.KeyDown}, {Type: tea.KeyDown}, {Type: tea.KeyUp}, {Type: tea.KeyUp}}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		_, _ = m.Update(keys[n%len(keys)])
		_ = m.View()
		n++
	}
}
