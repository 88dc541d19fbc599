package compose

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
)

// originMsg brings the job that a kept form was taken from.
type originMsg struct {
	id  string
	job jobs.Job
	err error
}

// findOrigin reads the job that a kept form was taken from.
func (m *Model) findOrigin() tea.Cmd {
	h, ok := m.deps.Jobs.(history)
	id := m.sheet.Awaits()
	if !ok || id == "" {
		return nil
	}
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), pastWait)
		defer stop()
		j, err := h.Get(ctx, id)
		return originMsg{id: id, job: j, err: err}
	}
}

// originCame shows again what differs from the job; one that is gone is not spoken of.
func (m *Model) originCame(msg originMsg) tea.Cmd {
	if msg.err != nil {
		m.sheet.OriginRead(msg.id, nil)
	} else {
		m.sheet.OriginRead(msg.id, &msg.job)
	}
	m.doc.Refresh()
	return nil
}
