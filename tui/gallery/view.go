package gallery

import (
	"strings"
	"time"

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
	side := widgets.Scrollbar(g.st, s.high(all), g.h, g.top*s.line())
	room := max(0, g.w-barRoom)
	lines := make([]string, 0, g.h)
	add := func(line string, wide int) {
		if len(lines) < g.h {
			lines = append(lines, line+strings.Repeat(" ", max(0, room-wide)+1)+side[len(lines)])
		}
	}
	r := ring{ink: &g.ink.accent, at: at}
	if !focus {
		r.ink = &g.ink.faint
	}
	last := min(all, g.top+s.rows) - 1
	for row := g.top; row <= last; row++ {
		if s.edge > 0 || row > g.top {
			add(r.between(s, row))
		}
		var cells [][]string
		for i := row * s.cols; i < min((row+1)*s.cols, n); i++ {
			cells = append(cells, g.cell(i, s, r))
		}
		for y := range s.pict + s.labels {
			var line strings.Builder
			for _, c := range cells {
				line.WriteString(c[y])
			}
			add(line.String(), len(cells)*(s.w+cellGutter))
		}
	}
	if s.edge > 0 && last >= g.top {
		add(r.between(s, last+1))
	}
	for len(lines) < g.h {
		add("", 0)
	}
	return strings.Join(lines, "\n")
}

// ring is the frame around the cell under the cursor: one line around picture and caption.
type ring struct {
	ink *widgets.Ink
	at  int
}

// between returns the line above a row of cells, and its width: the upper edge of the frame, or the
// lower one of the row before.
func (r ring) between(s shape, row int) (string, int) {
	left, right := "┏", "┓"
	switch r.at / s.cols {
	case row:
	case row - 1:
		left, right = "┗", "┛"
	default:
		return "", 0
	}
	if r.at < 0 {
		return "", 0
	}
	before := r.at % s.cols * (s.w + cellGutter)
	return strings.Repeat(" ", before) + r.ink.Text(left+strings.Repeat("━", s.w)+right), before + s.w + cellGutter
}

// cell returns the lines of one cell: its picture, and below it what it is, between the sides of the
// frame or blanks.
func (g *Grid) cell(i int, s shape, r ring) []string {
	id, _ := g.source.Media(i)
	c := g.source.Cell(i, s.w)
	side := " "
	if i == r.at {
		side = r.ink.Text("┃")
	}
	var b strings.Builder
	for _, l := range g.picture(i, id, s) {
		b.WriteString(side + l + side + "\n")
	}
	got, _ := g.pictures.Got(id)
	below := g.labels(&c, got.Info, s.w, i == r.at)
	for n, l := range below[:s.labels] {
		if n > 0 {
			b.WriteString("\n")
		}
		b.WriteString(side + l + side)
	}
	return strings.Split(zone.Mark(cellZone+client.CleanLine(id), b.String()), "\n")
}

// MarkSign stands before what is marked, and nowhere else.
const MarkSign = "●"

// labels returns the two lines below a picture, w cells each: the text first, since people know things
// by it.
func (g *Grid) labels(c *Cell, info mediainfo.Info, w int, selected bool) [2]string {
	head := ""
	if c.Marked {
		head = g.ink.marked.Text(MarkSign) + " "
	}
	if c.Sign != "" {
		head += c.Ink.Text(c.Sign) + " "
	}
	text := &g.ink.text
	if selected {
		text = &g.ink.strong
	}
	if c.Gone {
		text = &g.ink.struck
	}
	head += text.Text(widgets.Truncate(c.Text, max(0, w-widgets.Width(head))))

	return [2]string{widgets.Line(head, w), g.about(c, info, w)}
}

// about returns the second line: who made it and a fact, which stays where the name gives way; signs
// at the right end, and what else there is room for.
func (g *Grid) about(c *Cell, info mediainfo.Info, w int) string {
	left := w - widgets.Width(c.Signs)
	if c.Signs != "" {
		left--
	}
	name, fact := c.Name, c.Fact
	if fact == "" {
		fact = Plays(info)
	}
	fact = widgets.Truncate(fact, max(0, left))
	if n := widgets.Width(fact) + len(" · ") - 1; fact != "" {
		name = widgets.Truncate(name, max(0, left-n))
	}
	line := g.ink.muted.Text(widgets.Truncate(name, max(0, left)))
	if name != "" && fact != "" {
		line += g.ink.faint.Text(" · ")
	}
	line += g.ink.muted.Text(fact)
	wide := widgets.Width(line)
	if n := widgets.Width(c.Extra) + 3; n > 3 && wide+n <= left {
		line, wide = line+g.ink.faint.Text(" · ")+g.ink.accent.Text(c.Extra), wide+n
	}
	signs := c.Signs
	if n := widgets.Width(c.Age) + 1; n > 1 && wide+n < left {
		signs = strings.TrimPrefix(signs+" ", " ") + g.ink.faint.Text(c.Age)
	}
	return widgets.Line(widgets.Spread(line, signs, w), w)
}

// Plays says how long a file plays, "" if that is not known.
func Plays(info mediainfo.Info) string {
	if info.Duration <= 0 {
		return ""
	}
	text := Lasts(info.Duration)
	if info.Kind == mediainfo.Audio {
		text = "♪ " + text
	}
	return text
}

// Lasts is a length as people say it: whole seconds without a fraction.
func Lasts(d time.Duration) string {
	if d < time.Minute {
		return strings.Replace(human.Dur(d.Round(100*time.Millisecond)), ".0 s", " s", 1)
	}
	return human.Clock(d)
}

// The least size of a card with a frame.
const (
	frameWide = 12
	frameHigh = 4
)

// picture returns the upper part of a cell, exactly s.w x s.pict cells: the picture, or a card that
// says what there is instead.
func (g *Grid) picture(i int, id string, s shape) []string {
	got, have := g.pictures.Got(id)
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
	switch {
	case have && got.Err != nil:
		lines = g.ink.errorLines(got.Err, w, h)
	case have:
		lines = strings.Split(preview.Thumb(g.st, got.Info, w, h), "\n")
	case g.pictures.Wanted(id):
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
