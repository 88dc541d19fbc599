package widgets

import "darkroom/themes"

// Scrollbar is a bar of h cells, one a line, for a window of h lines on total lines
// that begins at the line top. When everything fits it is blank.
func Scrollbar(st *themes.Styles, total, h, top int) []string {
	cells := make([]string, max(0, h))
	if total <= h {
		for i := range cells {
			cells[i] = " "
		}
		return cells
	}
	size := max(1, h*h/total)
	at := 0
	if total > h {
		at = (h - size) * min(max(0, top), total-h) / (total - h)
	}
	inks := chromeOf(st)
	for i := range cells {
		cells[i] = inks.track
		if i >= at && i < at+size {
			cells[i] = inks.thumb
		}
	}
	return cells
}
