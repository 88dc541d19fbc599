package queue

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// do does an action by its id.
func (m *Model) do(id string) tea.Cmd {
	if off := m.off(id); off != "" {
		return m.refuse(id, off)
	}
	if j := m.cutFor(id); j != nil {
		return whole(m.deps.Jobs, j.ID, id)
	}
	if !inZoom(id) {
		m.closeZoom()
	}
	if cmd, ok := m.look(id); ok {
		return cmd
	}
	switch id {
	case "queue.filter":
		m.filtering, m.focus = true, tablePane
		m.layout()
		return m.filter.Focus()
	case "queue.clear-filter":
		return m.leave()
	case "queue.reload":
		m.guest = m.current
		return m.reload()
	case "queue.preview":
		return m.togglePicture()
	case "queue.mark":
		m.mark()
	case "queue.open":
		return m.open()
	case "queue.next-pane", "queue.prev-pane":
		m.turn(id == "queue.next-pane")
	case "queue.download":
		return m.each("downloading", id, m.deps.Jobs.Download)
	case "queue.download-again":
		return m.each("downloading again", id, m.deps.Jobs.DownloadAgain)
	case "queue.repoll":
		return m.each(m.askingWhat(), id, m.deps.Jobs.Repoll)
	case "queue.drop":
		m.askDrop()
	case "queue.adopt":
		return m.askAdopt()
	case "queue.resend":
		m.askResend()
	case "queue.pause":
		return m.pause()
	case "queue.pause-all":
		return m.pauseAll()
	case "queue.pause-host":
		return m.askHost()
	case "queue.tag":
		return m.askTags()
	case "queue.remark":
		return m.askRemark()
	default:
		if cmd, ok := m.doPlay(id); ok {
			return cmd
		}
		if cmd, ok := m.doOutside(id); ok {
			return cmd
		}
		return m.handOver(id)
	}
	return nil
}

// togglePicture takes the preview away or brings it back, and says so where there is none
// to see.
func (m *Model) togglePicture() tea.Cmd {
	before := m.pictureHeight()
	m.picture.off = !m.picture.off
	m.layout()
	if m.detailShows() && m.pictureHeight() != before {
		return nil
	}
	if m.picture.off {
		return screen.Toast(screen.Info, "previews are off")
	}
	return screen.Toast(screen.Info, "previews are on")
}

// handOver does the actions that hand the current job on to somebody else.
func (m *Model) handOver(id string) tea.Cmd {
	j := m.job()
	if j == nil {
		return nil
	}
	if cmd, ok := m.chainDo(id); ok {
		return cmd
	}
	switch id {
	case "queue.open-file":
		path := j.OpenPath()
		return func() tea.Msg { return screen.OpenFileMsg{Path: path} }
	case "queue.copy":
		text, what := j.TaskID, "the task id"
		if text == "" {
			text, what = j.ID, "the job id"
		}
		text = client.CleanLine(text) // it will be pasted into shells and chats
		return func() tea.Msg { return screen.CopyMsg{Text: text, What: what} }
	case "queue.resubmit":
		d, left := j.OwnDraft()
		return screen.Warned(screen.Open(screen.Compose, screen.ComposeDraft{Draft: d, Format: j.Format, Job: j.ID}), left)
	case "queue.inspect":
		return screen.Open(screen.Inspect, screen.InspectID{ID: j.TaskID})
	}
	return nil
}

// picked are the marked jobs, or else the one under the cursor, in the order in which
// they were made.
func (m *Model) picked() []string {
	if len(m.marked) == 0 {
		if m.current == "" {
			return nil
		}
		return []string{m.current}
	}
	out := make([]string, 0, len(m.marked))
	for id := range m.marked {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// able are the picked jobs to which an action can be done.
func (m *Model) able(id string) []string {
	return slices.DeleteFunc(m.picked(), func(job string) bool { return obstacle(id, m.jobs.get(job)) != "" })
}

// each does something to the picked jobs, and takes the marks away.
func (m *Model) each(what, id string, do func(context.Context, string) error) tea.Cmd {
	ids := m.able(id)
	clear(m.marked)
	return each(what, ids, do)
}

// turn goes on to the next pane, and within the detail to the next section.
func (m *Model) turn(forward bool) {
	switch {
	case m.focus == tablePane && forward:
		m.setSection(facts)
		m.setFocus(detailPane)
	case m.focus == tablePane:
		m.setSection(sections - 1)
		m.setFocus(detailPane)
	case forward && m.section < sections-1:
		m.setSection(m.section + 1)
	case !forward && m.section > facts:
		m.setSection(m.section - 1)
	default:
		m.setFocus(tablePane)
	}
}

// side goes to the section beside the one that shows, and stops at the ends.
func (m *Model) side(by section) {
	m.setSection(min(max(m.section+by, facts), sections-1))
}

func (m *Model) setSection(s section) {
	if s == m.section {
		return
	}
	m.section = s
	m.scroll.SetTop(0)
	m.detail.dirty = true
}

func (m *Model) setFocus(p pane) {
	m.focus = p
	m.layout()
}

// leave goes one step back: out of the detail, the marks, the filter.
func (m *Model) leave() tea.Cmd {
	switch {
	case m.focus == detailPane:
		m.setFocus(tablePane)
	case len(m.marked) > 0:
		clear(m.marked)
	case m.filter.Value() != "":
		m.filter.SetValue("")
		return m.setFilter()
	}
	return nil
}

func (m *Model) mark() {
	if m.marked[m.current] {
		delete(m.marked, m.current)
	} else {
		m.marked[m.current] = true
	}
	if m.focus == tablePane && !m.zoom.on {
		m.table.SetCursor(m.table.Cursor() + 1)
	}
}
