package compare

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/compare/pick"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// results are the trials of a run with their pictures, and the grid that they stand in.
type results struct {
	run      pick.Run
	pictures []pictureBox // of its trials
	grid     grid

	st       *themes.Styles
	previews *preview.Loader // nil shows none
	now      func() time.Time
}

// showRun shows the trials of another run.
func (r *results) showRun(trials []pick.Trial) {
	if r.previews != nil {
		for i := range r.pictures {
			r.previews.Cancel(slot(i))
		}
	}
	r.run, r.pictures, r.grid = pick.NewRun(trials), make([]pictureBox, len(trials)), grid{}
}

// trial is the trial under the cursor; there must be one.
func (r *results) trial() *pick.Trial { return &r.run.Trials[r.grid.at] }

// ready takes a preview.
func (r *results) ready(msg preview.ReadyMsg) {
	for i := range r.pictures {
		if slot(i) == msg.Slot {
			r.pictures[i].Take(msg)
		}
	}
}

// loadPictures requests the previews of the cells that show, if they differ from those requested
// before.
func (r *results) loadPictures() tea.Cmd {
	if r.previews == nil {
		return nil
	}
	cols, rows := r.grid.shape()
	var cmds []tea.Cmd
	for i := r.grid.top * cols; i < min(len(r.run.Trials), (r.grid.top+rows)*cols); i++ {
		t, p := &r.run.Trials[i], &r.pictures[i]
		path, poster := t.Job.Showpiece()
		if path == "" {
			continue
		}
		w, h := widgets.Inner(r.grid.cell(i % cols))
		room := h - len(r.headLines(t, w, h))
		if room < leastPicture {
			p.Wanted = preview.Key{}
			continue
		}
		cmd, _ := p.Load(r.previews, preview.Request{Slot: slot(i), Path: path, Poster: poster, Width: w, Height: room, Mode: r.previews.Mode(r.st)})
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// gridView draws the summary and the grid; focus says that the cursor shows.
func (r *results) gridView(w, h int, focus bool) string {
	cols, rows := r.grid.shape()
	lines := []string{widgets.Line(" "+summary(r.st, r.run.Tally(r.now()), w-2), w)}
	for y := r.grid.top; y < r.grid.top+rows; y++ {
		var row []string
		for x := range cols {
			cw, ch := r.grid.cell(x)
			if i := y*cols + x; i < len(r.run.Trials) {
				row = append(row, markLines(fmt.Sprintf("cell:%d", i), r.cellView(i, cw, ch, focus && i == r.grid.at)))
			} else {
				row = append(row, widgets.Fit("", cw, ch))
			}
		}
		lines = append(lines, widgets.JoinColumns(0, row...))
	}
	return widgets.Fit(strings.Join(lines, "\n"), w, h)
}

// cellView is one job in exactly w x h cells.
func (r *results) cellView(i, w, h int, here bool) string {
	st, c := r.st, &r.run.Trials[i]
	title := c.Model
	if c.Name != "" {
		title += " " + c.Name
	}
	if here {
		title = "▸ " + title
	}
	right := ""
	if c.Reps > 1 {
		right = fmt.Sprintf("%d/%d", c.Rep, c.Reps)
	}
	iw, ih := widgets.Inner(w, h)
	footer := widgets.Truncate(strings.Join(c.Changes, ", "), max(1, iw-2))
	return widgets.BoxFooter(st, client.CleanLine(title), right, footer, strings.Join(r.cellLines(i, iw, ih), "\n"), w, h, here)
}

func (r *results) cellLines(i, w, h int) []string {
	out := r.headLines(&r.run.Trials[i], w, h)
	if room := h - len(out); room > 0 {
		out = append(out, r.pictures[i].view(r.st, w, room)...)
	}
	return out
}

// headLines are the lines of a cell above its picture.
func (r *results) headLines(c *pick.Trial, w, h int) []string {
	st, j := r.st, &c.Job
	if !c.Have {
		return []string{st.Muted.Render("waits to be sent")}
	}
	sign, style := widgets.Sign(st, j.State.Coarse())
	total := ""
	if d, ok := c.Took(r.now()); ok {
		total = human.Dur(tenth(d))
	}
	out := []string{widgets.Spread(widgets.NewInk(style).Text(widgets.Truncate(sign+" "+stateText(*j), max(1, w-widgets.Width(total)-1))), widgets.NewInk(st.Strong).Text(total), w)}
	muted := widgets.NewInk(st.Muted)
	var spans []string
	for _, s := range c.Split(r.now()) {
		spans = append(spans, s.What+" "+human.Dur(tenth(s.Took)))
	}
	for _, l := range flow(spans, w) {
		out = append(out, muted.Text(l))
	}
	switch {
	case j.State == jobs.Running || j.State == jobs.Queued:
		out = append(out, widgets.Progress(st, j.Progress/100, max(1, w-6))+" "+human.Percent(j.Progress/100))
	case j.Error != nil:
		out = append(out, inked(widgets.NewInk(st.Bad), client.CleanLine(strings.TrimSpace(j.Error.Code+" "+j.Error.Message)), w, h-len(out))...)
	}
	if j.Note != "" {
		out = append(out, inked(widgets.NewInk(st.Warn), client.CleanLine(j.Note), w, h-len(out))...)
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

// flow puts pieces into as many lines of w cells as they need, without breaking any.
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

// tenth rounds times above a second to tenths, since nothing finer shows.
func tenth(d time.Duration) time.Duration {
	if d < time.Second {
		return max(0, d)
	}
	return d.Round(100 * time.Millisecond)
}

// markLines makes each line a zone of its own: cells stand side by side, and the ends of zones over
// several lines could not be told apart.
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
