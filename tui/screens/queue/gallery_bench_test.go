package queue

import (
	"path/filepath"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
)

// BenchmarkGalleryKey is a key in the gallery with its frame, by how many jobs the list
// holds: it is to cost the same. "pictures" has them in all cells, in colours of blocks.
func BenchmarkGalleryKey(b *testing.B) {
	arrows := []tea.KeyMsg{{Type: tea.KeyRight}, {Type: tea.KeyDown}, {Type: tea.KeyLeft}, {Type: tea.KeyUp}}
	pages := append(arrows[:4:4], tea.KeyMsg{Type: tea.KeyPgDown}, tea.KeyMsg{Type: tea.KeyPgUp})
	for _, c := range []struct {
		name string
		n    int
		keys []tea.KeyMsg
		pict bool
	}{{"1e3", 1_000, pages, false}, {"1e5", 100_000, pages, false}, {"pictures", 1_000, arrows, true}} {
		b.Run(c.name, func(b *testing.B) {
			m := loaded(b, c.n)
			if c.pict {
				path := filepath.Join(b.TempDir(), "p.png")
				if err := writePNG(path); err != nil {
					b.Fatal(err)
				}
				for i := range m.list.jobs.Len() {
					m.list.jobs.At(i).Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: path}}
				}
			}
			toggleGallery(m)
			m.list.table.SetCursor(c.n / 2)
			m.settle()
			m.list.reveal()
			for _, msg := range answers(m.follow()) {
				_, _ = m.Update(msg)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				_, _ = m.Update(c.keys[n%len(c.keys)])
				_ = m.View()
				n++
			}
		})
	}
}

// BenchmarkRowsKey is j in a list whose rows have pictures, in sight and scrolling, and one without.
func BenchmarkRowsKey(b *testing.B) {
	for _, c := range []struct {
		name  string
		lines int
		keys  []tea.KeyMsg
	}{
		{"one line", 1, []tea.KeyMsg{{Type: tea.KeyDown}, {Type: tea.KeyUp}}},
		{"pictures", 2, []tea.KeyMsg{{Type: tea.KeyDown}, {Type: tea.KeyUp}}},
		{"scrolled", 2, []tea.KeyMsg{{Type: tea.KeyPgDown}, {Type: tea.KeyPgUp}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := loaded(b, 1_000)
			path := filepath.Join(b.TempDir(), "p.png")
			if err := writePNG(path); err != nil {
				b.Fatal(err)
			}
			for i := range m.list.jobs.Len() {
				m.list.jobs.At(i).Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: path}}
			}
			m.list.thumbs.Chosen = c.lines
			m.layout()
			m.list.table.SetCursor(500)
			for _, msg := range answers(m.follow()) {
				_, _ = m.Update(msg)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				_, _ = m.Update(c.keys[n%len(c.keys)])
				_ = m.View()
				n++
			}
		})
	}
}
