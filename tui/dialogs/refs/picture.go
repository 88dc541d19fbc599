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

// beside is a dialog's preview of the item under its cursor.
type beside struct {
	loader *preview.Loader // nil shows none
	preview.Awaited
}

// sizes are the size of the dialog, and the width of the preview, 0 where there is no room for
// one.
func (p *beside) sizes(b *screen.Base) (w, h, picture int) {
	w, h = min(b.W, dialogMost), min(b.H, 40)
	if p.loader != nil && b.W >= pictureFrom && b.H >= pictureLeast {
		picture = min(pictureMost, b.W*2/5)
		w = min(b.W-picture, dialogMost)
	}
	return w, h, picture
}

// see requests a preview; "" shows none.
func (p *beside) see(b *screen.Base, path, poster string) tea.Cmd {
	_, h, w := p.sizes(b)
	if w == 0 || path == "" {
		p.forget()
		return nil
	}
	iw, ih := widgets.Inner(w, h)
	r := preview.Request{Slot: slot, Path: path, Poster: poster, Width: iw, Height: ih, Mode: p.loader.Mode(b.Styles)}
	cmd, _ := p.Load(p.loader, r)
	return cmd
}

// forget removes the preview, and gives up one under way.
func (p *beside) forget() {
	*p = beside{loader: p.loader}
	if p.loader != nil {
		p.loader.Cancel(slot)
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
	case p.Wanted == preview.Key{}:
		text = faint.Text("no file under the cursor")
	case !p.Have:
		text = faint.Text("preview …")
	case p.Got.Lines != nil:
		title, text = p.Got.Info.Title(), strings.Join(p.Got.Lines, "\n")
	case p.Got.Err != nil:
		lines := widgets.WrapLines("✗ "+client.Clean(p.Got.Err.Error()), iw, ih)
		for i := range lines {
			lines[i] = widgets.NewInk(st.Bad).Text(lines[i])
		}
		text = strings.Join(lines, "\n")
	default:
		title, text = p.Got.Info.Title(), preview.Card(st, p.Got.Info, iw, ih)
	}
	footer := ""
	if p.Have && p.Got.Info.Bytes > 0 {
		footer = human.Bytes(p.Got.Info.Bytes)
	}
	return widgets.Beside(box, widgets.BoxFooter(st, title, "", footer, text, w, h, false))
}
