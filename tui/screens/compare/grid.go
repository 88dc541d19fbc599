package compare

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/zone"
)

// The least and the greatest size of a cell, its border included.
const (
	minCellWidth  = 26
	minCellHeight = 7
	maxCellHeight = 24
)

// gridSize is the room of the cells, below the line of the summary.
func (m *Model) gridSize() (w, h int) {
	w, h = m.body()
	if m.wide() {
		w -= m.modelsWidth()
	}
	return w, max(0, h-1)
}

// gridShape is how many columns of cells there are, and how many rows show: those with
// the largest pictures among the ones that show all cells, else as many as fit.
func (m *Model) gridShape() (cols, rows int) {
	w, h := m.gridSize()
	n := max(1, len(m.cells))
	most := max(1, min(n, w/minCellWidth))
	best := 0
	for c := 1; c <= most; c++ {
		total := (n + c - 1) / c
		if total*minCellHeight > h {
			continue
		}
		if size := min(w/c-4, (min(maxCellHeight, h/total)-6)*32/9); cols == 0 || size >= best {
			cols, best = c, size
		}
	}
	if cols == 0 {
		cols = most
	}
	total := (n + cols - 1) / cols
	return cols, max(1, min(total, h/minCellHeight))
}

// cellSize is the size of the cells in column x; the last one takes what is left over.
func (m *Model) cellSize(x int) (w, h int) {
	gw, gh := m.gridSize()
	cols, rows := m.gridShape()
	w = gw / cols
	if x == cols-1 {
		w = gw - w*(cols-1)
	}
	return w, min(maxCellHeight, gh/rows)
}

// reveal scrolls so that the cell under the cursor shows.
func (m *Model) reveal() {
	cols, rows := m.gridShape()
	m.at = max(0, min(m.at, len(m.cells)-1))
	row := m.at / cols
	m.top = max(min(m.top, row), row-rows+1)
	m.clampTop()
}

// clampTop keeps the first row within the grid, and the cursor within what shows.
func (m *Model) clampTop() {
	cols, rows := m.gridShape()
	total := (len(m.cells) + cols - 1) / cols
	m.top = max(0, min(m.top, total-rows))
	row := max(m.top, min(m.at/cols, m.top+rows-1))
	m.at = max(0, min(row*cols+m.at%cols, len(m.cells)-1))
}

func (m *Model) resultsView(w, h int) string {
	st := m.st
	if len(m.cells) == 0 {
		return widgets.Box(st, "Results", "", strings.Join(m.guide(w-4), "\n"), w, h, false)
	}
	cols, rows := m.gridShape()
	lines := []string{widgets.Line(" "+m.summary(w-2), w)}
	for y := m.top; y < m.top+rows; y++ {
		var row []string
		for x := range cols {
			cw, ch := m.cellSize(x)
			if i := y*cols + x; i < len(m.cells) {
				row = append(row, markLines(fmt.Sprintf("cell:%d", i), m.cellView(i, cw, ch)))
			} else {
				row = append(row, widgets.Fit("", cw, ch))
			}
		}
		lines = append(lines, widgets.JoinColumns(0, row...))
	}
	return widgets.Fit(strings.Join(lines, "\n"), w, h)
}

// guide says what to do before there are results.
func (m *Model) guide(w int) []string {
	k := m.deps.Keys
	text := fmt.Sprintf("Write a prompt, or send a draft here from Compose (%s). Choose models with %s (%s for all that can), then run with %s.",
		k.Keys("compose.to-compare"), k.Keys("compare.toggle"), k.Keys("compare.all"), k.Keys("compare.run"))
	var out []string
	if m.sending {
		return []string{"", m.st.Muted.Render("sending …")}
	}
	for _, p := range []string{text, "", "Each model gets the same draft. Where a model does not take a part of it, that is said beside the model and on its result.", "", "Every job is billed. They stay in Queue."} {
		for _, l := range widgets.WrapLines(p, max(4, w), 0) {
			out = append(out, m.st.Muted.Render(l))
		}
	}
	return out
}

// cellView is one job in exactly w x h cells.
func (m *Model) cellView(i, w, h int) string {
	st, c := m.st, &m.cells[i]
	here := m.focus == gridPane && i == m.at
	title := c.model
	if c.name != "" {
		title += " " + c.name
	}
	if here {
		title = "▸ " + title
	}
	right := ""
	if c.reps > 1 {
		right = fmt.Sprintf("%d/%d", c.rep, c.reps)
	}
	iw, ih := widgets.Inner(w, h)
	footer := widgets.Truncate(strings.Join(c.changes, ", "), max(1, iw-2))
	return widgets.BoxFooter(st, client.CleanLine(title), right, footer, strings.Join(m.cellLines(c, iw, ih), "\n"), w, h, here)
}

