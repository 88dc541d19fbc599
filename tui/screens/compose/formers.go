package compose

import (
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// former is a form that another one took the place of, with what the kinds that this changed
// had of their own.
type former struct {
	screen.ComposeDraft
	origin *origin
	copies string
	kinds  map[client.Modality]kindForm
}

// kindForm is what a kind has of its own: what was chosen, and the values that it does not share
// with others while it does not show.
type kindForm struct {
	choice choice
	own    client.Values
}

// oneCopy is what a form begins with: how often one request is sent says nothing of another.
const oneCopy = "1"

func (m *sheet) setCopies(n string) { m.form.SetText(rowCopies, n) }

// maxFormers bounds how many are kept.
const maxFormers = 20

// filled puts a draft from elsewhere into the form. What was there can be brought back.
func (m *Model) filled(from screen.ComposeDraft) tea.Cmd {
	if from.Draft.Cut { // a form has no place for the rest
		return screen.Toast(screen.Bad, client.ErrCut.Error())
	}
	m.take(from)
	m.onlyPane = false
	return m.replaced()
}

// replaced follows when the form is another one: until something is changed in it, undo
// brings the former one back.
func (m *Model) replaced() tea.Cmd {
	cmd := m.touched()
	m.unfilled = m.save.Revision()
	return cmd
}

// clearForm empties the form; doing it again on an empty form brings it back.
func (m *Model) clearForm() tea.Cmd {
	if !m.blank() {
		m.empty()
		return tea.Batch(m.replaced(), screen.Toast(screen.Info, "cleared; the same again brings it back"))
	}
	if m.copies() > 1 {
		m.setCopies(oneCopy)
		return m.changed(rowCopies)
	}
	return m.bringBack()
}

// bringBack puts the newest former form in the place of this one.
func (m *Model) bringBack() tea.Cmd {
	if !m.restore() {
		return nil
	}
	return m.replaced()
}

// undone takes a fill back where nothing was changed since; false when there is none.
func (m *Model) undone(key string) (tea.Cmd, bool) {
	if key != "ctrl+_" && key != "ctrl+z" || m.unfilled != m.save.Revision() || m.unfilled == 0 || len(m.formers) == 0 {
		return nil, false
	}
	return m.bringBack(), true
}

// take puts a draft from elsewhere into the form, and keeps what was there.
func (m *sheet) take(from screen.ComposeDraft) {
	m.keepFormer(m.kindOf(from.Draft))
	m.setCopies(oneCopy)
	m.fill(from.Draft, from.Format)
	m.template.took(from)
	m.origin = m.originOf(from)
	m.form.Focus(client.FieldPrompt)
}

// empty takes everything out of the form but what was chosen, and keeps what was there.
func (m *sheet) empty() {
	m.keepFormer(m.modality)
	m.setCopies(oneCopy)
	c := m.chosen[m.modality]
	m.fill(client.Draft{Modality: m.modality, Model: c.model, ModelName: c.modelName, Mode: c.mode, Values: m.kinds.presets[m.modality]}, c.format)
	m.template.took(screen.ComposeDraft{})
	m.origin = nil
	m.form.Focus(client.FieldPrompt)
}

// restore puts the newest former form in the place of this one, which becomes the oldest:
// again and again it goes through all of them. It is false when there is none.
func (m *sheet) restore() bool {
	n := len(m.formers)
	if n == 0 {
		return false
	}
	was := m.formers[n-1]
	m.formers = m.formers[:n-1]
	if !m.blank() || was.Draft.Modality != m.modality {
		kinds := slices.Collect(maps.Keys(was.kinds))
		m.formers = slices.Insert(m.formers, 0, m.former(append(kinds, m.modality)...))
	}
	for k, f := range was.kinds { // what the draft leaves open is as it was
		m.chosen[k] = f.choice
	}
	m.setCopies(was.copies)
	m.fill(was.Draft, was.Format)
	for k, f := range was.kinds {
		if k != m.modality {
			m.kinds.own[k] = f.own.Clone()
		}
	}
	m.template.took(was.ComposeDraft)
	m.origin = was.origin
	return true
}

// keepFormer keeps the form, which a draft of a kind is to take the place of. One without
// anything in it is kept only where the kind becomes another.
func (m *sheet) keepFormer(to client.Modality) {
	if m.blank() && to == m.modality {
		return
	}
	m.formers = append(m.formers, m.former(m.modality, to))
	if len(m.formers) > maxFormers {
		m.formers = slices.Delete(m.formers, 0, 1)
	}
}

// former is the form as it is, with what some kinds have of their own.
func (m *sheet) former(kinds ...client.Modality) former {
	out := former{m.whole(), m.origin, m.form.Text(rowCopies), make(map[client.Modality]kindForm, len(kinds))}
	for _, k := range kinds {
		out.kinds[k] = kindForm{m.chosen[k], m.kinds.own[k].Clone()}
	}
	return out
}
