package models

import (
	"fmt"
	"io"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/themes"
	"darkroom/tui/tuitest"
)

// many are lists with n models beyond those of the catalog.
func many(t testing.TB, n int) client.ModelList {
	l := offered(t)
	for i := range n {
		l.Models = append(l.Models, client.RemoteModel{
			ID: fmt.Sprintf("vendor-%d/model-%05d", i%37, (i*7919)%n), DisplayName: "A model of many", Description: "One of very many models that this gateway offers to whoever asks.",
			Version: "1", Owner: "vendor", Methods: []string{"generateContent", "countTokens"}, InputLimit: 128000, OutputLimit: 8192, Origins: []string{"v1beta", "v1"}})
	}
	return l
}

// loaded is a screen with n models beyond the catalog's, in colour, as wide as it gets.
func loaded(t testing.TB, n int) *Model {
	t.Helper()
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	m, g, _ := newModel(t)
	m.SetStyles(themes.Make(th, r, false))
	g.set(many(t, n), nil)
	m.SetSize(200, 60)
	_, _ = m.Update(m.Init()())
	return m
}

func TestTenThousandModels(t *testing.T) {
	m := loaded(t, 10_000)
	assert.Equal(t, 10_056, m.tally.all)
	m.table.Update(tea.KeyMsg{Type: tea.KeyEnd})
	m.settle()
	m.fresh = false
	tuitest.CheckFrame(t, m.View(), 200, 60)
	_, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'/'}})
	fastest := time.Hour // the others may have waited for a busy machine
	for _, k := range "vendor-3 countt" {
		began := time.Now()
		_, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{k}})
		_ = m.View()
		fastest = min(fastest, time.Since(began))
	}
	assert.NotEmpty(t, m.visible)
	assert.Less(t, fastest, 300*time.Millisecond, "typing goes through all rows for each key")
}

func BenchmarkJoin(b *testing.B) {
	m := loaded(b, 0)
	list := many(b, 10_000).Models
	b.ReportAllocs()
	for b.Loop() {
		_ = join(m.base, list)
	}
}

func BenchmarkCatalogRows(b *testing.B) {
	c := catalogtest.Catalog(b)
	b.ReportAllocs()
	for b.Loop() {
		_ = catalogRows(c)
	}
}

func BenchmarkKey(b *testing.B) {
	m := loaded(b, 10_000)
	m.table.SetCursor(20)
	m.settle()
	ks := []tea.KeyMsg{{Type: tea.KeyDown}, {Type: tea.KeyDown}, {Type: tea.KeyUp}, {Type: tea.KeyUp}}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		_, _ = m.Update(ks[i%4])
		_ = m.View()
		i++
	}
}

func BenchmarkFilterKey(b *testing.B) {
	m := loaded(b, 10_000)
	_ = m.commands.Do(m, actFilter)
	ks := []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune("v")}, {Type: tea.KeyBackspace}, {Type: tea.KeyRunes, Runes: []rune("zq")}, {Type: tea.KeyBackspace}, {Type: tea.KeyBackspace}}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		_, _ = m.Update(ks[i%5])
		_ = m.View()
		i++
	}
}