func (m *Model) cellLines(c *cell, w, h int) []string {
	st, j := m.st, &c.job
	if !c.have {
		return []string{st.Muted.Render("waits to be sent")}
	}
	sign, style := widgets.Sign(st, j.State.Coarse())
	total := ""
	if d, ok := c.took(m.deps.Now()); ok {
		total = format.Dur(tenth(d))
	}
	out := []string{widgets.Spread(widgets.NewInk(style).Text(widgets.Truncate(sign+" "+stateText(*j), max(1, w-widgets.Width(total)-1))), widgets.NewInk(st.Strong).Text(total), w)}
	muted := widgets.NewInk(st.Muted)
	for _, l := range flow(m.split(c), w) {
		out = append(out, muted.Text(l))
	}
	switch {
	case j.State == jobs.Running || j.State == jobs.Queued:
		out = append(out, widgets.Progress(st, j.Progress/100, max(1, w-6))+" "+format.Percent(j.Progress/100))
	case j.Error != nil:
		out = append(out, inked(widgets.NewInk(st.Bad), client.CleanLine(strings.TrimSpace(j.Error.Code+" "+j.Error.Message)), w, h-len(out))...)
	}
	if j.Note != "" {
		out = append(out, inked(widgets.NewInk(st.Warn), client.CleanLine(j.Note), w, h-len(out))...)
	}
	if room := h - len(out); room > 0 {
		out = append(out, m.pictureView(c, w, room)...)
	}
	return out
}

func inked(ink widgets.Ink, s string, w, most int) []string {
	if most <= 0 || s == "" {
		return nil
	}
	lines := widgets.WrapLines(s, max(4, w), most)
	for i, l := range lines {
		lines[i] = ink.Text(l)
	}
	return lines
}

// split is where the time went, as far as it is known: the create, waiting, being made.
func (m *Model) split(c *cell) []string {
	j := c.job
	var out []string
	if j.CreateTook > 0 {
		out = append(out, "create "+format.Dur(j.CreateTook))
	}
	end := j.EndedAt
	if end.IsZero() && !c.ended() {
		end = m.deps.Now()
	}
	switch {
	case j.AcceptedAt.IsZero() || end.IsZero():
	case !c.runningAt.IsZero():
		out = append(out, "queue "+format.Dur(tenth(c.runningAt.Sub(j.AcceptedAt))), "run "+format.Dur(tenth(end.Sub(c.runningAt))))
	case j.State == jobs.Queued:
		out = append(out, "queue "+format.Dur(tenth(end.Sub(j.AcceptedAt))))
	case end.Sub(j.AcceptedAt) >= 100*time.Millisecond:
		out = append(out, "queue and run "+format.Dur(tenth(end.Sub(j.AcceptedAt))))
	}
	return out
}

// flow puts pieces into as many lines of w cells as they need, none of them broken.
func flow(pieces []string, w int) []string {
	var out []string
	for _, p := range pieces {
		if n := len(out); n > 0 && widgets.Width(out[n-1]+" · "+p) <= w {
			out[n-1] += " · " + p
			continue
		}
		out = append(out, p)
	}
	return out
}

// tenth rounds what is above a second to tenths, since no finer part shows.
func tenth(d time.Duration) time.Duration {
	if d < time.Second {
		return max(0, d)
	}
	return d.Round(100 * time.Millisecond)
}

// pictureView is the result: its picture, or a card of what the file says of itself.
func (m *Model) pictureView(c *cell, w, h int) []string {
	switch {
	case c.wanted == preview.Key{}:
		return nil
	case !c.havePict:
		return []string{m.st.Faint.Render("preview …")}
	case c.got.Lines != nil && c.wanted.Width == w && c.wanted.Height == h:
		return c.got.Lines
	default:
		return strings.Split(preview.Card(m.st, c.got.Info, w, h), "\n")
	}
}

// markLines makes each line a zone of its own: cells stand side by side, and the ends of
// zones over several lines could not be told apart.
func markLines(id, s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = zone.Mark(id, l)
	}
	return strings.Join(lines, "\n")
}

// stateText is a state with the gateway's own term beside it where that differs.
func stateText(j jobs.Job) string {
	text := string(j.State)
	if j.RawStatus != "" && !strings.EqualFold(j.RawStatus, text) {
		text += " (" + client.CleanLine(j.RawStatus) + ")"
	}
	if j.Saving() {
		text += ", saving"
	}
	return text
}
