package queue

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/gallery"
	"darkroom/tui/widgets/format"
)

// follow brings what the cursor asks for: the next page near the end, the detail of the
// job under it where a section shows that, and its picture. A hidden screen asks for
// nothing.
func (m *Model) follow() tea.Cmd {
	m.settle()
	m.reveal()
	cmds := []tea.Cmd{m.followFilm(), m.keep.keep(m.currentLook())}
	if m.hidden {
		return tea.Batch(cmds...)
	}
	cmds = append(cmds, m.loadCells(), m.zoom.Load())
	_, visible := m.sight()
	seeks := m.zoom.seeking && m.jobs.more() && !m.jobs.loading
	if seeks || m.jobs.nearEnd(m.current, m.table.Cursor(), visible) {
		cmds = append(cmds, m.jobs.readOn())
	}
	if j := m.job(); j != nil && m.detailShows() {
		cmds = append(cmds, m.detail.ask(j), m.detail.loadPicture(j))
		m.fillDetail()
	}
	return tea.Batch(cmds...)
}

func (m *Model) followFilm() tea.Cmd {
	if !m.film.Active() {
		return nil
	}
	return m.film.follow(m.kit, m.stage(), !m.hidden && !m.away)
}

// settle takes the job under the cursor for the current one.
func (m *Model) settle() {
	j := m.jobs.at(m.table.Cursor())
	if j == nil {
		m.current = ""
		m.zoom.Show(gallery.Place{})
		return
	}
	if j.ID == m.current {
		return
	}
	m.current = j.ID
	m.zoom.Show(gallery.Place{ID: j.ID})
	if m.jobs.guest != "" && m.jobs.guest != m.current {
		m.jobs.dismiss("")
		m.rows()
	}
	m.detail.change()
}

// reveal scrolls the gallery so that the cursor is in sight.
func (m *Model) reveal() {
	if m.gallery {
		m.sizeGrid()
		m.grid.Reveal(m.table.Cursor())
	}
}

func (m *Model) sizeGrid() { m.grid.SetSize(m.tableRoom(m.headLines())) }

// sight are the first job that shows in the list or the gallery, and how many there is
// room for.
func (m *Model) sight() (first, n int) {
	if m.gallery {
		return m.grid.Sight()
	}
	return m.table.Top(), m.table.Visible()
}

// loadCells asks for the pictures and the texts in sight, and gives them up when nobody sees
// them.
func (m *Model) loadCells() tea.Cmd {
	if !m.gallery || m.hidden || m.zoom.On() || !m.tableShows() {
		m.leaveCells()
		return nil
	}
	var pictures tea.Cmd
	if m.detail.picture.off {
		m.grid.Drop()
	} else {
		pictures = m.grid.Load()
	}
	first, n := m.sight()
	return tea.Batch(pictures, m.cards.words.ask(&m.jobs, first, n))
}

func (m *Model) leaveCells() {
	m.grid.Drop()
	m.cards.words.again()
}

// again reads what could not be read while the history was away.
func (m *Model) again() tea.Cmd {
	m.cards.words.again()
	m.detail.again()
	if m.jobs.err == nil {
		return nil
	}
	return m.reload()
}

// hide stops what nobody sees.
func (m *Model) hide() {
	m.hidden, m.jobs.toEnd, m.zoom.seeking = true, 0, false
	m.leaveCells()
	m.detail.picture.hide()
	m.zoom.Hide()
}

// fillDetail makes the lines of the detail, where anybody sees them.
func (m *Model) fillDetail() {
	if !m.detailShows() || m.hidden {
		return
	}
	j := m.job()
	m.detail.fill(j, m.outside.Text(j))
}

// NextTick implements screen.WantTick: how long the ages in sight, and what is left, stay
// true, 0 when there are none.
func (m *Model) NextTick() time.Duration {
	return sooner(m.nextAge(), m.nextForecast())
}

func (m *Model) nextAge() time.Duration {
	if m.hidden || !m.tableShows() || !m.gallery && !m.table.shows(ageColumn) {
		return 0
	}
	now := m.now()
	var soonest time.Duration
	first, n := m.sight()
	for i := first; i < min(m.jobs.len(), first+n); i++ {
		if d := format.NextChange(now.Sub(m.jobs.at(i).CreatedAt)); soonest == 0 || d < soonest {
			soonest = d
		}
	}
	if m.scene.Flow.Until.After(now) && (soonest == 0 || soonest > time.Second) {
		soonest = time.Second
	}
	return soonest
}

// nextForecast is how long what is said in sight of the time that is left stays true, 0
// for always.
func (m *Model) nextForecast() time.Duration {
	if m.hidden {
		return 0
	}
	var soonest time.Duration
	if m.tableShows() {
		first, n := m.sight()
		for i := first; i < min(m.jobs.len(), first+n); i++ {
			soonest = sooner(soonest, m.lasts(m.jobs.at(i)))
		}
	}
	if j := m.job(); j != nil && m.tellsForecast() {
		soonest = sooner(soonest, m.lasts(j))
	}
	return soonest
}

// tellsForecast reports whether the detail shows what is left of the job.
func (m *Model) tellsForecast() bool { return m.detailShows() && m.detail.section == facts }
