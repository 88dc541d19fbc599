package compose

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sending"
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

// batchRun is how far the last batch is.
type batchRun struct {
	group  string // "" for none
	total  int
	ids    map[string]bool // of the jobs whose create has had no answer yet
	bad    int             // refused
	lost   int             // whose answer was lost
	master *uint64
}

// began notes a batch that was written down.
func (r *batchRun) began(msg sending.SentMsg) {
	if msg.Group == "" {
		return
	}
	*r = batchRun{group: msg.Group, total: len(msg.IDs), ids: make(map[string]bool, len(msg.IDs)), master: msg.Master}
	for _, id := range msg.IDs {
		r.ids[id] = true
	}
}

// note counts a job whose create was decided.
func (r *batchRun) note(j *jobs.Job) {
	if !r.ids[j.ID] {
		return
	}
	delete(r.ids, j.ID)
	switch j.State {
	case jobs.Refused:
		r.bad++
	case jobs.Ambiguous:
		r.lost++
	}
}

// tells is the line about the batch under Checks, "" for none.
func (m *Model) runTells() string {
	r := &m.batch.run
	if r.group == "" {
		return ""
	}
	parts := []string{fmt.Sprintf("last batch: %s, %d answered", human.Plural(r.total, "job"), r.total-len(r.ids))}
	if r.bad > 0 {
		parts = append(parts, fmt.Sprintf("%d refused", r.bad))
	}
	if r.lost > 0 {
		parts = append(parts, fmt.Sprintf("%d with the answer lost", r.lost))
	}
	if n := len(r.ids); n > 0 {
		parts = append(parts, fmt.Sprintf("%d to go", n))
	}
	s := strings.Join(parts, ", ")
	if r.master != nil {
		s += fmt.Sprintf("; drawn with %d", *r.master)
	}
	if k := m.deps.Keys.Keys(actShowBatch); k != "" {
		s += "; " + k + " shows it in Queue"
	}
	return s
}

func (m *Model) offRun() string {
	if m.batch.run.group == "" {
		return "no batch was submitted yet"
	}
	return ""
}

// showRun shows the jobs of the last batch in Queue.
func (m *Model) showRun() tea.Cmd {
	return screen.Open(screen.Queue, screen.ShowGroup{Group: m.batch.run.group})
}
