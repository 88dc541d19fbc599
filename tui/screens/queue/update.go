package queue

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/firstwords"
	"darkroom/tui/screens/queue/internal/lag"
	"darkroom/tui/screens/queue/internal/looks"
	"darkroom/tui/screens/queue/internal/panel"
	"darkroom/tui/screens/queue/internal/thumbs"
	"darkroom/tui/screens/queue/internal/views"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	away := !m.scene.Flow.Away.IsZero()
	if _, ok := msg.(screen.JobsMsg); ok && !m.news() {
		return m, nil
	}
	cmd, mine, changed := m.film.Handle(msg)
	if mine && !changed {
		return m, cmd
	}
	m.fresh = false
	if mine {
		cmd = tea.Batch(cmd, m.film.failed(m.kit))
	} else {
		cmd = m.handle(msg)
	}
	if away && m.scene.Flow.Away.IsZero() {
		cmd = tea.Batch(cmd, m.again())
	}
	return m, tea.Batch(cmd, m.follow(), m.refused.check(m.choice, m.off))
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	if cmd, ok := m.outside.Handle(msg); ok {
		m.detail.dirty = true
		return cmd
	}
	cmd, taken := m.stack.Update(msg)
	if taken {
		m.list.jobs.stay()
		return cmd
	}
	return tea.Batch(cmd, m.handleInput(msg))
}

// handleInput handles what a person does, and the messages of the shell.
func (m *Model) handleInput(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		if m.stack.Top() != nil {
			return screen.Toast(screen.Warn, "answer the question first")
		}
		return m.do(msg.ID)
	case screen.ShowJob:
		return m.showJob(msg.JobID)
	case screen.ShowGroup:
		return m.showGroup(msg.Group)
	case screen.HiddenMsg:
		m.hide()
	case screen.AwayMsg:
		m.away = msg.Away
	case screen.ShownMsg:
		m.news() // what came before it shows puts the newest under the cursor
		m.hidden = false
		m.detail.dirty = true // times may be written in another way by now
		return m.outside.Look()
	case screen.TickMsg:
		m.detail.dirty = m.detail.dirty || m.detail.tellsForecast() || m.times.Style() == human.Relative
	default:
		return m.handleAnswer(msg)
	}
	return nil
}

// handleAnswer handles the results of commands.
func (m *Model) handleAnswer(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pageMsg:
		m.takePage(msg)
		return tea.Batch(m.zoom.seekOn(), goOn(m))
	case detailMsg:
		if m.detail.take(msg, m.list.current) && m.list.jobs.Get(msg.id) != nil {
			m.list.jobs.Put(&msg.detail.Job)
		}
	case wholeMsg:
		return m.takeWhole(msg)
	case jobMsg:
		return m.takeJob(msg)
	case treeMsg:
		if m.detail.tree.take(msg, m.list.current) {
			m.detail.dirty = true
		}
	case childMsg:
		return m.takeChild(msg)
	case doneMsg:
		return m.takeDone(msg)
	case rejectedMsg:
		return takeRejected(m, msg)
	case adoptMsg:
		return m.takeRefusedID(msg)
	case preview.ReadyMsg:
		m.list.grid.Take(msg)
		m.list.thumbs.Take(msg)
		m.zoom.Take(msg)
		m.detail.dirty = m.detail.picture.Take(msg) || m.detail.dirty
	default:
		return handleAround(m, msg)
	}
	return nil
}

// handleAround handles the results of commands that are about no job: views, looks, the pulse.
func handleAround(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case firstwords.Answer:
		m.list.cards.words.Take(msg)
	case lag.Msg:
		m.detail.lag.Rested()
	case panel.Took:
		m.heart.Take(msg, m.now())
	case views.Loaded:
		return takeViews(m, msg)
	case views.Counted:
		m.list.views.TakeCounts(msg)
	case looks.Loaded:
		return m.takeLook(msg)
	case looks.Saved:
		if msg.Err != nil {
			return screen.Toast(screen.Warn, "it will be forgotten at the end: "+client.CleanLine(msg.Err.Error()))
		}
	}
	return nil
}

// news takes what changed, and reports whether any of it shows.
func (m *Model) news() bool {
	changed, seq := m.deps.Jobs.Changes(m.list.jobs.seq)
	m.list.jobs.seq = seq
	touched := m.takeFlow()
	for i := range changed {
		j := &changed[i]
		if !m.list.jobs.take(j, m.list.current) {
			continue
		}
		touched = true
		if m.detail.section == chainTree {
			m.detail.tree.touch(j)
		}
		if j.ID == m.list.current {
			m.detail.touch()
		}
	}
	if len(changed) > 0 {
		m.list.views.News()
		m.heart.News()
	}
	if touched {
		m.list.refresh()
	}
	return touched
}

// takeFlow notes what holds up the work, and reports whether that changed.
func (m *Model) takeFlow() bool {
	f := m.deps.Jobs.Counts().Flow
	if f == m.scene.Flow {
		return false
	}
	m.scene.Flow = f
	m.heart.News()
	m.detail.dirty, m.fresh = true, false // it tells what holds the job
	return true
}

// reload requests the newest page of the current filter.
func (m *Model) reload() tea.Cmd {
	m.list.cards.words.Again()
	if q, ok := m.list.filter.Query(); ok {
		m.list.jobs.query = m.list.jobs.wanted(q) // its times are those of now
	}
	cmd := m.list.jobs.reload()
	m.layout()
	return cmd
}

