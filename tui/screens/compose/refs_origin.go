package compose

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
)

// originMsg brings the job that a kept form was taken from.
type originMsg struct {
	id  string
	job jobs.Job
	err error
}

// originJob is the job that the form was taken from, "" for none; one that is still being read
// is not forgotten.
func (m *sheet) originJob() string {
	if m.origin != nil {
		return m.origin.job
	}
	return m.reading
}

// findOrigin reads the job that a kept form was taken from.
func (m *Model) findOrigin() tea.Cmd {
	h, ok := m.deps.Jobs.(history)
	id := m.awaits()
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
		m.originRead(msg.id, nil)
	} else {
		m.originRead(msg.id, &msg.job)
	}
	m.refresh()
	return nil
}

// originFrom is the job itself as the origin of the form, whatever the form holds by now.
func (m *sheet) originFrom(j jobs.Job) *origin {
	o := &origin{job: j.ID, draft: j.Draft.Clone(), format: j.Format, texts: map[string]string{}}
	o.draft.Values = client.Values{}
	for name, v := range j.Draft.Values {
		if canonical, ok := m.catalog.Canonical(j.Draft.Modality, name); ok {
			name = canonical
		}
		o.draft.Values[name] = v
		f, _ := m.catalog.Field(j.Draft.Modality, name)
		o.texts[name] = fieldText(f, m.data.Shrink(v))
	}
	return o
}
