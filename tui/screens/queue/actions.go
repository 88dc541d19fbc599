package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
)

// do does an action by its id.
func (m *Model) do(id string) tea.Cmd {
	if off := m.off(id); off != "" {
		return screen.Toast(screen.Warn, off)
	}
	j := m.detail.Job
	switch id {
	case "queue.open":
		m.opened, m.focus = true, detailPane
	case "queue.download":
		return m.each("downloading", m.completed(), m.deps.Jobs.Download)
	case "queue.open-file":
		return func() tea.Msg { return screen.OpenFileMsg{Path: m.firstFile()} }
	case "queue.copy":
		text, what := j.TaskID, "the task id"
		if text == "" {
			text, what = j.ID, "the job id"
		}
		return func() tea.Msg { return screen.CopyMsg{Text: text, What: what} }
	case "queue.repoll":
		return m.each("asking again about", m.picked(), m.deps.Jobs.Repoll)
	case "queue.resubmit":
		return screen.Open(screen.Compose, screen.ComposeDraft{Draft: j.Draft.Clone()})
	case "queue.inspect":
		return screen.Open(screen.Inspect, screen.InspectID{ID: j.TaskID})
	case "queue.filter":
		m.filtering = true
		return m.filter.Focus()
	case "queue.clear-filter":
		return m.leave()
	case "queue.mark":
		m.mark()
	case "queue.preview":
		m.picture = !m.picture
		m.layout()
	case "queue.adopt":
		m.targets, m.question = []string{j.ID}, askAdopt
		m.adopt.SetValue("")
		return m.adopt.Focus()
	case "queue.resend":
		m.targets, m.question = []string{j.ID}, askResend
		text := "The gateway refused it, so nothing was made. It goes out as a new job."
		if j.State == jobs.Ambiguous {
			text = "Nobody knows whether the gateway accepted this create. If it did, sending it again makes it twice, and it may be billed twice."
		}
		m.confirm = confirm.New("Send again?", text, "no", confirm.Button{ID: "no", Label: "Leave it", Key: "n"}, confirm.Button{ID: "yes", Label: "Send again", Key: "y"})
	case "queue.drop":
		m.targets, m.question = m.picked(), askDrop
		m.confirm = confirm.New("Drop "+count(len(m.targets))+"?", "Darkroom stops following. The gateway is not told, since it has no cancel: the task goes on there, and is billed.", "no",
			confirm.Button{ID: "no", Label: "Keep", Key: "n"}, confirm.Button{ID: "yes", Label: "Drop", Key: "y"})
	case "queue.next-pane", "queue.prev-pane":
		m.turn(id == "queue.next-pane")
	}
	return nil
}

// turn goes on to the next pane, and within the detail to the next section.
func (m *Model) turn(forward bool) {
	if !m.detailShows() {
		return
	}
	switch {
	case m.focus == tablePane && m.wide():
		m.focus = detailPane
		if !forward {
			m.setSection(sections - 1)
		}
	case forward && m.section < sections-1:
		m.setSection(m.section + 1)
	case !forward && m.section > 0:
		m.setSection(m.section - 1)
	case m.wide():
		m.focus = tablePane
		m.setSection(facts)
	default:
		m.setSection(facts)
	}
}

func (m *Model) setSection(s section) {
	m.section = s
	m.scroll.SetTop(0)
	m.fillDetail()
}

// leave goes one step back: out of the detail, out of the filter.
func (m *Model) leave() tea.Cmd {
	switch {
	case m.opened && !m.wide():
		m.opened, m.focus = false, tablePane
	case m.focus == detailPane:
		m.focus = tablePane
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
	m.table.HandleKey("down")
}

// each does something to jobs and clears the marks.
func (m *Model) each(what string, ids []string, do func(context.Context, string) error) tea.Cmd {
	clear(m.marked)
	return each(what+" "+count(len(ids)), ids, do)
}

func count(n int) string {
	if n == 1 {
		return "1 job"
	}
	return fmt.Sprintf("%d jobs", n)
}

// completed are the picked jobs that have results.
func (m *Model) completed() []string {
	return slices.DeleteFunc(m.picked(), func(id string) bool { return m.jobs.byID[id].State != jobs.Completed })
}

// firstFile is the path of the first saved file, the result itself before its cover.
func (m *Model) firstFile() string {
	best := ""
	for _, f := range m.detail.Job.Files {
		if f.State != jobs.FileSaved {
			continue
		}
		if f.Kind == client.AssetVideo || f.Kind == client.AssetImage || f.Kind == client.AssetAudio {
			return f.Path
		}
		if best == "" {
			best = f.Path
		}
	}
	return best
}

// off says why an action can not be done now, "" when it can.
func (m *Model) off(id string) string {
	j := m.detail.Job
	switch id {
	case "queue.filter", "queue.clear-filter", "queue.preview":
		return ""
	}
	if m.current == "" {
		return "there is no job under the cursor"
	}
	switch id {
	case "queue.download":
		if len(m.completed()) == 0 {
			return "only completed jobs have results to download; this one is " + string(j.State)
		}
	case "queue.open-file":
		if m.firstFile() == "" {
			return "no file of this job is on the disk"
		}
	case "queue.repoll":
		if j.TaskID == "" && len(m.marked) == 0 {
			return "there is no task id to ask about"
		}
	case "queue.inspect":
		if j.TaskID == "" {
			return "there is no task id to look up"
		}
	case "queue.adopt":
		if j.State != jobs.Ambiguous {
			return "only a job whose create was lost can adopt an id"
		}
	case "queue.resend":
		if j.State != jobs.Ambiguous && j.State != jobs.Refused {
			return "only a lost or refused create can be sent again; c takes this one to Compose"
		}
	case "queue.drop":
		if !slices.ContainsFunc(m.picked(), func(id string) bool {
			s := m.jobs.byID[id].State
			return s.Active() || s == jobs.Ambiguous
		}) {
			return "this job has ended: there is nothing to drop"
		}
	}
	return ""
}

// answer ends the open question.
func (m *Model) answer(id string) tea.Cmd {
	if id == "" {
		return nil
	}
	q, targets := m.question, m.targets
	m.question, m.targets = noQuestion, nil
	if id != "yes" {
		return nil
	}
	switch q {
	case askDrop:
		targets = slices.DeleteFunc(targets, func(id string) bool {
			s := m.jobs.byID[id].State
			return !s.Active() && s != jobs.Ambiguous
		})
		return m.each("dropped", targets, m.deps.Jobs.Drop)
	case askResend:
		return resend(m.deps.Jobs, targets[0])
	}
	return nil
}

// adopted ends the question for an id.
func (m *Model) adopted() tea.Cmd {
	taskID := strings.TrimSpace(m.adopt.Value())
	if taskID == "" {
		return nil
	}
	targets := m.targets
	m.question, m.targets = noQuestion, nil
	m.adopt.Blur()
	return m.each("adopted "+client.CleanLine(taskID)+" for", targets, func(ctx context.Context, id string) error {
		return m.deps.Jobs.Adopt(ctx, id, taskID)
	})
}
