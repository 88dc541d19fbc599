package inspect

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

const pictureSlot = "inspect"

// media are the saved file of the job to preview, and a picture that stands for it.
func (m *Model) media() (path, poster string) {
	if m.job == nil {
		return "", ""
	}
	return m.job.Showpiece()
}

// pictureHeight is the room for a preview in lines, 0 for none: only on a screen that
// has much of it, since facts and routes come first.
func (m *Model) pictureHeight() int {
	_, h := m.body()
	if m.deps.Previews == nil || !m.wide() || h < 36 {
		return 0
	}
	if path, _ := m.media(); path == "" {
		return 0
	}
	return min(18, h/3)
}

// loadPicture asks for the preview when it is another one than the last.
func (m *Model) loadPicture() tea.Cmd {
	h := m.pictureHeight()
	if h == 0 {
		return nil
	}
	iw, _ := widgets.Inner(m.leftWidth(), m.h)
	path, poster := m.media()
	r := preview.Request{Slot: pictureSlot, Path: path, Poster: poster, Width: iw, Height: h, Mode: m.deps.Previews.Mode(m.st)}
	if r.Key() == m.wanted && !m.deps.Previews.Lost(r.Key()) {
		return nil
	}
	m.wanted = r.Key()
	m.got, m.havePict = m.deps.Previews.Peek(r)
	return m.deps.Previews.Load(r)
}

func (m *Model) pictureView(w, h int) string {
	switch {
	case !m.havePict:
		return m.st.Faint.Render("preview …")
	case m.got.Lines != nil:
		return strings.Join(m.got.Lines, "\n")
	default:
		return preview.Card(m.st, m.got.Info, w, h)
	}
}
