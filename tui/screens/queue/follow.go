package queue

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

const previewSlot = "queue.detail"

// follow brings what the cursor asks for: the next page near the end, the detail of the
// job under it where a section shows that, and its picture. A hidden screen asks for
// nothing.
func (m *Model) follow() tea.Cmd {
	m.settle()
	m.place()
	cmds := []tea.Cmd{m.followPlay(), m.keepLook()}
	if m.hidden {
		return tea.Batch(cmds...)
	}
	cmds = append(cmds, m.loadCells(), m.loadZoom())
	if m.nearEnd() {
		m.read.loading, m.read.since = true, m.read.seq
		q := m.read.shown
		q.Before = m.read.next
		cmds = append(cmds, load(m.deps.Jobs, q, m.read.gen))
	}
	if m.current != "" && m.detailShows() {
		cmds = append(cmds, m.askDetail(), m.askChain(), m.loadPicture())
		m.fillDetail()
	}
	return tea.Batch(cmds...)
}

// settle takes the job under the cursor for the current one.
func (m *Model) settle() {
	j := m.jobs.at(m.table.Cursor())
	if j == nil {
		m.current = ""
		return
	}
	if j.ID == m.current {
		return
	}
	from := m.current
	m.current = j.ID
	m.movedOn(from)
	if m.guest != "" && m.guest != m.current {
		m.dismiss("")
		m.rows()
	}
	m.scroll.SetTop(0)
	m.detail.dirty, m.detail.stale = true, true
	m.picture.have, m.picture.wanted = false, preview.Key{}
}

// dismiss lets the guest go, now that the cursor is on another job; next is the guest to
// come.
func (m *Model) dismiss(next string) {
	j := m.jobs.get(m.guest)
	if j != nil && j.ID != next && !m.marked[j.ID] && !m.belongs(j) {
		m.jobs.remove(j.ID)
	}
	m.guest = ""
}

// nearEnd reports whether it is time to read the next page. A job that is older than all
// that was read stands below the rest: to be on it is no wish for the pages between.
func (m *Model) nearEnd() bool {
	r := &m.read
	if r.next == "" || r.loading || r.err != nil {
		return false
	}
	if m.jobs.len() < m.toEnd || m.zoom.seek != 0 {
		return true
	}
	if m.current < r.oldest {
		return false
	}
	_, visible := m.sight()
	return m.table.Cursor()+2*max(1, visible) >= m.jobs.len()
}

// askDetail asks for what only the history knows of the current job, where that shows. One question is on
// its way at a time, however fast the cursor or the job is.
func (m *Model) askDetail() tea.Cmd {
	d := &m.detail
	if m.section == chainTree || m.section == facts && !m.wordsWanted(m.job()) || d.asking != "" || !d.stale {
		return nil
	}
	d.asking, d.stale = m.current, false
	return detail(m.deps.Jobs, m.current)
}

func (m *Model) detailCame(msg detailMsg) {
	d := &m.detail
	if msg.id == d.asking {
		d.asking = ""
	}
	if msg.id != m.current {
		d.stale = true // the cursor has moved on since: ask for the job that it is on
		return
	}
	d.id, d.err, d.dirty = msg.id, msg.err, true
	if msg.err != nil {
		d.got = jobs.Detail{}
		return
	}
	d.got = msg.detail
	if m.jobs.get(msg.id) != nil {
		m.jobs.put(&msg.detail.Job)
	}
}

// again reads what could not be read while the history was away.
func (m *Model) again() tea.Cmd {
	clear(m.gallery.words.failed)
	if m.detail.err != nil {
		m.detail.stale = true
	}
	if m.read.err == nil {
		return nil
	}
	return m.reload()
}

// hide stops what nobody sees.
func (m *Model) hide() {
	m.hidden, m.toEnd, m.zoom.seek = true, 0, 0
	m.leaveCells()
	if m.deps.Previews != nil && !m.picture.have {
		m.deps.Previews.Cancel(previewSlot)
		m.picture.wanted = preview.Key{}
	}
	if m.deps.Previews != nil && !m.zoom.have {
		m.deps.Previews.Cancel(zoomSlot)
		m.zoom.wanted = preview.Key{}
	}
}

// loadPicture asks for the preview when it is another one than the last.
func (m *Model) loadPicture() tea.Cmd {
	h := m.pictureHeight()
	if h == 0 {
		return nil
	}
	iw, _ := widgets.Inner(m.detailWidth(), m.h)
	f := m.job().Face()
	r := preview.Request{Slot: previewSlot, Path: f.Path, Poster: f.Poster, Spare: f.Spare, Width: iw, Height: h, Mode: m.deps.Previews.Mode(m.st)}
	if r.Key() == m.picture.wanted && !m.deps.Previews.Lost(r.Key()) {
		return nil
	}
	m.picture.wanted = r.Key()
	m.picture.got, m.picture.have = m.deps.Previews.Peek(r)
	m.detail.dirty = true
	return m.deps.Previews.Load(r)
}
