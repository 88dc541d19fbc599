package queue

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/table"
	"darkroom/tui/widgets/zone"
)

// wideFrom is the width from which table and detail stand side by side.
const wideFrom = 100

func (m *Model) wide() bool { return m.w >= wideFrom }

// detailShows reports whether the detail is on the screen.
func (m *Model) detailShows() bool { return m.wide() || m.opened }

func columns() []table.Column {
	return []table.Column{
		{Title: "State", Min: 12, Max: 22, Weight: 1},
		{Title: "Model", Min: 12, Max: 30, Weight: 2, Drop: 1},
		{Title: "Age", Min: 5, Right: true, Drop: 2},
		{Title: "", Min: 8, Drop: 3}, // progress
		{Title: "Kind", Min: 5, Drop: 4},
		{Title: "Prompt", Min: 8, Weight: 6},
	}
}

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	m.fresh = false
	w, h := m.tableSize()
	iw, ih := widgets.Inner(w, h)
	m.table.SetSize(iw, max(0, ih-1)) // below the filter's line
	m.fillDetail()
}

func (m *Model) tableSize() (int, int) {
	if !m.wide() {
		return m.w, m.h
	}
	return m.w - m.detailWidth(), m.h
}

func (m *Model) detailWidth() int {
	if !m.wide() {
		return m.w
	}
	return max(44, m.w*45/100)
}

// source makes the rows that the table asks for.
func (m *Model) source() table.Source {
	return table.Func{N: m.jobs.len(), At: m.row}
}

func (m *Model) row(i int) table.Row {
	j, _ := m.jobs.at(i)
	sign, style := widgets.Sign(m.st, status(j.State))
	progress := ""
	if j.State == jobs.Running && j.Progress >= 0 {
		progress = widgets.Progress(m.st, j.Progress/100, 8)
	}
	return table.Row{
		Marked: m.marked[j.ID],
		Cells: []table.Cell{
			{Text: sign + " " + stateText(j), Ink: widgets.NewInk(style)},
			{Text: modelText(j)},
			{Text: format.Age(m.deps.Now().Sub(j.CreatedAt)), Ink: widgets.NewInk(m.st.Muted)},
			{Text: progress},
			{Text: string(j.Draft.Modality), Ink: widgets.NewInk(m.st.Muted)},
			{Text: client.CleanLine(j.Draft.Prompt)},
		},
	}
}

// status is the sign's name for a state.
func status(s jobs.State) string {
	switch s {
	case jobs.Planned, jobs.Submitting:
		return "queued"
	case jobs.Refused, jobs.Lost:
		return "failed"
	default:
		return string(s)
	}
}

// stateText is a state with the gateway's own term where that says more.
func stateText(j jobs.Job) string {
	text := string(j.State)
	if f := fetching(j); f != "" {
		return f
	}
	if j.RawStatus != "" && !strings.EqualFold(j.RawStatus, text) {
		text += " (" + client.CleanLine(j.RawStatus) + ")"
	}
	return text
}

// fetching tells how far the files of a job are on their way, "" when none is.
func fetching(j jobs.Job) string {
	var done, total int64
	busy := false
	for _, f := range j.Files {
		if f.State == jobs.FileFetching || f.State == jobs.FileWanted {
			busy = true
		}
		done += f.Bytes
		total += max(f.Total, 0)
	}
	switch {
	case !busy:
		return ""
	case total > 0:
		return "saving " + format.Percent(float64(done)/float64(total))
	default:
		return "saving"
	}
}

func modelText(j jobs.Job) string {
	if j.Draft.ModelName != "" {
		return j.Draft.Model + " " + j.Draft.ModelName
	}
	return j.Draft.Model
}

func shortID(id string) string { return id[max(0, len(id)-8):] }

