package compose

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/past"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/sheet"
)

// history is the part of [jobs.Reader] that former jobs are looked for and read by.
type history interface {
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
	Get(ctx context.Context, id string) (jobs.Job, error)
}

// pastWait bounds the reading of a job.
const pastWait = 20 * time.Second

// pastJobMsg brings a job that is taken as the form, and what goes on with it.
type pastJobMsg struct {
	job  jobs.Job
	at   late.Form
	then func(jobs.Job) tea.Cmd
	err  error
}

// openPast opens the dialog over the prompts that were sent.
func (m *Model) openPast() tea.Cmd {
	h, ok := m.deps.Jobs.(history)
	if !ok {
		return screen.Toast(screen.Info, "there is no history to look into")
	}
	return m.open(past.New(past.Options{History: h, Keys: m.deps.Keys, Now: m.deps.Now}))
}

// takePast reads the job of a prompt, for the form; undo brings back what was there.
func (m *Model) takePast(x past.Taken) tea.Cmd {
	h, ok := m.deps.Jobs.(history)
	if !ok {
		return nil
	}
	at, then := m.now(), m.takePrompt
	if x.Whole {
		then = m.takeJob
	}
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), pastWait)
		defer stop()
		j, err := h.Get(ctx, x.JobID)
		return pastJobMsg{job: j, at: at, then: then, err: err}
	}
}

// takePrompt puts the prompt of a job into the form.
func (m *Model) takePrompt(j jobs.Job) tea.Cmd {
	m.sheet.Form.SetText(client.FieldPrompt, j.Draft.Prompt)
	m.doc.GoTo(client.FieldPrompt)
	return m.doc.Changed(client.FieldPrompt)
}

// takeJob fills the form from a job.
func (m *Model) takeJob(j jobs.Job) tea.Cmd {
	d, left := j.OwnDraft()
	return screen.Warned(m.doc.Fill(screen.ComposeDraft{Draft: d, Format: j.Format, Job: j.ID}), left)
}

// pastTaken goes on with a job that was read, unless somebody went on with the form meanwhile.
func (m *Model) pastTaken(msg pastJobMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, "the job could not be read, the form is as it was: "+client.CleanLine(msg.err.Error()))
	}
	return m.takeOrOffer(msg.at, "what was taken from job "+client.CleanLine(sheet.Short(msg.job.ID)), func() tea.Cmd { return msg.then(msg.job) })
}
