package app

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/client/formats"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// BenchmarkKey is a hot loop: a letter typed in Compose, to the whole frame; the terminal is apart.
func BenchmarkKey(b *testing.B) {
	cat := catalogtest.Catalog(b)
	c, err := client.New(client.Options{BaseURL: "http://127.0.0.1:1", Formats: formats.All(), WireNames: cat.WireNames, ModelLists: formats.ModelLists(),
		Key: func() (string, error) { return gatewayKey, nil }})
	require.NoError(b, err)
	defer c.Close()
	m := New(Options{
		Services: Services{Catalog: cat, Gateway: shown{c, cat}, Jobs: counter{counts: jobs.Counts{Running: 3}}, Keys: Keys(), Styles: tuitest.Styles(b),
			Previews: preview.New(preview.Options{Workers: 1, Bytes: 1 << 20}), Drafts: noDrafts{}, Now: time.Now},
		Profile: "p", Themes: themes.Names(), Start: screen.Compose,
	}, Screens())
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	keys := []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune("a")}, {Type: tea.KeyBackspace}}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		m.Update(keys[i%2])
		i++
		_ = m.View()
	}
}
