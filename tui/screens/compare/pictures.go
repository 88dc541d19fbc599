package compare

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

// leastPicture is the least room in lines in which a picture says anything.
const leastPicture = 2

func slot(i int) string { return "compare." + strconv.Itoa(i) }

// loadPictures asks for the previews of the cells that show, where they are others than
// those that were asked for.
func (m *Model) loadPictures() tea.Cmd {
	if m.deps.Previews == nil || !m.gridShows() {
		return nil
	}
	cols, rows := m.gridShape()
	var cmds []tea.Cmd
	for i := m.top * cols; i < min(len(m.cells), (m.top+rows)*cols); i++ {
		c := &m.cells[i]
		path, poster := c.job.Showpiece()
		if path == "" {
			continue
		}
		w, h := widgets.Inner(m.cellSize(i % cols))
		room := h - m.headHeight(c, w, h)
		if room < leastPicture {
			c.wanted = preview.Key{}
			continue
		}
		r := preview.Request{Slot: slot(i), Path: path, Poster: poster, Width: w, Height: room, Mode: m.deps.Previews.Mode(m.st)}
		if r.Key() == c.wanted && !m.deps.Previews.Lost(r.Key()) {
			continue
		}
		c.wanted = r.Key()
		c.got, c.havePict = m.deps.Previews.Peek(r)
		cmds = append(cmds, m.deps.Previews.Load(r))
	}
	return tea.Batch(cmds...)
}

// headHeight are the lines of a cell above its picture.
func (m *Model) headHeight(c *cell, w, h int) int {
	bare := *c
	bare.wanted = preview.Key{}
	return len(m.cellLines(&bare, w, h))
}

func (m *Model) cancelPictures() {
	if m.deps.Previews == nil {
		return
	}
	for i := range m.cells {
		m.deps.Previews.Cancel(slot(i))
	}
}
