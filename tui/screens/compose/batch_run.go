package compose

import (
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
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

// batchSubmitted follows when a batch was written down, or could not be.
func (m *Model) batchSubmitted(msg submittedMsg) {
	m.batch.run.began(msg)
	d := m.batch.dialog
	if msg.err == nil && msg.master != nil {
		m.batch.last = msg.master
	}
	if d == nil || !d.sending || d.number != msg.sending {
		return
	}
	d.sending = false
	if msg.err != nil {
		d.failed = "nothing was sent: " + client.CleanLine(msg.err.Error())
		if errors.Is(msg.err, jobs.ErrUnclear) {
			d.failed = "perhaps submitted: " + client.CleanLine(msg.err.Error())
		}
		m.batchRows()
		return
	}
	m.batch.dialog = nil
	m.refresh()
}

// batchActions are what the palette offers while the dialog is open.
func (m *Model) batchActions() []screen.Action {
	d := m.batch.dialog
	if d == nil {
		return nil
	}
	off := map[string]string{}
	if !d.fresh() || !d.plan.sendable() {
		off["submit"] = "there is something in the way of it"
	}
	if d.kind != ofFile {
		off["read"] = "no file is read"
	}
	if !m.saysMode() {
		off["mode"] = "the prompt has nothing of a template"
	}
	var out []screen.Action
	for _, verb := range batchVerbs() {
		id := scopeBatch + "." + verb
		out = append(out, screen.Action{ID: id, Title: m.deps.Keys.Title(id), Off: off[verb]})
	}
	return out
}

func batchVerbs() []string { return []string{"submit", "mode", "draw", "read", "close"} }

// batchHelp are the keys of the dialog.
func (m *Model) batchHelp() []key.Binding {
	k, d := m.deps.Keys, m.batch.dialog
	out := []key.Binding{k.Short("batch.submit", "submit")}
	if m.saysMode() {
		out = append(out, k.Short("batch.mode", "text or template"))
	}
	if d.plan.master != nil {
		out = append(out, k.Short("batch.draw", "draw anew"))
	}
	if d.kind == ofFile {
		out = append(out, k.Short("batch.read", "read again"))
	}
	return append(out, k.Short("batch.close", "back"))
}
