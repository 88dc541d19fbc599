package queue

import (
	"context"
	"maps"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

// cellSlot begins the loader's slot of a cell; the job's id follows.
const cellSlot = "queue.cell:"

// cellsShow reports whether there is anybody to see the cells.
func (m *Model) cellsShow() bool {
	return m.gallery.on && !m.hidden && !m.zoom.on && m.tableShows()
}

// loadCells asks for the pictures of the cells in sight, and gives up those that are out of
// it: what was made of them stays in the loader.
func (m *Model) loadCells() tea.Cmd {
	if !m.cellsShow() {
		m.leaveCells()
		return nil
	}
	first, n := m.sight()
	seen := make(map[string]bool, n)
	var cmds []tea.Cmd
	if m.deps.Previews != nil && !m.picture.off {
		g := m.grid()
		mode := cellMode(m.deps.Previews.Mode(m.st), g)
		for i := first; i < min(first+n, m.jobs.len()); i++ {
			j := m.jobs.at(i)
			f := j.Face()
			if f.Path == "" {
				continue
			}
			seen[j.ID] = true
			cmds = append(cmds, m.loadCell(preview.Request{
				Slot: cellSlot + j.ID, Path: f.Path, Poster: f.Poster, Spare: f.Spare, Width: g.w, Height: g.pict, Mode: mode,
				Pixels: maxCellBytes / 4 / (g.cols * g.rows), Low: true,
			}, j.ID))
		}
	}
	m.dropCells(seen)
	cmds = append(cmds, m.askWords(first, n))
	return tea.Batch(cmds...)
}

// maxCellBytes is what all pictures in sight may take of what the loader keeps: more of
// them would drive one another out.
const maxCellBytes = 40 << 20

// cellMode is how cells are drawn: with blocks where a terminal that does not scale would
// have to be given too many pixels.
func cellMode(mode preview.Mode, g grid) preview.Mode {
	s := mode.Surface
	if s.Exact && 4*g.cols*g.rows*g.w*g.pict*s.Cell.X*s.Cell.Y > maxCellBytes {
		mode.Surface = preview.Surface{}
	}
	return mode
}

func (m *Model) loadCell(r preview.Request, id string) tea.Cmd {
	if m.gallery.want[id] == r.Key() && !m.deps.Previews.Lost(r.Key()) {
		return nil
	}
	m.gallery.want[id] = r.Key()
	delete(m.gallery.got, id)
	if got, ok := m.deps.Previews.Peek(r); ok {
		m.gallery.got[id] = got
	}
	return m.deps.Previews.Load(r)
}

// leaveCells is for cells that nobody sees any more.
func (m *Model) leaveCells() {
	m.dropCells(nil)
	clear(m.gallery.words.failed)
}

// dropCells gives up all cells but some.
func (m *Model) dropCells(but map[string]bool) {
	for id := range m.gallery.want {
		if but[id] {
			continue
		}
		if _, have := m.gallery.got[id]; !have {
			m.deps.Previews.Cancel(cellSlot + id)
		}
		delete(m.gallery.want, id)
		delete(m.gallery.got, id)
	}
}

// cellCame takes over the picture of a cell.
func (m *Model) cellCame(msg preview.ReadyMsg) {
	id, ok := strings.CutPrefix(msg.Slot, cellSlot)
	if want, known := m.gallery.want[id]; ok && known && want == msg.Key {
		m.gallery.got[id] = msg
	}
}

// words are what jobs say whose answers are texts: only the history knows them.
type words struct {
	of     map[string]string // by job; "" for one that says nothing
	failed map[string]string // why one in sight could not be read; asked again when it comes back into sight
	asking bool              // one question is on its way at a time
}

func newWords() words { return words{of: map[string]string{}, failed: map[string]string{}} }

// Bounds of what is kept of texts.
const (
	maxWords    = 400 // bytes of a text
	maxAnswered = 1000
)

// wordsMsg are the first words of jobs, or why they could not be read.
type wordsMsg struct{ of, failed map[string]string }

// askWords asks for the texts of the jobs in sight that are not known.
func (m *Model) askWords(first, n int) tea.Cmd {
	w := &m.gallery.words
	seen := make(map[string]bool, len(w.failed))
	var ids []string
	for i := first; i < min(first+n, m.jobs.len()); i++ {
		j := m.jobs.at(i)
		if _, failed := w.failed[j.ID]; failed {
			seen[j.ID] = true
		} else if _, known := w.of[j.ID]; !known && j.Wordy() {
			ids = append(ids, j.ID)
		}
	}
	maps.DeleteFunc(w.failed, func(id, _ string) bool { return !seen[id] })
	if len(ids) == 0 || w.asking {
		return nil
	}
	w.asking = true
	return firstWords(m.deps.Jobs, ids)
}

// firstWords reads how the texts of some jobs begin.
func firstWords(r jobs.Reader, ids []string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		msg := wordsMsg{of: map[string]string{}, failed: map[string]string{}}
		for _, id := range ids {
			d, err := r.Detail(ctx, id)
			if err != nil {
				msg.failed[id] = client.CleanLine(clip(err.Error(), maxWords))
				continue
			}
			msg.of[id] = widgets.Truncate(client.CleanLine(clip(d.Text, maxWords)), maxWords)
		}
		return msg
	}
}

func (m *Model) wordsCame(msg wordsMsg) {
	w := &m.gallery.words
	w.asking = false
	if len(w.of) > maxAnswered {
		clear(w.of)
	}
	maps.Copy(w.of, msg.of)
	maps.Copy(w.failed, msg.failed)
}
