package compose

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/sending"
	"darkroom/tui/screens/compose/internal/sheet"
)

// submission is what the form would submit now.
func (m *Model) submission(copies int) sending.Submission {
	return sending.Submission{Copies: copies, Draft: m.sheet.Draft.Clone(), Format: m.sheet.Effective().Format, Mode: m.sheet.Template.Mode}
}

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
		return screen.Toast(screen.Warn, "not submitted: "+late.OverForm)
	}
	if m.sheet.AsksFirst() {
		return m.openBatch(batch.OfTemplate, true)
	}
	m.doc.Refresh()
	m.sending.Begin(m.submission(n))
	if look := m.sheet.ResolveLocal(references.Submit); look != nil {
		return look
	}
	return m.sendNow()
}

// notNow says why nothing is submitted at this moment, nil when it may be.
func (m *Model) notNow() tea.Cmd {
	switch {
	case m.pasting.Barred() != "":
		return screen.Toast(screen.Warn, "not submitted: "+m.pasting.Barred())
	case m.sending.Busy():
		return screen.Toast(screen.Warn, "not submitted again: "+sending.Still)
	}
	return nil
}

// offSubmit says why the form is not submitted now, "" when it is. In the dialog of a batch it
// is that what is submitted.
func (m *Model) offSubmit() string {
	switch {
	case m.sending.Busy():
		return sending.Still
	case !m.over.Has(batch.Scope) && m.dialogOpen():
		return late.OverForm
	}
	return ""
}

// dialogOpen reports whether something is open over the form that keys go to.
func (m *Model) dialogOpen() bool { return m.over.Top() != nil }

// sendNow journals the submission, or says what is in its way: that is also a form which is not
// the one that was submitted.
func (m *Model) sendNow() tea.Cmd {
	m.doc.Refresh()
	n := m.sending.Copies()
	if !m.sending.Pending(m.submission(n)) {
		m.sending.Cancel()
		text := "not submitted, nothing was sent: the form has changed while its files were looked at"
		if k := m.deps.Keys.Keys(actSubmit); k != "" {
			text += "; " + k + " submits it as it is now"
		}
		return screen.Toast(screen.Warn, text)
	}
	if m.sheet.AsksFirst() {
		m.sending.Cancel()
		return m.openBatch(batch.OfTemplate, true)
	}
	if p, bad := m.sheet.FirstBad(); bad {
		m.sending.Cancel()
		m.doc.Side.ShowForm()
		m.sheet.GoToProblem(&p)
		return m.whyNot.Say("not submitted: " + client.CleanLine(p.Message))
	}
	if look := m.sheet.ResolveTyped(references.Submit); look != nil { // typed while the others were looked at
		return look
	}
	m.sheet.Refusal = findings.Refusal{}
	return m.sending.SendCopies(m.deps.Jobs, m.batches.Copies(max(1, min(n, sheet.MaxCopies))))
}

// openBatch opens the dialog over a batch.
func (m *Model) openBatch(kind batch.Kind, asked bool) tea.Cmd {
	if m.sending.Busy() {
		return screen.Toast(screen.Warn, sending.Still)
	}
	return m.batches.Open(kind, asked)
}

// sendBatch journals the jobs of a dialog.
func (m *Model) sendBatch(b batch.Submit) tea.Cmd {
	if off := m.notNow(); off != nil {
		cmd, _ := m.over.Update(batch.Sent{To: b.From, Not: true})
		return tea.Batch(off, cmd)
	}
	m.sheet.Refusal = findings.Refusal{}
	return m.sending.SendBatch(m.deps.Jobs, b)
}

// handleSent follows a submission that was written down, or could not be.
func (m *Model) handleSent(msg sending.SentMsg) tea.Cmd {
	m.sending.Sent(msg)
	m.outcomes.Sent(msg)
	return tea.Batch(m.batches.Sent(msg), m.tellSent(msg))
}

// tellSent says how a submission went.
func (m *Model) tellSent(msg sending.SentMsg) tea.Cmd {
	if msg.Err != nil {
		text := client.CleanLine(msg.Err.Error())
		if errors.Is(msg.Err, jobs.ErrUnclear) {
			text = "perhaps submitted: " + text
			m.sheet.Refusal = findings.Refusal{Text: text}
			return screen.Toast(screen.Bad, text)
		}
		m.sheet.Refusal = findings.Refusal{Text: "not submitted: " + text}
		return screen.Toast(screen.Bad, "not submitted, nothing was sent: "+text)
	}
	what := fmt.Sprintf("submitted %s, %d jobs", msg.Model, len(msg.IDs))
	if len(msg.IDs) == 1 {
		what = fmt.Sprintf("submitted %s, job %s", msg.Model, sheet.Short(msg.IDs[0]))
	}
	what += " (Queue shows it)"
	if msg.Master != nil {
		what += fmt.Sprintf("; drawn with %d, which makes the same again", *msg.Master)
	}
	// In this order, whatever is known already: the newest toast tells the outcome.
	return tea.Batch(m.models.Used(msg.Model), tea.Sequence(screen.Toast(screen.Info, what), m.jobsChanged()))
}

// jobsChanged looks what became of the submissions made here.
func (m *Model) jobsChanged() tea.Cmd {
	return m.outcomes.Look(func(j *jobs.Job) string {
		m.sheet.Refuse(j)
		return m.sheet.Refusal.Text
	})
}
