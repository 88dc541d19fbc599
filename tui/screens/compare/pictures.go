package compare

import (
	"strconv"
	"strings"

	"darkroom/themes"
	"darkroom/tui/preview"
)

// leastPicture is the least room in lines in which a picture says anything.
const leastPicture = 2

// pictureBox is the preview of a trial's result.
type pictureBox struct{ preview.Awaited }

// view is the picture, or a card of what the file says of itself; nothing where there is no room.
func (p *pictureBox) view(st *themes.Styles, w, h int) []string {
	switch {
	case p.Wanted == preview.Key{}:
		return nil
	case !p.Have:
		return []string{st.Faint.Render("preview …")}
	case p.Got.Lines != nil && p.Wanted.Width == w && p.Wanted.Height == h:
		return p.Got.Lines
	default:
		return strings.Split(preview.Card(st, p.Got.Info, w, h), "\n")
	}
}

func slot(i int) string { return "compare." + strconv.Itoa(i) }