// nextAge is how long the ages in sight stay true.
func (m *Model) nextAge() time.Duration {
	var soonest time.Duration
	now := m.deps.Now()
	for i := m.table.Top(); i < min(m.jobs.len(), m.table.Top()+m.table.Visible()); i++ {
		j, _ := m.jobs.at(i)
		if d := format.NextChange(now.Sub(j.CreatedAt)); soonest == 0 || d < soonest {
			soonest = d
		}
	}
	return soonest
}

// View implements screen.Screen.
func (m *Model) View() string {
	if m.fresh {
		return m.frame
	}
	m.frame, m.fresh = m.draw(), true
	return m.frame
}

func (m *Model) draw() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	var frame string
	switch {
	case m.wide():
		frame = widgets.JoinColumns(0, m.tableBox(), m.detailBox(m.detailWidth(), m.h))
	case m.opened && m.current != "":
		frame = m.detailBox(m.w, m.h)
	default:
		frame = m.tableBox()
	}
	if m.question != noQuestion {
		frame, _ = zone.Scan(frame)
		frame = overlay.Dialog(m.st, frame, m.dialog())
	}
	return frame
}

func (m *Model) dialog() string {
	if m.question != askAdopt {
		return m.confirm.View(m.st, min(m.w-4, 64), m.h-2)
	}
	w := min(m.w-4, 64)
	iw, _ := widgets.Inner(w, 5)
	m.adopt.Width = max(4, iw-len(m.adopt.Prompt)-2)
	text := m.adopt.View() + "\n\n" + m.st.Muted.Render("enter adopts the task for this job · esc leaves it")
	return widgets.Box(m.st, "Adopt a task", "", text, w, 5, true)
}

func (m *Model) tableBox() string {
	w, h := m.tableSize()
	iw, _ := widgets.Inner(w, h)
	title := "Jobs"
	right := ""
	if n := len(m.marked); n > 0 {
		right = fmt.Sprintf("%d marked", n)
	}
	footer := ""
	if n := m.jobs.len(); n > 0 {
		more := ""
		if m.next != "" {
			more = "+"
		}
		footer = fmt.Sprintf("%d of %s%s", m.table.Cursor()+1, format.Count(n), more)
	}
	return widgets.BoxFooter(m.st, title, right, footer, m.filterLine(iw)+"\n"+m.tableBody(), w, h, m.focus == tablePane)
}

func (m *Model) tableBody() string {
	if m.jobs.len() > 0 {
		return m.table.View(m.st, m.focus == tablePane)
	}
	st := m.st
	switch {
	case m.err != nil:
		return "\n" + st.Bad.Render("✗ the history can not be read") + "\n" + client.Clean(m.err.Error()) + "\n\n" + st.Muted.Render("f5 tries again")
	case !m.loaded || m.loading:
		return "\n" + st.Muted.Render("reading the history …")
	case !plain(m.query):
		return "\n" + st.Muted.Render("no job matches the filter; esc clears it")
	default:
		return "\n" + st.Strong.Render("Nothing was submitted yet.") + "\n\n" +
			st.Muted.Render("Go to Compose ("+m.deps.Keys.Keys("app.screen.1")+"), write a prompt, and submit it with "+m.deps.Keys.Keys("compose.submit")+".")
	}
}

func (m *Model) filterLine(w int) string {
	st := m.st
	switch {
	case m.filtering:
		m.filter.Width = max(4, w-4)
		line := m.filter.View()
		if m.filterErr != "" {
			line = widgets.Spread(widgets.Truncate(line, w/2), st.Bad.Render(client.CleanLine(m.filterErr)), w)
		}
		return zone.Mark("filter", widgets.Line(line, w))
	case m.filter.Value() != "":
		return zone.Mark("filter", widgets.Line(st.Accent.Render("/ ")+client.CleanLine(m.filter.Value())+st.Faint.Render("  esc clears"), w))
	default:
		return zone.Mark("filter", widgets.Line(st.Faint.Render("/ filter"), w))
	}
}
