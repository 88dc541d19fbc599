package sheet

import (
	"maps"
	"slices"

	"darkroom/client"
	"darkroom/tui/screen"
)

// former is a form that another one replaced, with what the kinds that this changed had of their
// own.
type former struct {
	screen.ComposeDraft
	origin *Origin
	copies string
	kinds  map[client.Modality]kindForm
}

// kindForm is what a kind has of its own: what was chosen, and the values that it does not share
// with others while it does not show.
type kindForm struct {
	choice Choice
	own    client.Values
}

// OneCopy is the number of copies that a form begins with: how often one request is sent says
// nothing about the next.
const OneCopy = "1"

// maxFormers bounds how many former forms are kept.
const maxFormers = 20

// Take puts a draft from elsewhere into the form, and keeps what was there.
func (m *Sheet) Take(from screen.ComposeDraft) {
	m.keepFormer(m.kindOf(from.Draft))
	m.Form.SetText(RowCopies, OneCopy)
	m.Fill(from.Draft, from.Format)
	m.Template.took(from)
	m.Origin = nil
	if from.Job != "" {
		m.Origin = m.origin(from.Job, from.Draft, from.Format, m.Values.Clone())
	}
	m.Form.Focus(client.FieldPrompt)
}

// Empty clears the form except for the choices, and keeps what was there.
func (m *Sheet) Empty() {
	m.keepFormer(m.Modality)
	m.Form.SetText(RowCopies, OneCopy)
	c := m.Chosen[m.Modality]
	m.Fill(client.Draft{Modality: m.Modality, Model: c.Model, ModelName: c.ModelName, Mode: c.Mode, Values: m.kinds.presets[m.Modality]}, c.Format)
	m.Template.took(screen.ComposeDraft{})
	m.Origin = nil
	m.Form.Focus(client.FieldPrompt)
}

// Restore replaces this form by the newest former one; this one becomes the oldest, so that
// repeating it goes through all of them. It is false when there is none.
func (m *Sheet) Restore() bool {
	n := len(m.Formers)
	if n == 0 {
		return false
	}
	was := m.Formers[n-1]
	m.Formers = m.Formers[:n-1]
	if !m.Blank() || was.Draft.Modality != m.Modality {
		kinds := slices.Collect(maps.Keys(was.kinds))
		m.Formers = slices.Insert(m.Formers, 0, m.former(append(kinds, m.Modality)...))
	}
	for k, f := range was.kinds { // what the draft leaves open is as it was
		m.Chosen[k] = f.choice
	}
	m.Form.SetText(RowCopies, was.copies)
	m.Fill(was.Draft, was.Format)
	for k, f := range was.kinds {
		if k != m.Modality {
			m.kinds.own[k] = f.own.Clone()
		}
	}
	m.Template.took(was.ComposeDraft)
	m.Origin = was.origin
	return true
}

// keepFormer keeps the form before a draft of kind to replaces it. An empty form is kept only if
// the kind changes.
func (m *Sheet) keepFormer(to client.Modality) {
	if m.Blank() && to == m.Modality {
		return
	}
	m.Formers = append(m.Formers, m.former(m.Modality, to))
	if len(m.Formers) > maxFormers {
		m.Formers = slices.Delete(m.Formers, 0, 1)
	}
}

// former is the form as it is, with what some kinds have of their own.
func (m *Sheet) former(kinds ...client.Modality) former {
	out := former{m.Whole(), m.Origin, m.Form.Text(RowCopies), make(map[client.Modality]kindForm, len(kinds))}
	for _, k := range kinds {
		out.kinds[k] = kindForm{m.Chosen[k], m.kinds.own[k].Clone()}
	}
	return out
}
