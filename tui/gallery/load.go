package gallery

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/preview"
)

// Load asks for the pictures of the cells in sight, and gives up those out of sight: what was made
// of them stays in the loader.
func (g *Grid) Load() tea.Cmd {
	if g.loader == nil {
		return nil
	}
	first, n := g.Sight()
	seen := make(map[string]bool, n)
	var cmds []tea.Cmd
	s := g.shape()
	mode := cellMode(g.loader.Mode(g.st), s)
	for i := first; i < min(first+n, g.source.Len()); i++ {
		id, m := g.source.Media(i)
		if m.Path == "" {
			continue
		}
		seen[id] = true
		cmds = append(cmds, g.pictures.Load(id, preview.Request{
			Path: m.Path, Poster: m.Poster, Spare: m.Spare, Width: s.w, Height: s.pict, Mode: mode,
			Pixels: maxCellBytes / 4 / (s.cols * s.rows), Low: true,
		}))
	}
	g.pictures.Keep(seen)
	return tea.Batch(cmds...)
}

// maxCellBytes bounds what all pictures in sight may take of the loader's cache: with more they
// would drive one another out.
const maxCellBytes = 40 << 20

// cellMode returns how cells are drawn: with blocks if a terminal that does not scale would need
// too many pixels.
func cellMode(mode preview.Mode, s shape) preview.Mode {
	f := mode.Surface
	if f.Exact && 4*s.cols*s.rows*s.w*s.pict*f.Cell.X*f.Cell.Y > maxCellBytes {
		mode.Surface = preview.Surface{}
	}
	return mode
}

// Drop gives up all pictures: nobody sees them.
func (g *Grid) Drop() { g.pictures.Keep(nil) }

// Take takes in the picture of a cell; it ignores others.
func (g *Grid) Take(msg preview.ReadyMsg) { g.pictures.Take(msg) }

// Loaded returns how many pictures there are, and how many were asked for.
func (g *Grid) Loaded() (got, wanted int) { return g.pictures.Loaded() }
