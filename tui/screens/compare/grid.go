package compare

// The least and the greatest size of a cell, including its border.
const (
	minCellWidth  = 26
	minCellHeight = 7
	maxCellHeight = 24
)

// grid is where the cells of the results stand, which rows of them show, and the cursor.
type grid struct {
	n    int // cells
	w, h int
	at   int // the cell under the cursor
	top  int // the first row that shows
}

// resize fits the grid to a number of cells and a room.
func (g *grid) resize(n, w, h int) {
	g.n, g.w, g.h = n, w, h
	g.reveal()
}

// shape is how many columns of cells there are, and how many rows show. Of the shapes that show all
// cells it takes the one with the largest pictures; if none does, as many cells as fit.
func (g *grid) shape() (cols, rows int) {
	n := max(1, g.n)
	most := max(1, min(n, g.w/minCellWidth))
	best := 0
	for c := 1; c <= most; c++ {
		total := (n + c - 1) / c
		if total*minCellHeight > g.h {
			continue
		}
		if size := min(g.w/c-4, (min(maxCellHeight, g.h/total)-6)*32/9); cols == 0 || size >= best {
			cols, best = c, size
		}
	}
	if cols == 0 {
		cols = most
	}
	total := (n + cols - 1) / cols
	return cols, max(1, min(total, g.h/minCellHeight))
}

// cell is the size of the cells in column x; the last one takes what is left over.
func (g *grid) cell(x int) (w, h int) {
	cols, rows := g.shape()
	w = g.w / cols
	if x == cols-1 {
		w = g.w - w*(cols-1)
	}
	return w, min(maxCellHeight, g.h/rows)
}

// reveal scrolls so that the cell under the cursor shows.
func (g *grid) reveal() {
	cols, rows := g.shape()
	g.at = max(0, min(g.at, g.n-1))
	row := g.at / cols
	g.top = max(min(g.top, row), row-rows+1)
	g.scroll(0)
}

// scroll moves by rows within the grid, and keeps the cursor within what shows.
func (g *grid) scroll(by int) {
	cols, rows := g.shape()
	total := (g.n + cols - 1) / cols
	g.top = max(0, min(g.top+by, total-rows))
	row := max(g.top, min(g.at/cols, g.top+rows-1))
	g.at = max(0, min(row*cols+g.at%cols, g.n-1))
}

// key moves over the cells, and reports whether the key was one to move by.
func (g *grid) key(name string) bool {
	cols, rows := g.shape()
	switch name {
	case "left", "h":
		g.at--
	case "right", "l":
		g.at++
	case "up", "k":
		if g.at >= cols {
			g.at -= cols
		}
	case "down", "j":
		if g.at+cols < g.n || g.at/cols < (g.n-1)/cols {
			g.at += cols
		}
	case "pgup":
		g.at -= cols * max(1, rows)
	case "pgdown":
		g.at += cols * max(1, rows)
	case "home", "g":
		g.at = 0
	case "end", "G":
		g.at = g.n - 1
	default:
		return false
	}
	g.reveal()
	return true
}
