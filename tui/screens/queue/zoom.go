package queue

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/gallery"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// zoom shows one result on the whole screen: of the job under the cursor, which it moves.
type zoom struct {
	gallery.Zoom
	seeking bool // looking on for a result in pages that are being read
	pages   int  // how many were read for it
}

const maxSeek = 10 // pages

// openZoom shows the first result of the current job.
func (m *Model) openZoom() {
	m.zoom.Open()
	m.layout()
}

func (m *Model) closeZoom() {
	if m.zoom.Close() {
		m.zoom.seeking = false
		m.layout()
	}
}

// goTo shows a result of any job of the list.
func (m *Model) goTo(to gallery.Place) {
	i, ok := m.jobs.index(to.ID)
	switch {
	case !ok:
	case to.ID == m.current:
		m.zoom.Show(to)
	default:
		m.table.SetCursor(i)
		m.settle()
		m.zoom.SetFile(to.File)
	}
}

// step shows the next result, or the one before: of the job, then of the jobs that the
// filter selects.
func (m *Model) step(by int) tea.Cmd {
	to, ok := m.zoom.Step(by, m.table.Cursor())
	switch {
	case ok:
		m.goTo(to)
		return nil
	case by < 0:
		return screen.Toast(screen.Info, "this is the newest result")
	case !m.jobs.more():
		return screen.Toast(screen.Info, "this is the last result")
	}
	m.zoom.seeking, m.zoom.pages = true, 0 // follow reads on
	return nil
}

// seekOn looks for the next result in a page that has just come.
func (m *Model) seekOn() tea.Cmd {
	z := &m.zoom
	if !z.seeking || m.jobs.loading {
		return nil
	}
	pages := z.pages + 1
	z.seeking = false
	cmd := m.step(1)
	if z.pages = pages; z.seeking && pages >= maxSeek {
		z.seeking = false
		return screen.Toast(screen.Info, fmt.Sprintf("no further result among the next %d jobs", maxSeek*pageSize))
	}
	return cmd
}

// flip changes places with the other result: of two marked jobs, else the one that was
// looked at before.
func (m *Model) flip() {
	to, _ := m.other()
	if two := m.jobs.pair(); two != nil && !m.zoom.On() {
		m.goTo(gallery.Place{ID: two[1]})
		to = gallery.Place{ID: two[0]}
	}
	m.zoom.Flip()
	m.goTo(to)
	m.layout()
}

// other is what a flip shows, or why there is nothing.
func (m *Model) other() (to gallery.Place, off string) {
	if two := m.jobs.pair(); two != nil && !m.zoom.On() {
		return gallery.Place{ID: two[0]}, ""
	}
	to, ok := m.zoom.Other()
	switch {
	case !ok:
		return to, "mark two jobs with results, or look at two one after the other: they are flipped then"
	case len(m.job().Results()) == 0:
		return to, "this job has no result on the disk to flip with"
	}
	return to, ""
}

// zoomView is the whole screen while one result is looked at.
func (m *Model) zoomView() string {
	j := m.job()
	c := gallery.Caption{Title: m.zoomTitle(j)}
	if j != nil {
		c.Card = func(w, h int) []string { return m.cards.card(j, w, h) }
	}
	if m.zoomPlays() {
		c.Film = m.film.Lines()
	}
	to, off := m.other()
	if c.Why = off; off == "" {
		c.Other = m.nameOf(to) + " " + promptOf(m.jobs.get(to.ID), 2*m.w)
	}
	return m.zoom.View(c)
}

// zoomTitle says what is looked at, how closely, and where it stands among the others.
func (m *Model) zoomTitle(j *jobs.Job) string {
	if j == nil {
		return widgets.Line("", m.w)
	}
	right := m.countText() + " "
	text := m.zoom.ScaleText()
	if m.zoomPlays() {
		text = m.film.Text()
	}
	if text != "" {
		right = text + " · " + right
	}
	if m.zoom.seeking {
		right = "reading … · " + right
	}
	right = m.ink.muted.Text(widgets.Truncate(right, max(0, m.w-20)))
	head := " "
	if m.jobs.marked[j.ID] {
		head += m.ink.marked.Text("•") + " "
	}
	if j.Starred() {
		head += m.ink.warn.Text(starSign) + " "
	}
	head += m.ink.accent.Text(m.nameOf(m.zoom.At()))
	room := max(0, m.w-widgets.Width(right)-1)
	head += " " + m.ink.text.Text(promptOf(j, 2*m.w))
	return widgets.Line(widgets.Spread(widgets.Truncate(head, room), right, m.w), m.w)
}

// countText is where the cursor is among the jobs.
func (m *Model) countText() string {
	more := ""
	if m.jobs.next != "" {
		more = "+"
	}
	return fmt.Sprintf("%s of %s%s", format.Count(m.table.Cursor()+1), format.Count(m.jobs.len()), more)
}

// nameOf is a result as people know it.
func (m *Model) nameOf(p gallery.Place) string {
	name := shortID(p.ID)
	j := m.jobs.get(p.ID)
	if j == nil {
		return name
	}
	name += " " + modelText(j)
	if n := len(j.Results()); p.File < n && n > 1 {
		name += fmt.Sprintf(" · result %d of %d", p.File+1, n)
	}
	return name
}

func promptOf(j *jobs.Job, n int) string {
	if j == nil {
		return ""
	}
	return oneLine(j.Draft.Prompt, n)
}
