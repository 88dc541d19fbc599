package compose

import (
	"reflect"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/batch"
	dialog "darkroom/tui/dialogs/batch"
	"darkroom/tui/screen"
)

// submitWait bounds the journalling of a submission, and submitEach what each of its jobs
// adds to that.
const (
	submitWait = 10 * time.Second
	submitEach = 50 * time.Millisecond
)

// Why nothing is submitted now.
const (
	stillSending = "the last submission is still being written down"
	overForm     = "a dialog is open over the form: esc closes it"
)

// submission is what a person submitted, kept while its files are looked at: nothing else is
// sent for it.
type submission struct {
	copies int
	draft  client.Draft
	format string
	mode   batch.PromptMode
}

// submission is what the form would submit now.
func (m *Model) submission(copies int) submission {
	return submission{copies: copies, draft: m.sheet.Draft.Clone(), format: m.sheet.Effective().Format, mode: m.sheet.Template.Mode}
}

// same reports whether two submissions send the same.
func (s submission) same(o submission) bool { return reflect.DeepEqual(s, o) }

// has reports whether a value is the submitted one.
func (s submission) has(name string, v any) bool {
	was, ok := s.draft.Values[name]
	return ok && reflect.DeepEqual(was, v)
}

// settle takes the references of fields over as their files were found: that is no other
// submission.
func (s submission) settle(names []string, values client.Values) {
	for _, name := range names {
		s.draft.Values[name] = values[name]
	}
}

// beginSending numbers a submission: its answer is told from that of any other by it.
func (m *Model) beginSending() uint64 {
	m.sending = true
	m.sendings++
	return m.sendings
}

// ofSending has an answer name its sending.
func ofSending(number uint64, cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		msg := cmd()
		if s, ok := msg.(submittedMsg); ok {
			s.sending = number
			return s
		}
		return msg
	}
}

// notSubmitted ends a submission whose form became another one while its files were looked at.
func (m *Model) notSubmitted() tea.Cmd {
	m.sending = false
	text := "not submitted, nothing was sent: the form has changed while its files were looked at"
	if k := m.deps.Keys.Keys(actSubmit); k != "" {
		text += "; " + k + " submits it as it is now"
	}
	return screen.Toast(screen.Warn, text)
}

// offSubmit says why the form is not submitted now, "" when it is. In the dialog of a batch it
// is that what is submitted.
func (m *Model) offSubmit() string {
	switch {
	case m.sending:
		return stillSending
	case !m.over.Has(dialog.Scope) && m.dialogOpen():
		return overForm
	}
	return ""
}

// dialogOpen reports whether something is open over the form that keys go to.
func (m *Model) dialogOpen() bool {
	return m.requests.ask != nil || m.over.Top() != nil
}
