package queue

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	away := !m.flow.Away.IsZero()
	if _, ok := msg.(screen.JobsMsg); ok && !m.news() {
		return m, nil
	}
	cmd, mine, changed := m.play.Handle(msg)
	if mine && !changed {
		return m, cmd
	}
	m.fresh = false
	if mine {
		cmd = tea.Batch(cmd, m.playFailed())
	} else {
		cmd = m.handle(msg)
	}
	if away && m.flow.Away.IsZero() {
		cmd = tea.Batch(cmd, m.again())
	}
	return m, tea.Batch(cmd, m.follow(), m.takeBack())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	if cmd, ok := m.outside.Handle(msg); ok {
		m.detail.dirty = true
		return cmd
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		if m.dialog.question != noQuestion {
			return screen.Toast(screen.Warn, "answer the question first")
		}
		return m.do(msg.ID)
	case screen.ShowJob:
		return m.showJob(msg.JobID)
	case screen.ShowGroup:
		m.closeDialog()
		m.toEnd, m.focus, m.filtering = 0, tablePane, false
		m.filter.Blur()
		m.filter.SetValue("group:" + msg.Group)
		return m.setFilter()
	case screen.HiddenMsg:
		m.hide()
	case screen.AwayMsg:
		m.away = msg.Away
	case screen.ShownMsg:
		m.news() // what came before it shows puts the newest under the cursor
		m.hidden = false
		return m.outside.Look()
	case pageMsg:
		m.page(msg)
		return m.seekOn()
	case detailMsg:
		m.detailCame(msg)
	case wholeMsg:
		return m.wholeCame(msg)
	case jobMsg:
		return m.jobCame(msg)
	case chainMsg:
		m.chainCame(msg)
	case childMsg:
		return m.childCame(msg)
	case doneMsg:
		return m.done(msg)
	case wordsMsg:
		m.wordsCame(msg)
	case lookMsg:
		return m.lookCame(msg)
	case lookSaved:
		return m.lookKept(msg)
	case adoptMsg:
		return m.adoptCame(msg)
	case filterTick:
		if msg.gen == m.read.gen {
			return m.reload()
		}
	case screen.TickMsg:
		m.detail.dirty = m.detail.dirty || m.tellsForecast()
	case preview.ReadyMsg:
		m.cellCame(msg)
		m.zoomCame(msg)
		if msg.Key == m.picture.wanted {
			m.picture.got, m.picture.have = msg, true
			m.detail.dirty = true
		}
	}
	return nil
}

// news takes over what changed, and reports whether anything did that shows. Jobs come
// into the list, and leave it, as the filter says; the one under the cursor and marked
// ones stay until the cursor or the mark goes.
func (m *Model) news() bool {
	changed, seq := m.deps.Jobs.Changes(m.read.seq)
	m.read.seq = seq
	touched := m.flows()
	for i := range changed {
		j := &changed[i]
		known, belongs := m.jobs.get(j.ID) != nil, m.belongs(j)
		switch {
		case belongs:
			m.jobs.put(j)
		case !known:
			continue
		case j.ID == m.current || m.marked[j.ID] || !m.read.loaded:
			m.jobs.put(j)
		default:
			m.jobs.remove(j.ID)
		}
		m.chainTouched(j)
		if j.ID == m.current {
			m.detail.stale, m.detail.dirty = true, true
			if !belongs {
				m.guest = j.ID
			}
		}
		touched = true
	}
	if touched {
		m.rows()
	}
	return touched
}

// belongs reports whether a job is one of those read: the filter selects it, and it is
// not older than the pages that were read. What is older comes with its page.
func (m *Model) belongs(j *jobs.Job) bool {
	r := &m.read
	return r.loaded && (r.next == "" || j.ID >= r.oldest) && (matches(&r.shown, j) || m.foundElse(j))
}