// takePage takes over a page of the history.
func (m *Model) takePage(msg pageMsg) {
	h := &m.list.jobs
	if msg.gen != h.gen {
		return
	}
	went, early := h.way, h.early
	h.loading, h.err, h.way, h.going, h.early = false, msg.err, nowhere, false, false
	m.layout()
	if msg.err != nil {
		h.marking = false
		h.stay()
		return
	}
	top, at := m.list.table.Top(), m.list.table.Model.Cursor()
	switch back := msg.query.Sort.Back; {
	case back:
		h.addBack(msg.page, msg.query)
	case msg.query.Before == "":
		m.detail.touch()
		// Whoever has moved on among what was found at once, stays there.
		if h.replace(msg.query, went == toTop) && (!early || at <= 0) {
			fromTop(m)
		}
		h.add(msg.page)
	default:
		h.add(msg.page)
	}
	if h.marking && (!h.more() && !h.before() || h.Len() >= maxMarked) {
		h.markAll()
	}
	m.list.refresh()
	if msg.query.Sort.Back && msg.query.Before != "" { // the rows stay in place
		m.list.table.SetTop(top + m.list.table.Model.Cursor() - at)
	}
	if m.list.arrive(went) {
		m.settle() // what waits means the job that it has come to
	}
	h.seq = h.since // what changed while the page was read may not be in it
	m.news()
}

// showJob puts the cursor on a job, wherever it is in the history.
func (m *Model) showJob(id string) tea.Cmd {
	m.stack.Clear()
	m.list.jobs.stay()
	m.list.filter.End()
	m.zoom.close()
	m.focus = detailPane
	if m.wide() && !m.gallery {
		m.focus = tablePane
	}
	m.layout()
	if m.list.seek(id) {
		if m.list.jobs.loading {
			m.list.jobs.guest = id // the page that is on its way may be of another filter
		}
		return nil
	}
	return get(m.deps.Jobs, id)
}

// showGroup shows the jobs that were submitted together.
func (m *Model) showGroup(group string) tea.Cmd {
	m.stack.Clear()
	m.list.jobs.stay()
	m.focus = tablePane
	m.list.filter.End()
	m.list.filter.SetText("group:" + group)
	return m.setFilter()
}

// jump goes to a job and keeps the pane that has the focus.
func (m *Model) jump(id string) tea.Cmd {
	focus := m.focus
	cmd := m.showJob(id)
	m.setFocus(focus)
	return cmd
}

func (m *Model) takeJob(msg jobMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the job cannot be shown: "+client.CleanLine(msg.err.Error()))
	}
	m.list.jobs.invite(&msg.job)
	m.list.refresh()
	m.list.seek(msg.job.ID)
	return nil
}

func (m *Model) takeChild(msg childMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return screen.Toast(screen.Bad, "the history could not be read: "+client.CleanLine(msg.err.Error()))
	case msg.id == "":
		return screen.Toast(screen.Info, "no job was made from this one yet")
	}
	return m.jump(msg.id)
}

func (m *Model) takeDone(msg doneMsg) tea.Cmd {
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

// takeRefusedID asks whether to adopt an id that the gateway does not confirm.
func (m *Model) takeRefusedID(msg adoptMsg) tea.Cmd {
	if errors.Is(msg.err, jobs.ErrState) || m.Capturing() || m.hidden {
		return m.takeDone(doneMsg{failed: "not adopted: " + msg.err.Error()})
	}
	return m.stack.Open(insistQuestion(msg, m.list.jobs.Get(msg.id)))
}

// choice is what actions apply to: the job under the cursor, the marked ones, and the result that
// is looked at; and whether the screen is seen.
func (m *Model) choice() string {
	var marked []string
	if len(m.list.jobs.marked) > 0 {
		marked = m.list.jobs.picked("")
	} else if m.list.onHead() {
		marked = m.list.picked()
	}
	return fmt.Sprint(m.hidden, m.list.current, m.zoom.On(), m.zoom.At().File, marked)
}

// refusal is the toast about an action that could not be done. It goes when it is no longer true,
// or when the choice changes.
type refusal struct{ id, text, choice string }

// tell says why an action cannot be done, replacing the toast before.
func (r *refusal) tell(id, off, choice string) tea.Cmd {
	var before tea.Cmd
	if r.text != "" && r.text != off {
		before = screen.Untoast(r.text)
	}
	*r = refusal{id, off, choice}
	return tea.Batch(before, screen.Toast(screen.Warn, off))
}

// check removes the toast when it is no longer true.
func (r *refusal) check(choice func() string, off func(id string) string) tea.Cmd {
	if r.text == "" || choice() == r.choice && off(r.id) == r.text {
		return nil
	}
	text := r.text
	*r = refusal{}
	return screen.Untoast(text)
}

// takeLook applies the look that was kept, unless the person has chosen another one meanwhile.
func (m *Model) takeLook(msg looks.Loaded) tea.Cmd {
	if msg.Err != nil {
		return screen.Toast(screen.Warn, "the last view of the jobs could not be read: "+client.CleanLine(msg.Err.Error()))
	}
	if !msg.Kept || m.list.look() != usualLook() {
		return nil
	}
	m.gallery = msg.Look.Gallery
	m.list.grid.SetWidth(msg.Look.Cells)
	m.list.thumbs.Chosen = max(0, min(msg.Look.Rows, thumbs.Most))
	m.list.refresh()
	m.layout()
	s := readSort(msg.Look.Sort)
	m.list.jobs.sort = s
	m.keep.Set(m.list.look())
	if s == (jobs.Sort{}) {
		return nil
	}
	return setSort(m, s)
}
