package inspect

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

const pictureSlot = "inspect"

// pictureBox is the preview of the job's result.
type pictureBox struct{ preview.Awaited }

func (p *pictureBox) view(st *themes.Styles, w, h int) string {
	switch {
	case !p.Have:
		return st.Faint.Render("preview …")
	case p.Got.Lines != nil:
		return strings.Join(p.Got.Lines, "\n")
	default:
		return preview.Card(st, p.Got.Info, w, h)
	}
}

// media are the job's saved file to preview, and a picture that stands for it.
func (m *Model) media() (path, poster string) {
	if j := m.q.found.Job; j != nil && m.q.bundled == nil { // a bundle names files of another machine
		return j.Showpiece()
	}
	return "", ""
}

// pictureHeight is the room for a preview in lines, 0 for none: only a large screen has it, since
// facts and routes come first.
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

func (m *Model) loadPicture() tea.Cmd {
	h := m.pictureHeight()
	if h == 0 {
		return nil
	}
	iw, _ := widgets.Inner(m.leftWidth(), m.h)
	path, poster := m.media()
	cmd, _ := m.picture.Load(m.deps.Previews, preview.Request{Slot: pictureSlot, Path: path, Poster: poster, Width: iw, Height: h, Mode: m.deps.Previews.Mode(m.st)})
	return cmd
}
