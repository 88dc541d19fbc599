package queue

import (
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/zone"
)

// cellZone begins the zone of a cell; the job's id follows.
const cellZone = "cell:"

// starSign stands at a starred job.
const starSign = "★"

// galleryView draws the rows of cells that show, h lines of w cells.
func (m *Model) galleryView(w, h int) string {
	g, now := m.grid(), m.deps.Now()
	all := gridRows(m.jobs.len(), g)
	side := widgets.Scrollbar(m.st, all*g.line()-cellGap, h, m.gallery.top*g.line())
	room := max(0, w-barRoom)
	lines := make([]string, 0, h)
	add := func(line string, wide int) {
		if len(lines) < h {
			lines = append(lines, line+strings.Repeat(" ", max(0, room-wide)+1)+side[len(lines)])
		}
	}
	for row := m.gallery.top; row < min(all, m.gallery.top+g.rows); row++ {
		var cells [][]string
		for i := row * g.cols; i < min((row+1)*g.cols, m.jobs.len()); i++ {
			cells = append(cells, m.cell(i, g, now))
		}
		for y := range g.pict + g.labels {
			var line strings.Builder
			for _, c := range cells {
				line.WriteString(c[y])
			}
			add(line.String(), len(cells)*(g.w+cellGutter))
		}
		add("", 0)
	}
	for len(lines) < h {
		add("", 0)
	}
	return strings.Join(lines, "\n")
}

// cell are the lines of one job: its picture, and below it what it is. Left of them stands
// the sign of the cursor and of marked ones.
func (m *Model) cell(i int, g grid, now time.Time) []string {
	j := m.jobs.at(i)
	k := &m.gallery.ink
	selected, marked := i == m.table.Cursor(), m.marked[j.ID]
	pointer, base := m.ink.accent, k.selected
	if m.focus != tablePane || m.filtering {
		pointer, base = m.ink.faint, k.passive
	}
	sign, side := " ", "  "
	switch {
	case selected && marked:
		sign = k.marked.Text("◉")
	case selected:
		sign = pointer.Text("▸")
	case marked:
		sign = k.marked.Text("•")
	}
	if selected {
		side = pointer.Text("▌") + " "
	}
	var b strings.Builder
	for _, l := range m.cellPicture(j, g) {
		b.WriteString(side + l + "\n")
	}
	below := m.labels(j, g.w, now)
	for n, l := range below[:g.labels] {
		if selected {
			l = base.Over(l)
		}
		if n == 0 {
			b.WriteString(sign + " " + l)
		} else {
			b.WriteString("\n" + side + l)
		}
	}
	return strings.Split(zone.Mark(cellZone+client.CleanLine(j.ID), b.String()), "\n")
}

// labels are the two lines below a picture, w cells each: state, model, star and age; and
// id, what a person said of it, and the prompt.
func (m *Model) labels(j *jobs.Job, w int, now time.Time) [2]string {
	s := m.stateSign(j)
	right := m.ink.muted.Text(format.Age(now.Sub(j.CreatedAt)))
	if len(j.Warnings) > 0 {
		right = m.ink.warn.Text(warnSign) + " " + right
	}
	if j.Starred() {
		right = m.ink.warn.Text(starSign) + " " + right
	}
	room := max(0, w-widgets.Width(right)-widgets.Width(s.text)-2)
	head := s.ink.Text(s.text) + " " + m.ink.text.Text(widgets.Truncate(m.modelCell(j), room))
	said := ""
	for _, t := range j.PlainTags() {
		said += "#" + client.CleanLine(t) + " "
	}
	if j.Remark != "" {
		said += remarkSign + " "
	}
	if plays := m.playsText(j); plays != "" {
		said = plays + " " + said
	}
	id := shortID(j.ID)
	rest := max(0, w-widgets.Width(id)-1)
	said = widgets.Truncate(said, rest)
	line := m.ink.muted.Text(id) + " " + m.ink.accent.Text(said)
	if left := rest - widgets.Width(said); left > 0 {
		line += m.ink.text.Text(widgets.Truncate(oneLine(j.Draft.Prompt, 2*w), left))
	}
	return [2]string{widgets.Line(widgets.Spread(head, right, w), w), widgets.Line(line, w)}
}

// playsText is how long the result plays, where that is known.
func (m *Model) playsText(j *jobs.Job) string {
	info := m.gallery.got[j.ID].Info
	if info.Duration <= 0 {
		return ""
	}
	sign := "▶"
	if info.Kind == preview.Audio {
		sign = "♪"
	}
	return sign + " " + format.Dur(info.Duration)
}

// remarkSign stands at a job with a remark.
const remarkSign = "✎"

// stateSign is the sign of a job's state, or of what is in the way of it.
func (m *Model) stateSign(j *jobs.Job) sign {
	s := m.ink.sign(j.State)
	if len(m.holds(j)) > 0 {
		s.text = pausedSign
	} else if !j.Saving() && j.Unsaved() > 0 {
		s = sign{unsavedSign, m.ink.bad}
	}
	return s
}
