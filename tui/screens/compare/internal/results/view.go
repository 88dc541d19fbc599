package results

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// Sizes in cells.
const (
	wideFrom  = 110 // the panel stands beside the grid
	highFrom  = 20  // or below it
	narrowTo  = 60  // up to which the line below the grid names the cell under the cursor
	factsFrom = 100 // facts stand beside a result on the whole screen
)

// rooms says how the page is shared.
type rooms struct {
	gridW, gridH   int // of the boxes
	panelW, panelH int // 0 for none
}

func (m *Model) rooms() rooms {
	r := rooms{gridW: m.w, gridH: m.h}
	switch {
	case m.zoom.On():
		switch {
		case m.panel.hidden || m.zoom.IsBeside():
		case m.w >= factsFrom:
			r.panelW, r.panelH = min(64, max(44, m.w*34/100)), m.h
			r.gridW -= r.panelW
		case m.h >= highFrom:
			r.panelW, r.panelH = m.w, m.h*2/5
			r.gridH -= r.panelH
		}
	case m.run == nil || m.panel.away:
	case m.w >= wideFrom:
		r.panelW, r.panelH = min(78, max(44, m.w*36/100)), m.h
		r.gridW -= r.panelW
	case m.h >= highFrom:
		r.panelW, r.panelH = m.w, min(12, m.h*2/5)
		r.gridH -= r.panelH
	case m.panel.verdicts:
		r.panelW, r.panelH, r.gridW, r.gridH = m.w, m.h, 0, 0
	}
	return r
}

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	r := m.rooms()
	if r.panelW > 0 {
		m.panel.fill(m, max(0, first(widgets.Inner(r.panelW, r.panelH))), max(0, r.panelH-2))
	}
	if m.zoom.On() {
		m.zoom.SetSize(r.gridW, r.gridH)
		return
	}
	iw, ih := widgets.Inner(r.gridW, r.gridH)
	m.grid.SetSize(iw, max(0, ih-m.headLines()))
}

func first(a, _ int) int { return a }

// headLines are the lines above the grid: the filter, and what is wrong.
func (m *Model) headLines() int {
	n := 0
	if m.typing || m.filter.Len() > 0 {
		n++
	}
	if m.trouble != "" {
		n++
	}
	return n
}

// View draws the page in exactly its room.
func (m *Model) View() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	r := m.rooms()
	main := ""
	switch {
	case m.zoom.On():
		main = m.zoom.View(caption(m))
	case r.gridW > 0:
		main = m.gridBox(r)
	}
	switch {
	case r.panelW == 0:
		return widgets.Fit(main, m.w, m.h)
	case r.gridW == 0:
		return m.panelBox(r)
	case r.gridW < m.w:
		return widgets.Beside(main, m.panelBox(r))
	default:
		return main + "\n" + m.panelBox(r)
	}
}

func (m *Model) gridBox(r rooms) string {
	title, right := "Results", ""
	if m.run != nil {
		title = nameOf(m.run)
		right = tallyText(m)
	}
	iw, _ := widgets.Inner(r.gridW, r.gridH)
	footer := ""
	if m.run != nil {
		footer = widgets.Truncate(footText(m), max(1, iw-2))
	}
	title = widgets.Truncate(title, max(6, iw-widgets.Width(right)-4))
	if m.run == nil || m.loading && m.run.ID != m.id {
		return widgets.BoxFooter(m.st, title, right, footer, emptyText(m, iw), r.gridW, r.gridH, true)
	}
	if m.grid.Bare() {
		body := headText(m, iw) + "\n" + widgets.NewInk(m.st.Muted).Text(strings.Join(widgets.WrapLines(bareText(m), max(4, iw), 4), "\n"))
		return widgets.BoxFooter(m.st, title, right, footer, body, r.gridW, r.gridH, true)
	}
	body := headText(m, iw) + m.grid.View(!m.typing)
	if r.gridW < exactFrom || r.gridH < 4 {
		return widgets.BoxFooter(m.st, title, right, footer, body, r.gridW, r.gridH, true)
	}
	return m.exactBox(title, right, footer, body, r)
}

// exactFrom is the width from which the lines of the grid have their exact width.
const exactFrom = 30

// exactBox is [widgets.BoxFooter] for lines that have their width: those of many cells take long to measure.
func (m *Model) exactBox(title, right, footer, body string, r rooms) string {
	head, foot, _ := strings.Cut(widgets.BoxFooter(m.st, title, right, footer, "", r.gridW, 2, true), "\n")
	side := widgets.NewInk(m.st.BorderFocus).Text("│")
	var b strings.Builder
	b.Grow(len(body) + r.gridH*2*(len(side)+2))
	b.WriteString(head)
	for line := range strings.SplitSeq(body, "\n") {
		b.WriteString("\n" + side + " ")
		b.WriteString(line)
		b.WriteString(" " + side)
	}
	b.WriteString("\n" + foot)
	return b.String()
}

func nameOf(r *compare.Run) string {
	if name := client.CleanLine(r.Name); name != "" {
		return name
	}
	return "run " + r.ID[max(0, len(r.ID)-8):]
}

