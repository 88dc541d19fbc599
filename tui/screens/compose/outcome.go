package compose

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// maxReason is how much of the gateway's words a toast has room for, in cells.
const maxReason = 100

// jobsChanged looks what became of the submissions made here: a toast tells of those
// that the gateway refused, and of those whose answer was lost.
func (m *Model) jobsChanged() tea.Cmd {
	c, ok := m.deps.Jobs.(changes)
	if !ok || len(m.sent) == 0 {
		return nil
	}
	list, seq := c.Changes(m.seq)
	m.seq = seq
	refusals, lost := 0, 0
	for i := range list {
		j := &list[i]
		if _, ours := m.sent[j.ID]; !ours || !decided(j.State) {
			continue
		}
		delete(m.sent, j.ID)
		m.batch.run.note(j)
		switch j.State {
		case jobs.Refused:
			refusals++
			m.sheet.Refuse(j)
		case jobs.Ambiguous:
			lost++
		}
	}
	var cmds []tea.Cmd
	if lost > 0 {
		cmds = append(cmds, screen.Toast(screen.Warn, several(lost)+
			"the answer was lost: the task may exist, nothing was sent again; Queue offers what to do; every value is kept"))
	}
	if refusals > 0 {
		cmds = append(cmds, screen.Toast(screen.Bad, several(refusals)+
			widgets.Truncate(m.sheet.Refusal.Text, maxReason)+"; every value is kept"))
	}
	return tea.Batch(cmds...)
}

func several(n int) string {
	if n == 1 {
		return ""
	}
	return strconv.Itoa(n) + " jobs: "
}

// decided reports whether a create has had its answer, or will have none.
func decided(s jobs.State) bool { return s != jobs.Planned && s != jobs.Submitting }
