package compose

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/past"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/attach"
	"darkroom/tui/screens/compose/internal/sheet"
)

// jobWait bounds the reading of a job.
const jobWait = 20 * time.Second

// jobMsg brings a job that was read to fill the form.
type jobMsg struct {
	job  jobs.Job
	err  error
	then func(jobs.Job, error) tea.Cmd
}

// readJob reads a job and passes it to then.
func (m *Model) readJob(id string, then func(jobs.Job, error) tea.Cmd) tea.Cmd {
	h, ok := m.deps.Jobs.(attach.History)
	if !ok {
		return nil
	}
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), jobWait)
		defer stop()
		j, err := h.Get(ctx, id)
		return jobMsg{j, err, then}
	}
}

// openPast opens the dialog over the prompts that were sent.
func (m *Model) openPast() tea.Cmd {
	h, ok := m.deps.Jobs.(attach.History)
	if !ok {
		return screen.Toast(screen.Info, "there is no history to look into")
	}
	return m.open(past.New(past.Options{History: h, Keys: m.deps.Keys, Now: m.deps.Now}))
}

// takePast takes the prompt of a job, or all of it, unless the person has gone on with the form
// meanwhile; undo brings back what was there.
func (m *Model) takePast(x past.Taken) tea.Cmd {
	at := m.late.Now()
	return m.readJob(x.JobID, func(j jobs.Job, err error) tea.Cmd {
		if err != nil {
			return screen.Toast(screen.Bad, "the job could not be read, the form is as it was: "+client.CleanLine(err.Error()))
		}
		return m.late.Put(at, "what was taken from job "+client.CleanLine(sheet.Short(j.ID)), func() tea.Cmd {
			if x.Whole {
				d, left := j.OwnDraft()
				return screen.Warned(m.doc.Fill(screen.ComposeDraft{Draft: d, Format: j.Format, Job: j.ID}), left)
			}
			m.sheet.Form.SetText(client.FieldPrompt, j.Draft.Prompt)
			m.doc.GoTo(client.FieldPrompt)
			return m.doc.Changed(client.FieldPrompt)
		})
	})
}

// findOrigin reads the job that a kept form was taken from, and marks again what differs from it. A
// job that is gone is not mentioned.
func (m *Model) findOrigin() tea.Cmd {
	id := m.sheet.Awaits()
	if id == "" {
		return nil
	}
	return m.readJob(id, func(j jobs.Job, err error) tea.Cmd {
		if err != nil {
			m.sheet.OriginRead(id, nil)
		} else {
			m.sheet.OriginRead(id, &j)
		}
		m.doc.Refresh()
		return nil
	})
}
