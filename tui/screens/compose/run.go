package compose

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/format"
)

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
func (r *batchRun) began(msg submittedMsg) {
	if msg.group == "" {
		return
	}
	*r = batchRun{group: msg.group, total: len(msg.ids), ids: make(map[string]bool, len(msg.ids)), master: msg.master}
	for _, id := range msg.ids {
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
	parts := []string{fmt.Sprintf("last batch: %s, %d answered", format.Plural(r.total, "job"), r.total-len(r.ids))}
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
	if k := m.deps.Keys.Keys("compose.show-batch"); k != "" {
		s += "; " + k + " shows it in Queue"
	}
	return s
}

// showRun shows the jobs of the last batch in Queue.
func (m *Model) showRun() tea.Cmd {
	if m.batch.run.group == "" {
		return screen.Toast(screen.Info, "no batch was submitted yet")
	}
	return screen.Open(screen.Queue, screen.ShowGroup{Group: m.batch.run.group})
}
