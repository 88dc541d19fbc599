package queue

import (
	"reflect"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/panel"
	"darkroom/tui/screens/queue/internal/views"
)

// key handles a key: the filter first, then actions, then moving.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.list.filter.Typing():
		return m.filterKey(msg)
	case msg.Paste:
		return nil // text that nobody asked for is no list of commands
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		cmds = append(cmds, m.command(k))
		m.settle() // the next key means the job on which this one has put the cursor
		if m.Capturing() {
			break // the rest was not meant for what has opened
		}
	}
	return tea.Batch(cmds...)
}

// command does what a single key means. Keys of actions take precedence over those that move,
// except for the space bar, which turns pages in the detail.
func (m *Model) command(k tea.KeyMsg) tea.Cmd {
	name, h := k.String(), &m.list.jobs
	if h.waits() && (len(h.typed) > 0 || h.way != nowhere || !moves(m, k)) {
		h.keep(k)
		return nil
	}
	if m.zoom.On() {
		return m.zoomKey(name)
	}
	if m.pulseKey(k) {
		return nil
	}
	if m.focus == detailPane {
		if cmd, ok := m.detailKey(k); ok {
			return cmd
		}
	}
	if id, ok := m.commands.Lookup(name); ok {
		return m.do(id)
	}
	if m.focus == detailPane {
		switch name {
		case "h":
			k = tea.KeyMsg{Type: tea.KeyLeft}
		case "l":
			k = tea.KeyMsg{Type: tea.KeyRight}
		}
		m.detail.scroll.Update(k)
		return nil
	}
	if !m.gallery && m.list.foldKey(name) {
		return nil
	}
	m.list.move(k)
	return nil
}

// detailKey handles the keys of the detail that take precedence over actions.
func (m *Model) detailKey(k tea.KeyMsg) (tea.Cmd, bool) {
	name := k.String()
	d := &m.detail
	if d.hasTree(m.list.current) {
		to, ok := d.tree.key(name)
		d.dirty = d.dirty || ok
		switch {
		case to != nil && to.Missing:
			return screen.Toast(screen.Info, "this job is not in the history"), true
		case to != nil:
			return m.jump(to.Job.ID), true
		case ok:
			return nil, true
		}
	}
	switch name {
	case "left":
		d.setSection(d.section - 1)
	case "right":
		d.setSection(d.section + 1)
	case " ":
		d.scroll.Update(k)
	default:
		return nil, false
	}
	return nil, true
}

// zoomKey does what a key means while a picture is on the whole screen: its own keys first, then
// arrows, then those of the screen.
func (m *Model) zoomKey(name string) tea.Cmd {
	if id, ok := m.zoomCommands.Lookup(name); ok {
		return m.do(id)
	}
	dx, dy := 0, 0
	switch name {
	case "left", "h":
		dx = -1
	case "right", "l":
		dx = 1
	case "up", "k":
		dy = -1
	case "down", "j":
		dy = 1
	default:
		id, ok := m.commands.Lookup(name)
		if !ok {
			return nil
		}
		return m.do(id)
	}
	return m.zoom.pan(dx, dy)
}

func (m *Model) filterKey(msg tea.KeyMsg) tea.Cmd {
	changed := m.list.filter.Key(msg)
	m.layout()
	if changed {
		return m.setFilter()
	}
	return nil
}

// setFilter reads the filter and applies it: what was read is looked through at once, and the history
// asked, which is asked no more for the filter before. A filter that says nothing leaves the list as
// it is.
func (m *Model) setFilter() tea.Cmd {
	q, ok := m.list.filter.Query()
	m.layout()
	if !ok {
		return nil
	}
	h := &m.list.jobs
	q = h.wanted(q)
	if reflect.DeepEqual(q, h.query) && h.err == nil {
		return nil // a blank more
	}
	h.query, h.guest = q, ""
	h.stay()
	cmd := h.reload()
	if h.narrow() {
		fromTop(m)
		m.list.refresh()
	}
	m.layout()
	return cmd
}

