package queue

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// follow loads what the cursor calls for: the next page near the end, the detail of the job under
// it if a section shows that, and its picture. A hidden screen loads nothing.
func (m *Model) follow() tea.Cmd {
	m.settle()
	m.list.reveal()
	cmds := []tea.Cmd{m.keep.Keep(m.list.look())}
	if m.film.Active() {
		cmds = append(cmds, m.film.follow(m.kit, m.stage(), !m.hidden && !m.away))
	}
	if m.hidden {
		return tea.Batch(cmds...)
	}
	if m.gallery && !m.zoom.On() && m.tableShows() {
		cmds = append(cmds, m.list.load(!m.detail.picture.off))
	} else {
		m.list.leave()
	}
	if m.pulse {
		cmds = append(cmds, m.heart.Ask(m.now()))
	}
	cmds = append(cmds, m.zoom.Load(), m.list.views.Count(m.now()))
	if m.zoom.waits() || m.list.nearEnd() {
		cmds = append(cmds, m.list.jobs.readOn())
	}
	if j := m.list.job(); j != nil && m.detailShows() {
		cmds = append(cmds, m.detail.ask(j), m.detail.loadPicture(j))
		m.detail.fill(j)
	}
	return tea.Batch(cmds...)
}

// settle makes the job under the cursor the current one.
func (m *Model) settle() {
	m.list.settle()
	m.zoom.follow()
	m.detail.follow(m.list.current)
}

// again retries what could not be read while the history was away.
func (m *Model) again() tea.Cmd {
	m.list.cards.words.Again()
	m.detail.again()
	if m.list.jobs.err == nil {
		return nil
	}
	return m.reload()
}

// hide stops what nobody sees.
func (m *Model) hide() {
	m.hidden, m.list.jobs.toEnd = true, 0
	m.list.leave()
	m.detail.picture.hide()
	m.zoom.hide()
}

// NextTick implements screen.WantTick: how long the ages in sight, and the time left, stay true, 0
// when there are none.
func (m *Model) NextTick() time.Duration {
	next := sooner(sooner(m.list.nextAge(), m.nextForecast()), m.detail.nextAge(m.list.job()))
	if m.pulse && !m.hidden && m.heart.Stale() {
		next = sooner(next, max(time.Millisecond, m.heart.Wait(m.now())))
	}
	return next
}

// nextForecast is how long the time left, as shown, stays true, 0 for always.
func (m *Model) nextForecast() time.Duration {
	soonest := m.list.nextForecast()
	if j := m.list.job(); j != nil && !m.hidden && m.detail.tellsForecast() {
		soonest = sooner(soonest, m.lasts(j))
	}
	return soonest
}
