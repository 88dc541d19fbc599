package queue

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
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
	switch shows := !m.zoom.On() && m.tableShows(); {
	case shows && m.gallery:
		cmds = append(cmds, m.list.load(!m.detail.picture.off))
	case shows:
		m.list.leaveGallery()
		cmds = append(cmds, m.list.loadRows())
	default:
		m.list.leave()
	}
	if m.pulse {
		cmds = append(cmds, m.heart.Ask(m.now()))
	}
	cmds = append(cmds, m.zoom.Load())
	if m.list.jobs.loaded { // the numbers beside the tabs do not keep the first page waiting
		cmds = append(cmds, m.list.views.Count(m.now()))
	}
	if m.zoom.waits() {
		cmds = append(cmds, m.list.jobs.readOn())
	}
	cmds = append(cmds, m.list.readAround())
	cmds = append(cmds, m.detail.lag.Arm())
	if j := m.list.job(); j != nil && m.detailShows() && m.detail.lag.Job() == nil {
		cmds = append(cmds, m.detail.ask(j), m.detail.loadPicture(j))
		m.detail.fill(j)
	}
	return tea.Batch(cmds...)
}

// settle makes the job under the cursor the current one.
func (m *Model) settle() {
	m.list.settle()
	m.zoom.follow()
	if !m.detail.lag.Behind(m.list.jobs.Get(m.detail.current), m.list.current) {
		m.detail.follow(m.list.current)
	}
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
	m.hidden = true
	m.list.jobs.stay()
	m.list.leave()
	m.detail.picture.hide()
	m.zoom.hide()
}

// NextTick implements screen.WantTick: how long the ages in sight, and the time left, stay true, 0
// when there are none.
func (m *Model) NextTick() time.Duration {
	next := sooner(sooner(m.list.nextAge(), m.nextForecast()), m.detail.nextAge(m.list.job()))
	if !m.hidden {
		next = sooner(next, m.list.views.Wait(m.now()))
	}
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

// inDetail is the job that the detail shows, nil for none.
func inDetail(m *Model) *jobs.Job {
	if j := m.detail.lag.Job(); j != nil {
		return j
	}
	return m.list.job()
}
