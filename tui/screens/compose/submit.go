package compose

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
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
	if m.sheet.AsksFirst() {
		return m.openBatch(batch.OfTemplate, true)
	}
	m.beginSending()
	m.refresh()
	m.pending = m.submission(n)
	if list := m.sheet.LocalFields(""); len(list) > 0 {
		return sheet.Resolve(list, sheet.ThenSubmit)
	}
	return m.sendNow()
}

// notNow says why nothing is submitted at this moment, nil when it may be.
func (m *Model) notNow() tea.Cmd {
	switch {
	case m.pasting.Barred() != "":
		return screen.Toast(screen.Warn, "not submitted: "+m.pasting.Barred())
	case m.sending:
		return screen.Toast(screen.Warn, "not submitted again: "+stillSending)
	}
	return nil
}

// sendNow journals the submission, or says what is in its way: that is also a form which is not
// the one that was submitted.
func (m *Model) sendNow() tea.Cmd {
	m.refresh()
	if !m.pending.same(m.submission(m.pending.copies)) {
		return m.notSubmitted()
	}
	if m.sheet.AsksFirst() {
		m.sending = false
		return m.openBatch(batch.OfTemplate, true)
	}
	if p, bad := m.sheet.FirstBad(); bad {
		m.sending = false
		m.onlyPane = false
		m.sheet.GoToProblem(&p)
		return m.whyNot.Say("not submitted: " + client.CleanLine(p.Message))
	}
	if list := m.sheet.Unresolved(); len(list) > 0 { // typed while the others were looked at
		return sheet.Resolve(list, sheet.ThenSubmit)
	}
	m.sheet.Refusal = sheet.Refusal{}
	return ofSending(m.sendings, send(m.deps.Jobs, m.batchInput(max(1, min(m.pending.copies, sheet.MaxCopies)))))
}

func (m *Model) submitted(msg submittedMsg) tea.Cmd {
	if msg.sending == m.sendings {
		m.sending = false
	}
	if msg.err != nil {
		text := client.CleanLine(msg.err.Error())
		if errors.Is(msg.err, jobs.ErrUnclear) {
			text = "perhaps submitted: " + text
			m.sheet.Refusal = sheet.Refusal{Text: text}
			return screen.Toast(screen.Bad, text)
		}
		m.sheet.Refusal = sheet.Refusal{Text: "not submitted: " + text}
		return screen.Toast(screen.Bad, "not submitted, nothing was sent: "+text)
	}
	for _, id := range msg.ids {
		m.sent[id] = msg.model
	}
	what := fmt.Sprintf("submitted %s, %d jobs", msg.model, len(msg.ids))
	if len(msg.ids) == 1 {
		what = fmt.Sprintf("submitted %s, job %s", msg.model, sheet.Short(msg.ids[0]))
	}
	what += " (Queue shows it)"
	if msg.master != nil {
		what += fmt.Sprintf("; drawn with %d, which makes the same again", *msg.master)
	}
	// In this order, whatever is known already: the newest toast tells the outcome.
	return tea.Batch(m.models.Used(msg.model), tea.Sequence(screen.Toast(screen.Info, what), m.jobsChanged()))
}

// submittedMsg says how journalling a submission went.
type submittedMsg struct {
	sending uint64 // the number of what was begun, see Model.sendings
	model   string
	ids     []string
	group   string        // of several jobs
	master  *uint64       // that seeds and prompts were drawn with, nil for none
	batch   *batch.Dialog // whose jobs they are, nil for the form's own
	err     error
}
