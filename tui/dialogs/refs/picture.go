package refs

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// slot is the place of the preview beside a dialog.
const slot = "compose.refs"

// Room for a preview beside a dialog.
const (
	pictureFrom  = 96 // cells of the screen from which there is one
	pictureMost  = 64 // its width at most
	dialogMost   = 96 // of the dialog
	pictureLeast = 10 // lines of the screen
)

// beside is a dialog's preview of what is under its cursor.
type beside struct {
	loader *preview.Loader // nil shows none
	wanted preview.Key
	got    preview.ReadyMsg
	have   bool
}

// sizes are those of the dialog, and the width of the preview, 0 where there is no room for one.
func (p *beside) sizes(b *screen.Base) (w, h, picture int) {
	w, h = min(b.W, dialogMost), min(b.H, 40)
	if p.loader != nil && b.W >= pictureFrom && b.H >= pictureLeast {
		picture = min(pictureMost, b.W*2/5)
		w = min(b.W-picture, dialogMost)
	}
	return w, h, picture
}

// see asks for a preview; nothing shows for "".
func (p *beside) see(b *screen.Base, path, poster string) tea.Cmd {
	_, h, w := p.sizes(b)
	if w == 0 || path == "" {
		p.forget()
		return nil
	}
	iw, ih := widgets.Inner(w, h)
	r := preview.Request{Slot: slot, Path: path, Poster: poster, Width: iw, Height: ih, Mode: p.loader.Mode(b.Styles)}
	if r.Key() == p.wanted && !p.loader.Lost(r.Key()) {
		return nil
	}
	p.wanted = r.Key()
	p.got, p.have = p.loader.Peek(r)
	return p.loader.Load(r)
}

// forget shows nothing, and waits for nothing.
func (p *beside) forget() {
	*p = beside{loader: p.loader}
	if p.loader != nil {
		p.loader.Cancel(slot)
	}
}

// take takes a preview that was asked for.
func (p *beside) take(msg preview.ReadyMsg) {
	if msg.Key == p.wanted {
		p.got, p.have = msg, true
	}
}

// draw adds the preview to a dialog.
func (p *beside) draw(b *screen.Base, box string) string {
	_, h, w := p.sizes(b)
	if w == 0 {
		return box
	}
	st := b.Styles
	iw, ih := widgets.Inner(w, h)
	title, text := "", ""
	faint := widgets.NewInk(st.Faint)
	switch {
	case p.wanted == preview.Key{}:
		text = faint.Text("no file under the cursor")
	case !p.have:
		text = faint.Text("preview …")
	case p.got.Lines != nil:
		title, text = p.got.Info.Title(), strings.Join(p.got.Lines, "\n")
	case p.got.Err != nil:
		lines := widgets.WrapLines("✗ "+client.Clean(p.got.Err.Error()), iw, ih)
		for i := range lines {
			lines[i] = widgets.NewInk(st.Bad).Text(lines[i])
		}
		text = strings.Join(lines, "\n")
	default:
		title, text = p.got.Info.Title(), preview.Card(st, p.got.Info, iw, ih)
	}
	footer := ""
	if p.have && p.got.Info.Bytes > 0 {
		footer = human.Bytes(p.got.Info.Bytes)
	}
	return widgets.Beside(box, widgets.BoxFooter(st, title, "", footer, text, w, h, false))
}
