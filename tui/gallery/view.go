package gallery

import (
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/mediainfo"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// View draws the rows of cells that show, in exactly the size set; the cursor is on cell at.
func (g *Grid) View(at int, focus bool) string {
	s, n := g.shape(), g.source.Len()
	all := s.rowsOf(n)
	side := widgets.Scrollbar(g.st, all*s.line()-cellGap, g.h, g.top*s.line())
	room := max(0, g.w-barRoom)
	lines := make([]string, 0, g.h)
	add := func(line string, wide int) {
		if len(lines) < g.h {
			lines = append(lines, line+strings.Repeat(" ", max(0, room-wide)+1)+side[len(lines)])
		}
	}
	for row := g.top; row < min(all, g.top+s.rows); row++ {
		var cells [][]string
		for i := row * s.cols; i < min((row+1)*s.cols, n); i++ {
			cells = append(cells, g.cell(i, s, i == at, focus))
		}
		for y := range s.pict + s.labels {
			var line strings.Builder
			for _, c := range cells {
				line.WriteString(c[y])
			}
			add(line.String(), len(cells)*(s.w+cellGutter))
		}
		add("", 0)
	}
	for len(lines) < g.h {
		add("", 0)
	}
	return strings.Join(lines, "\n")
}

// cell returns the lines of one cell: its picture, and below it what it is. Left of them stands the
// sign of the cursor or of a marked cell.
func (g *Grid) cell(i int, s shape, selected, focus bool) []string {
	id, _ := g.source.Media(i)
	c, k := g.source.Cell(i, s.w), &g.ink
	pointer, base := k.accent, k.selected
	if !focus {
		pointer, base = k.faint, k.passive
	}
	sign, side := " ", "  "
	switch {
	case selected && c.Marked:
		sign = k.marked.Text("◉")
	case selected:
		sign = pointer.Text("▸")
	case c.Marked:
		sign = k.marked.Text("•")
	}
	if selected {
		side = pointer.Text("▌") + " "
	}
	var b strings.Builder
	for _, l := range g.picture(i, id, s) {
		b.WriteString(side + l + "\n")
	}
	below := g.labels(&c, g.got[id].Info, s.w)
	for n, l := range below[:s.labels] {
		if selected {
			l = base.Over(l)
		}
		if n == 0 {
			b.WriteString(sign + " " + l)
		} else {
			b.WriteString("\n" + side + l)
		}
	}
	return strings.Split(zone.Mark(cellZone+client.CleanLine(id), b.String()), "\n")
}

// labels returns the two lines below a picture, w cells each.
func (g *Grid) labels(c *Cell, info mediainfo.Info, w int) [2]string {
	room := max(0, w-widgets.Width(c.Right)-widgets.Width(c.Sign)-2)
	head := c.Ink.Text(c.Sign) + " " + g.ink.text.Text(widgets.Truncate(c.Name, room))
	rest := max(0, w-widgets.Width(c.Short)-1)
	notes := widgets.Truncate(playsText(info)+c.Notes, rest)
	line := g.ink.muted.Text(c.Short) + " " + g.ink.accent.Text(notes)
	if left := rest - widgets.Width(notes); left > 0 {
		line += g.ink.text.Text(widgets.Truncate(c.Text, left))
	}
	return [2]string{widgets.Line(widgets.Spread(head, c.Right, w), w), widgets.Line(line, w)}
}

// playsText says how long a file plays, with a blank after it; "" if that is not known.
func playsText(info mediainfo.Info) string {
	if info.Duration <= 0 {
		return ""
	}
	sign := "▶"
	if info.Kind == mediainfo.Audio {
		sign = "♪"
	}
	return sign + " " + human.Dur(info.Duration) + " "
}

// The least size of a card with a frame.
const (
	frameWide = 12
	frameHigh = 4
)

// picture returns the upper part of a cell, exactly s.w x s.pict cells: the picture, or a card that
// says what there is instead.
func (g *Grid) picture(i int, id string, s shape) []string {
	got, have := g.got[id]
	have = have && got.Key.Width == s.w && got.Key.Height == s.pict
	if have && got.Lines != nil {
		return got.Lines
	}
	w, h := s.w, s.pict
	framed := w >= frameWide && h >= frameHigh
	if framed {
		w, h = w-2, h-2
	}
	var lines []string
	switch _, wanted := g.want[id]; {
	case have && got.Err != nil:
		lines = g.ink.errorLines(got.Err, w, h)
	case have:
		lines = strings.Split(preview.Thumb(g.st, got.Info, w, h), "\n")
	case wanted:
		lines = []string{g.ink.faint.Text(widgets.Truncate("preview …", w))}
	default:
		lines = g.source.Card(i, w, h)
	}
	return g.ink.framed(lines, w, h, framed)
}

// errorLines wraps what went wrong with a picture into at most h lines of w cells.
func (k *inks) errorLines(err error, w, h int) []string {
	lines := widgets.WrapLines("✗ "+client.Clean(err.Error()), max(1, w), max(1, h))
	for i, l := range lines {
		lines[i] = k.bad.Text(l)
	}
	return lines
}

// framed puts lines into the middle of w x h cells, with a frame around these if wanted.
func (k *inks) framed(lines []string, w, h int, frame bool) []string {
	lines = lines[:min(len(lines), h)]
	out := make([]string, 0, h+2)
	side := ""
	if frame {
		side = k.frame.Text("│")
		out = append(out, k.frame.Text("╭"+strings.Repeat("─", w)+"╮"))
	}
	above := (h - len(lines)) / 2
	for y := range h {
		line := ""
		if n := y - above; n >= 0 && n < len(lines) {
			line = lines[n]
		}
		out = append(out, side+widgets.Line(line, w)+side)
	}
	if frame {
		out = append(out, k.frame.Text("╰"+strings.Repeat("─", w)+"╯"))
	}
	return out
}
