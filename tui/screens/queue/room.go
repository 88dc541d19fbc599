package queue

import "darkroom/tui/widgets"

// pane is what has the focus. On a narrow screen it is all that shows.
type pane int

const (
	tablePane pane = iota
	detailPane
)

// wideFrom is the width from which table and detail stand side by side.
const wideFrom = 100

// room is how the screen is divided. The gallery has all of a wide one, until its detail is
// opened.
type room struct {
	w, h    int
	focus   pane
	gallery bool // the jobs show as a grid, not as a list
}

func (r *room) wide() bool { return r.w >= wideFrom }

// tableShows and detailShows report what is on the screen: both on a wide one, else what
// has the focus.
func (r *room) tableShows() bool { return r.wide() || r.focus == tablePane }

func (r *room) detailShows() bool { return r.beside() > 0 || r.focus == detailPane }

// beside is the width of the detail beside the table, 0 on a narrow screen.
func (r *room) beside() int {
	if !r.wide() || r.gallery && r.focus == tablePane {
		return 0
	}
	return min(max(44, r.w*46/100), 100)
}

func (r *room) tableWidth() int { return r.w - r.beside() }

func (r *room) detailWidth() int {
	if w := r.beside(); w > 0 {
		return w
	}
	return r.w
}

// tableRoom is the room below so many lines in the pane of the table.
func (r *room) tableRoom(head int) (w, h int) {
	w, h = widgets.Inner(r.tableWidth(), r.h)
	return w, max(0, h-head)
}
