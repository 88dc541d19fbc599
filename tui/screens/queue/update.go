package queue

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	m.fresh = false
	cmd := m.handle(msg)
	return m, tea.Batch(cmd, m.follow())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		return m.do(msg.ID)
	case screen.JobsMsg:
		m.news()
	case screen.ShowJob:
		return m.showJob(msg.JobID)
	case pageMsg:
		return m.page(msg)
	case detailMsg:
		m.detailCame(msg)
	case jobMsg:
		return m.jobCame(msg)
	case doneMsg:
		return m.done(msg)
	case filterTick:
		if msg.gen == m.gen {
			return m.reload()
		}
	case preview.ReadyMsg:
		if msg.Key == m.wanted {
			m.got, m.havePict = msg, true
		}
	}
	return nil
}

// news takes over what changed. While a filter is on, new jobs stay out until it is
// asked again: whether they belong into it is the history's to say.
func (m *Model) news() {
	var changed []jobs.Job
	changed, m.seq = m.deps.Jobs.Changes(m.seq)
	for _, j := range changed {
		if _, known := m.jobs.byID[j.ID]; !known && (!plain(m.query) || !m.loaded) {
			continue
		}
		m.jobs.put(j, true)
		if j.ID == m.current {
			m.detail.Job = j
			m.again = true
		}
	}
	if len(changed) > 0 {
		m.rows()
	}
}

// rows has the table see the list as it is now; the cursor stays on its job.
func (m *Model) rows() {
	m.table.SetSource(m.source())
	if i, ok := m.jobs.index(m.current); ok {
		m.table.SetCursor(i)
	}
}

// page takes over a page of the history.
func (m *Model) page(msg pageMsg) tea.Cmd {
	if msg.gen != m.gen {
		return nil
	}
	m.loading = false
	m.err = msg.err
	if msg.err != nil {
		return nil
	}
	if msg.first && !m.loaded {
		m.loaded = true
		m.jobs = newList()
	}
	for _, j := range msg.page.Jobs {
		m.jobs.put(j, false)
	}
	m.next = msg.page.Next
	m.rows()
	m.news()
	return nil
}

// reload asks for the newest page of the filter as it is now; what is there stays until
// the answer comes.
func (m *Model) reload() tea.Cmd {
	m.gen++
	m.loading, m.loaded, m.err = true, false, nil
	return load(m.deps.Jobs, m.query, m.gen)
}

// follow brings what the cursor asks for: the next page near the end, the detail of the
// job under it, and its picture.
func (m *Model) follow() tea.Cmd {
	var cmds []tea.Cmd
	at := m.table.Cursor()
	if m.next != "" && !m.loading && m.err == nil && at >= 0 && at+2*m.table.Visible() >= m.jobs.len() {
		m.loading = true
		q := m.query
		q.Before = m.next
		cmds = append(cmds, load(m.deps.Jobs, q, m.gen))
	}
	j, ok := m.jobs.at(at)
	if !ok {
		m.current, m.have = "", false
		return tea.Batch(cmds...)
	}
	if j.ID != m.current {
		m.current, m.detail, m.have, m.detailErr = j.ID, jobs.Detail{Job: j}, false, nil
		m.asked, m.again = false, true
		m.scroll.SetTop(0)
		m.havePict, m.wanted = false, preview.Key{}
	}
	if m.detailShows() {
		if m.again && !m.asked {
			m.asked, m.again = true, false
			cmds = append(cmds, detail(m.deps.Jobs, m.current))
		}
		cmds = append(cmds, m.loadPicture())
	}
	m.fillDetail()
	return tea.Batch(cmds...)
}

func (m *Model) detailCame(msg detailMsg) {
	if msg.id != m.current {
		return
	}
	m.asked, m.detailErr = false, msg.err
	if msg.err != nil {
		return
	}
	live := m.detail.Job
	m.detail, m.have = msg.detail, true
	if live.Seq > m.detail.Job.Seq {
		m.detail.Job = live // news are newer than the history's answer
	}
}

// showJob puts the cursor on a job, wherever it is in the history.
func (m *Model) showJob(id string) tea.Cmd {
	m.opened, m.focus = true, tablePane
	if i, ok := m.jobs.index(id); ok {
		m.table.SetCursor(i)
		return nil
	}
	return get(m.deps.Jobs, id)
}

func (m *Model) jobCame(msg jobMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the job can not be shown: "+msg.err.Error())
	}
	m.jobs.put(msg.job, false)
	m.current = msg.job.ID
	m.rows()
	m.current = "" // so that follow takes it for a new one
	return nil
}

func (m *Model) done(msg doneMsg) tea.Cmd {
	var cmds []tea.Cmd
	if msg.failed != "" {
		cmds = append(cmds, screen.Toast(screen.Bad, client.CleanLine(msg.failed)))
	} else if msg.what != "" {
		cmds = append(cmds, screen.Toast(screen.Good, msg.what))
	}
	if msg.show != "" {
		cmds = append(cmds, m.showJob(msg.show))
	}
	m.again = true
	return tea.Batch(cmds...)
}

// picked are the marked jobs, or the one under the cursor.
func (m *Model) picked() []string {
	var out []string
	for id := range m.marked {
		out = append(out, id)
	}
	slices.Sort(out)
	if len(out) == 0 && m.current != "" {
		out = []string{m.current}
	}
	return out
}