// bareText says why nothing of the run shows, and what brings all back.
func bareText(m *Model) string {
	failed, differs := m.grid.Only()
	switch words := m.filter.Len() > 0; {
	case failed && !differs && !words:
		return "No trial failed. " + m.commands.Key(actFailed) + " shows all."
	case differs && !failed && !words:
		return "All came as it was asked for, and the models do not differ. " + m.commands.Key(actDiffers) + " shows all."
	default:
		return "No trial is left. " + m.commands.Key(actLeave) + " shows all."
	}
}

// tallyText is the run in numbers.
func tallyText(m *Model) string {
	t := m.tally
	if m.w < narrowTo {
		return widgets.NewInk(m.st.StateDone).Text(fmt.Sprintf("✓ %d", t.Done)) + fmt.Sprintf(" of %d", t.Planned)
	}
	parts := []string{widgets.NewInk(m.st.StateDone).Text(fmt.Sprintf("✓ %d", t.Done))}
	if t.Failed > 0 {
		parts = append(parts, widgets.NewInk(m.st.StateFailed).Text(fmt.Sprintf("✗ %d", t.Failed)))
	}
	if t.Open > 0 {
		parts = append(parts, widgets.NewInk(m.st.StateRunning).Text(fmt.Sprintf("▶ %d", t.Open)))
	}
	parts = append(parts, fmt.Sprintf("of %s", human.Plural(t.Planned, "trial")))
	if left := t.Planned - t.Sent; m.live && left > 0 {
		parts = append(parts, fmt.Sprintf("%d to send", left))
	}
	return strings.Join(parts, " · ")
}

// footText says how the run stands, and what of it shows.
func footText(m *Model) string {
	var parts []string
	switch {
	case m.run.Status == compare.Stopped:
		parts = append(parts, "stopped")
	case m.run.Status == compare.Open && !m.live:
		parts = append(parts, "open: "+m.commands.Key(actResume)+" resumes")
	}
	if n := m.tally.Cannot; n > 0 {
		parts = append(parts, human.Plural(n, "cell")+" cannot run")
	}
	failed, differs := m.grid.Only()
	if failed {
		parts = append(parts, "failed only")
	}
	if differs {
		parts = append(parts, "differences only")
	}
	if m.marked != (place{}) {
		parts = append(parts, "• "+m.at(m.marked).Where())
	}
	text := m.grid.Sight()
	if x := m.current(); m.w < narrowTo && x.Cell != nil { // the headers have no room for it
		text = x.Where()
	}
	if text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, " · ")
}

// headText are the lines above the grid, each with its end.
func headText(m *Model, w int) string {
	out := ""
	if m.trouble != "" {
		out += widgets.NewInk(m.st.Warn).Text(widgets.Line("⚠ "+client.CleanLine(m.trouble), w)) + "\n"
	}
	if m.typing || m.filter.Len() > 0 {
		sign := widgets.NewInk(m.st.Accent).Text("/ ")
		out += zone.Mark("filter", widgets.Line(sign+m.filter.Field(m.paper, "words of model, prompt, state, code", m.typing, max(1, w-2)), w)) + "\n"
	}
	return out
}

// emptyText says why no run shows, and what to do about it.
func emptyText(m *Model, w int) string {
	muted, bad := widgets.NewInk(m.st.Muted), widgets.NewInk(m.st.Bad)
	var lines []string
	add := func(k widgets.Ink, text string) {
		for _, l := range widgets.WrapLines(text, max(4, w), 6) {
			lines = append(lines, k.Text(l))
		}
	}
	lines = append(lines, "")
	switch {
	case m.o.Bench == nil:
		add(muted, "No runs are kept here.")
	case m.err != nil:
		add(bad, "✗ the run cannot be read: "+client.CleanLine(m.err.Error()))
		add(muted, m.commands.Key(actRuns)+" lists the runs.")
	case m.loading || m.seeking:
		add(muted, "reading the run …")
	default:
		add(muted, "No run was begun yet. "+m.commands.Key(actLeave)+" goes to the plan of one.")
	}
	return strings.Join(lines, "\n")
}

func (m *Model) panelBox(r rooms) string {
	title, right := "Trial", m.commands.Key(actPanel)+" verdicts"
	if x := m.current(); x.Cell != nil {
		title = x.Where()
	}
	if m.zoom.On() {
		right = ""
	} else if m.panel.verdicts {
		title, right = "What the run shows", m.commands.Key(actPanel)+" the trial"
	}
	iw, ih := widgets.Inner(r.panelW, r.panelH)
	var lines []string
	if m.panel.ph > 0 {
		lines = m.panel.lines()
	}
	lines = append(lines, strings.Split(m.panel.body.View(m.st), "\n")...)
	title = widgets.Truncate(title, max(4, r.panelW-widgets.Width(right)-8))
	return widgets.Box(m.st, title, right, zone.Mark("panel", widgets.Fit(strings.Join(lines, "\n"), iw, ih)), r.panelW, r.panelH, false)
}
