package compose

import (
	"errors"
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/screen"
)

// submit begins a submission of n copies. While one is on its way, another is refused.
func (m *Model) submit(n int) tea.Cmd {
	if d := m.over.Top(); d != nil && d.Scope() == batch.Scope { // by the palette: what shows is what is meant
		cmd, _ := m.over.Update(screen.ActionMsg{ID: batch.Submits})
		return cmd
	}
	if off := m.notNow(); off != nil {
		return off
	}
	if m.dialogOpen() {
		return screen.Toast(screen.Warn, "not submitted: "+overForm)
	}
	if m.asksFirst() {
		return m.openBatch(batch.OfTemplate, true)
	}
	m.beginSending()
	m.refresh()
	m.pending = m.submission(n)
	if list := m.localFields(""); len(list) > 0 {
		return resolve(list, submit)
	}
	return m.sendNow()
}

// sendNow journals the submission, or says what is in its way: that is also a form which is not
// the one that was submitted.
func (m *Model) sendNow() tea.Cmd {
	m.refresh()
	if !m.pending.same(m.submission(m.pending.copies)) {
		return m.notSubmitted()
	}
	if m.asksFirst() {
		m.sending = false
		return m.openBatch(batch.OfTemplate, true)
	}
	if p, bad := m.firstBad(); bad {
		m.sending = false
		m.onlyPane = false
		m.goToProblem(&p)
		return m.whyNot.Say("not submitted: " + client.CleanLine(p.Message))
	}
	if list := m.unresolved(); len(list) > 0 { // typed while the others were looked at
		return resolve(list, submit)
	}
	m.refusal = refusal{}
	return ofSending(m.sendings, send(m.deps.Jobs, m.batchInput(max(1, min(m.pending.copies, maxCopies)))))
}

// copies is how many jobs a submission makes.
func (m *sheet) copies() int {
	n, err := strconv.Atoi(m.form.Text(rowCopies))
	if err != nil {
		return 1
	}
	return max(1, min(n, maxCopies))
}

func (m *Model) submitted(msg submittedMsg) tea.Cmd {
	if msg.sending == m.sendings {
		m.sending = false
	}
	if msg.err != nil {
		text := client.CleanLine(msg.err.Error())
		if errors.Is(msg.err, jobs.ErrUnclear) {
			text = "perhaps submitted: " + text
			m.refusal = refusal{text: text}
			return screen.Toast(screen.Bad, text)
		}
		m.refusal = refusal{text: "not submitted: " + text}
		return screen.Toast(screen.Bad, "not submitted, nothing was sent: "+text)
	}
	for _, id := range msg.ids {
		m.sent[id] = msg.model
	}
	what := fmt.Sprintf("submitted %s, %d jobs", msg.model, len(msg.ids))
	if len(msg.ids) == 1 {
		what = fmt.Sprintf("submitted %s, job %s", msg.model, short(msg.ids[0]))
	}
	what += " (Queue shows it)"
	if msg.master != nil {
		what += fmt.Sprintf("; drawn with %d, which makes the same again", *msg.master)
	}
	// In this order, whatever is known already: the newest toast tells the outcome.
	return tea.Batch(m.models.Used(msg.model), tea.Sequence(screen.Toast(screen.Info, what), m.jobsChanged()))
}

// short is the end of an id, which tells jobs apart.
func short(id string) string {
	if len(id) > 8 {
		return "…" + id[len(id)-8:]
	}
	return id
}