// rows has the table see the list as it is now. The cursor stays on its job, and the job
// on its line of the screen, unless the top of the list shows. On a screen that nobody
// sees the cursor on the first row stays there, on the newest job: whoever submits one
// elsewhere and comes here finds it.
func (m *Model) rows() {
	m.sumUp()
	top, at := m.table.Top(), m.table.Cursor()
	line := m.galleryLine()
	m.table.SetSource(m.source())
	defer func() { m.keepLine(line) }()
	if m.hidden && at == 0 && !m.zoom.on {
		m.table.SetCursor(0)
		m.settle()
		return
	}
	i, ok := m.jobs.index(m.current)
	if !ok {
		return
	}
	m.table.SetCursor(i)
	if top > 0 && i != at {
		m.table.SetTop(top + i - at)
	}
}

// reload asks for the newest page of the filter as it is now; what is there stays until
// the answer comes.
func (m *Model) reload() tea.Cmd {
	r := &m.read
	r.gen++
	r.loading, r.err, r.since = true, nil, r.seq
	clear(m.gallery.words.failed)
	m.layout()
	return load(m.deps.Jobs, r.query, r.gen)
}

// page takes over a page of the history.
func (m *Model) page(msg pageMsg) {
	r := &m.read
	if msg.gen != r.gen {
		return
	}
	r.loading, r.err = false, msg.err
	m.layout()
	if msg.err != nil {
		m.toEnd = 0
		return
	}
	if msg.query.Before == "" {
		m.replace(msg.query)
	}
	for i := range msg.page.Jobs {
		j := &msg.page.Jobs[i]
		m.jobs.put(j)
		r.oldest = j.ID
	}
	r.next = msg.page.Next
	if len(msg.page.Jobs) == 0 {
		r.next = "" // a cursor that leads nowhere is not followed
	}
	if j := m.jobs.get(m.guest); j != nil && m.belongs(j) {
		m.guest = ""
	}
	m.rows()
	if m.toEnd > 0 {
		m.table.SetCursor(m.jobs.len() - 1)
		m.settle()
		if r.next == "" || m.jobs.len() >= m.toEnd {
			m.toEnd = 0
		}
	}
	r.seq = r.since // what changed while the page was read may not be in it
	m.news()
}

// replace begins the list anew, for the newest page of a query.
func (m *Model) replace(q jobs.Query) {
	r := &m.read
	guest := m.jobs.get(m.guest)
	m.jobs = newList()
	if guest != nil {
		m.jobs.put(guest)
	}
	r.shown, r.loaded, r.oldest = q, true, ""
	m.detail.stale, m.detail.dirty = true, true
	if m.guest == "" {
		clear(m.marked)
		m.current = ""
		m.table.SetCursor(0)
	}
}

// showJob puts the cursor on a job, wherever it is in the history.
func (m *Model) showJob(id string) tea.Cmd {
	m.closeDialog()
	m.toEnd = 0
	m.filtering = false
	m.filter.Blur()
	m.closeZoom()
	m.focus = detailPane
	if m.wide() && !m.gallery.on {
		m.focus = tablePane
	}
	m.layout()
	if i, ok := m.jobs.index(id); ok {
		m.table.SetCursor(i)
		if m.read.loading {
			m.guest = id // the page that is on its way may be of another filter
		}
		return nil
	}
	return get(m.deps.Jobs, id)
}

func (m *Model) jobCame(msg jobMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the job cannot be shown: "+client.CleanLine(msg.err.Error()))
	}
	j := &msg.job
	m.jobs.put(j)
	if !m.belongs(j) {
		m.dismiss(j.ID)
		m.guest = j.ID
	}
	m.rows()
	if i, ok := m.jobs.index(j.ID); ok {
		m.table.SetCursor(i)
	}
	return nil
}

func (m *Model) done(msg doneMsg) tea.Cmd {
	var cmds []tea.Cmd
	if msg.what != "" {
		cmds = append(cmds, screen.Toast(screen.Good, msg.what))
	}
	if msg.failed != "" {
		cmds = append(cmds, screen.Toast(screen.Bad, client.CleanLine(msg.failed)))
	}
	if msg.show != "" {
		cmds = append(cmds, m.showJob(msg.show))
	}
	return tea.Batch(cmds...)
}
