package compare

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/preview"
)

// leastPicture is the least room in lines in which a picture says anything.
const leastPicture = 2

// pictureBox is the preview of a trial's result.
type pictureBox struct {
	wanted preview.Key
	got    preview.ReadyMsg
	have   bool
}

// load asks for a preview when it is another one than the last.
func (p *pictureBox) load(l *preview.Loader, r preview.Request) tea.Cmd {
	if r.Key() == p.wanted && !l.Lost(r.Key()) {
		return nil
	}
	p.wanted = r.Key()
	p.got, p.have = l.Peek(r)
	return l.Load(r)
}

// view is the picture, or a card of what the file says of itself; nothing where there is no room.
func (p *pictureBox) view(st *themes.Styles, w, h int) []string {
	switch {
	case p.wanted == preview.Key{}:
		return nil
	case !p.have:
		return []string{st.Faint.Render("preview …")}
	case p.got.Lines != nil && p.wanted.Width == w && p.wanted.Height == h:
		return p.got.Lines
	default:
		return strings.Split(preview.Card(st, p.got.Info, w, h), "\n")
	}
}

func slot(i int) string { return "compare." + strconv.Itoa(i) }