// fromTop has the cursor start anew, on the first job.
func fromTop(m *Model) {
	m.list.current, m.list.head = "", false
	m.list.table.Model.SetCursor(0)
	m.zoom.follow()
	if m.detail.lag.Rest == 0 {
		m.detail.follow("")
	}
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	m.list.jobs.stay()
	if m.list.filter.Typing() && msg.Zone != "filter" {
		m.list.filter.End()
		m.layout()
	}
	if m.zoom.On() {
		if msg.Double {
			m.zoom.close()
		}
		return nil
	}
	if m.list.choose(msg) {
		m.setFocus(tablePane)
		m.settle()
		if msg.Double {
			return m.do(actOpen)
		}
		return nil
	}
	what, value, _ := strings.Cut(msg.Zone, ":")
	switch what {
	case pictureZone:
		m.setFocus(detailPane)
		if j := m.list.job(); msg.Double && offLook(m, j) == "" {
			m.zoom.Open()
		}
	case "detail":
		m.setFocus(detailPane)
	case "filter":
		return m.do(actFilter)
	case "sort":
		return sortBy(m, sortNamed(value))
	case "btn":
		return m.do(value)
	case "tab":
		if i, ok := views.Hit(value); ok {
			return showView(m, i)
		}
		for s := facts; s < sections; s++ {
			if value == s.String() {
				m.showSection(s)
			}
		}
	}
	return nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	m.list.jobs.stay()
	switch {
	case m.zoom.On():
		if offCloser(m) == "" {
			m.zoom.Closer(-msg.Delta)
		}
	case m.pulse && (msg.Zone == panel.Zone || m.beside() == 0):
		m.heart.Wheel(msg.Delta)
	case msg.Zone == "detail" || !m.tableShows():
		m.detail.scroll.Wheel(msg.Delta)
	default:
		m.list.wheel(msg.Delta)
	}
}

// do does an action by its id.
func (m *Model) do(id string) tea.Cmd {
	if off := m.off(id); off != "" {
		return m.refused.tell(id, off, m.choice())
	}
	if j := m.cutFor(id); j != nil {
		return whole(m.deps.Jobs, j.ID, id)
	}
	if (keys.Action{ID: id}).Scope() == scopeZoom {
		return m.zoomCommands.Do(m, id)
	}
	if !inZoom(id) {
		m.zoom.close()
	}
	return m.commands.Do(m, id)
}

// inZoom reports whether an action of the screen makes sense while a picture fills it; other
// actions lead back.
func inZoom(id string) bool {
	return slices.Contains([]string{
		actStar, actMark, actTag, actRemark, actCopy, actCopyPath, actFolder, actWays, actDrop, actReject, actRestore, actDownload, actOpenFile, actFlip, actPlay, actStep, actStepBack,
	}, id)
}

// off says why an action cannot be done now, "" when it can.
func (m *Model) off(id string) string {
	if (keys.Action{ID: id}).Scope() == scopeZoom {
		return m.zoomCommands.Off(m, id)
	}
	return m.commands.Off(m, id)
}

// open opens the detail, and in it the picture.
func (m *Model) open() {
	if m.list.onHead() {
		m.list.fold(!m.list.table.under().Open)
		return
	}
	if m.focus == detailPane && offLook(m, m.list.job()) == "" {
		m.zoom.Open()
		return
	}
	m.setFocus(detailPane)
}

// turn goes on to the next pane, and within the detail to the next section.
func (m *Model) turn(forward bool) {
	d := &m.detail
	switch {
	case m.focus == tablePane && forward:
		m.showSection(facts)
	case m.focus == tablePane:
		m.showSection(sections - 1)
	case forward && d.section < sections-1:
		d.setSection(d.section + 1)
	case !forward && d.section > facts:
		d.setSection(d.section - 1)
	default:
		m.setFocus(tablePane)
	}
}

// showSection goes to a section of the detail.
func (m *Model) showSection(s section) {
	m.detail.setSection(s)
	m.setFocus(detailPane)
}

func (m *Model) setFocus(p pane) {
	m.focus = p
	m.pulse = m.pulse && p == tablePane
	m.layout()
}

// leave goes one step back: out of the detail, the marks, the filter.
func (m *Model) leave() tea.Cmd {
	switch {
	case m.pulse:
		return togglePulse(m)
	case m.focus == detailPane:
		m.setFocus(tablePane)
	case len(m.list.jobs.marked) > 0 || m.list.jobs.marking:
		clear(m.list.jobs.marked)
		m.list.jobs.marking = false
	case m.list.filter.Text() != "":
		m.list.filter.SetText("")
		return m.setFilter()
	}
	return nil
}
