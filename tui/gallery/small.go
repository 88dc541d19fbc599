package gallery

import (
	"errors"
	"io/fs"
	"strings"

	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

// Small returns a picture among text, as in a row of a list, exactly w x h cells: blanks as long as
// nothing came, or a sign of what there is instead.
func Small(st *themes.Styles, got preview.ReadyMsg, have bool, w, h int) []string {
	switch {
	case have && got.Lines != nil && got.Key.Width == w && got.Key.Height == h:
		return got.Lines
	case have && errors.Is(got.Err, fs.ErrNotExist):
		return Signed(widgets.NewInk(st.Faint), "gone", w, h)
	case have && got.Err != nil:
		return Signed(widgets.NewInk(st.Bad), "✗", w, h)
	case have && got.Lines == nil:
		return strings.Split(preview.Thumb(st, got.Info, w, h), "\n")
	}
	return Signed(widgets.Ink{}, "", w, h)
}

// Signed returns w x h blank cells with a short text in the middle, "" for none.
func Signed(ink widgets.Ink, text string, w, h int) []string {
	out := make([]string, h)
	for y := range out {
		out[y] = strings.Repeat(" ", w)
	}
	if text != "" && h > 0 {
		out[(h-1)/2] = widgets.Center(ink.Text(widgets.Truncate(text, w)), w)
	}
	return out
}
